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

/** So many names of a list are worth reading; of a captured set there may be 100,000. */
const MOST_NAMES = 5;

/** What follows from a gap that has closed or opened is not said once more. */
const FOLLOWS_FROM_GAP: ReadonlySet<keyof Decided> = new Set(["scn", "direction", "unlisted"]);

/** What two plans of one change decide differently, one phrase each: `the direction was backward and is forward`. */
export function differences(planned: Plan, now: Plan): readonly string[] {
  const turned = (planned.decided.gap === undefined) !== (now.decided.gap === undefined);
  return (Object.keys(NAMES) as (keyof Decided)[]).flatMap((member) => {
    if (turned && FOLLOWS_FROM_GAP.has(member)) return [];
    const was = planned.decided[member];
    const is = now.decided[member];
    // A target that the connector has come to by itself meanwhile is no longer ahead of it: nothing is skipped.
    if (same(was, is) || (member === "direction" && was === "forward" && is === "same")) return [];
    if (member === "configuration")
      return [`${NAMES[member]} was changed: ${changedSettings(planned.decided, now.decided).join(", ")}`];
    if (member === "gap" && turned) return [gapTurned(now.decided.gap)];
    if (isList(was) && isList(is)) return [`${NAMES[member]} changed: ${listChanged(was, is)}`];
    return [`${NAMES[member]} was ${shown(was)} and is ${shown(is)}`];
  });
}

function gapTurned(gap: readonly string[] | undefined): string {
  return gap === undefined
    ? "redo was gone, and is all there now"
    : `redo was all there, and is gone now: ${some(gap)}`;
}

function isList(value: Decided[keyof Decided]): value is readonly string[] {
  return Array.isArray(value);
}

/** `now also A, B and 3 more; no longer C`. */
function listChanged(was: readonly string[], is: readonly string[]): string {
  const [before, after] = [new Set(was), new Set(is)];
  const added = is.filter((name) => !before.has(name));
  const gone = was.filter((name) => !after.has(name));
  const parts = [
    ...(added.length === 0 ? [] : [`now also ${some(added)}`]),
    ...(gone.length === 0 ? [] : [`no longer ${some(gone)}`]),
  ];
  return parts.length === 0 ? "another order" : parts.join("; ");
}

function some(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
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

function same(was: Decided[keyof Decided], is: Decided[keyof Decided]): boolean {
  return canonicalJson(was ?? null) === canonicalJson(is ?? null);
}

function shown(value: Decided[keyof Decided]): string {
  if (isList(value)) return some(value);
  return typeof value === "string" ? value : value === undefined ? "none" : canonicalJson(value);
}
