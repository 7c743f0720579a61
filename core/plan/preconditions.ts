import { diffLines } from "diff";
import { canonicalJson, printJson } from "../values/json.ts";
import type { Decided, Plan } from "./plan.ts";

const NAMES: { readonly [member in keyof Decided]-?: string } = {
  kind: "the kind of change",
  connector: "the connector",
  cluster: "the Kafka cluster",
  database: "the database or its incarnation",
  scn: "the target SCN",
  direction: "the direction",
  restore: "the offset to restore",
  metadata: "name, reason or ticket",
  allowSkip: "allowSkip",
  forgetReleased: "forgetReleased",
  tables: "the tables",
  gap: "the gap",
  unlisted: "the unlisted tables",
  skipGapForUnlistedTables: "skipGapForUnlistedTables",
  waitForTransactions: "waitForTransactions",
  waitForAck: "waitForAck",
  resume: "resume",
  opsFormat: "opsFormat",
  accept: "the accepted codes",
  configuration: "the connector's configuration",
};

/** Beyond so many changed lines two decisions have nothing in common that is worth showing. */
const MOST_EDITS = 400;

/** What two plans of one change decide differently, one phrase each: `the direction was backward and is forward`. */
export function differences(planned: Plan, now: Plan): readonly string[] {
  return (Object.keys(NAMES) as (keyof Decided)[]).flatMap((member) => {
    const was = shown(planned.decided[member]);
    const is = shown(now.decided[member]);
    // A target that the connector has come to by itself meanwhile is no longer ahead of it: nothing is skipped.
    if (was === is || (member === "direction" && was === "forward" && is === "same")) return [];
    if (member !== "configuration") return [`${NAMES[member]} was ${was} and is ${is}`];
    return [`${NAMES[member]} was changed: ${changedSettings(planned.decided, now.decided).join(", ")}`];
  });
}

/** The decisions of two plans as changed lines, `- ` as planned and `+ ` as now; at most `MOST_EDITS`. */
export function decisionDiff(planned: Plan, now: Plan): readonly string[] {
  const changes = diffLines(inOrder(planned.decided), inOrder(now.decided), { maxEditLength: MOST_EDITS });
  return (changes ?? []).flatMap(({ added, removed, value }) => {
    if (!added && !removed) return [];
    const mark = added ? "+" : "-";
    return value
      .trimEnd()
      .split("\n")
      .map((line) => `${mark} ${line.trim().replace(/,$/, "")}`);
  });
}

function changedSettings({ configuration: was }: Decided, { configuration: is }: Decided): readonly string[] {
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  return [...names].filter((name) => was[name] !== is[name]).sort();
}

/** Members sorted, one a line: two decisions that are the same print the same. */
function inOrder(decided: Decided): string {
  const sorted = Object.entries(decided.configuration).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${printJson({ ...decided, configuration: Object.fromEntries(sorted) })}\n`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "none" : canonicalJson(value);
}
