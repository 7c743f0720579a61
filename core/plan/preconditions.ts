import { diffLines } from "diff";
import { canonicalJson, printJson } from "../values/json.ts";
import type { Decided, Plan } from "./plan.ts";
import { onlyStarts } from "./steps.ts";

/** A decision of any kind, by its members. */
type Member = Members<Decided>;
type Members<D> = D extends unknown ? keyof D : never;
type Value = Values<Decided>;
type Values<D> = D extends unknown ? D[keyof D] : never;

const NAMES: Readonly<Record<Member, string>> = {
  kind: "the kind of change",
  connector: "the connector",
  cluster: "the Kafka cluster",
  database: "the database or its incarnation",
  scn: "the target SCN",
  direction: "the direction",
  restore: "the offset to restore",
  metadata: "name, reason or ticket",
  allowSkip: "allowSkip",
  deliverAgain: "deliverAgain",
  forgetReleased: "forgetReleased",
  removeTableSchemas: "removeTableSchemas",
  removedSchemas: "the tables whose layouts are removed",
  tables: "the tables",
  gap: "the gap",
  unlisted: "the unlisted tables",
  skipGapForUnlistedTables: "skipGapForUnlistedTables",
  waitForTransactions: "waitForTransactions",
  waitForAck: "waitForAck",
  waitForSnapshot: "waitForSnapshot",
  stopRunningSnapshot: "stopRunningSnapshot",
  waitForCompletion: "waitForCompletion",
  resume: "resume",
  opsFormat: "opsFormat",
  accept: "the accepted codes",
  capturedTables: "capturedTables",
  removedTransactions: "the journaled transactions to remove",
  configuration: "the connector's configuration",
  phase: "the phase",
  legacy: "the legacy connector",
  leaveOut: "the partitions that are left out",
  startScn: "the start that the plan file gives",
  topicChoice: "whether topics are kept",
  verify: "what is verified",
  evidence: "the evidence",
  topics: "the topics to delete",
  legacyConfiguration: "the legacy connector's configuration",
  policies: "the policies",
};

/** The number of changed lines beyond which two decisions have nothing in common worth showing. */
const MOST_EDITS = 400;

/** The most names of a list to show; a captured set may have 100,000. */
const MOST_NAMES = 5;

/** Members that follow from a closed or opened gap, which are not repeated. */
const FOLLOWS_FROM_GAP: ReadonlySet<Member> = new Set(["scn", "direction", "unlisted"]);

/** What a run removes: less of it is left once it has begun to. */
const REMOVED: ReadonlySet<Member> = new Set(["removedTransactions", "removedSchemas"]);

/**
 * The differences between the decisions of two plans of one change, one phrase each: `the direction was backward and is
 * forward`.
 *
 * @param removing whether the run of the plan may have removed records already
 */
export function differences(planned: Pick<Plan, "decided">, now: Plan, removing = false): readonly string[] {
  const gapNow = decidedOn(now, "gap");
  const turned = (decidedOn(planned, "gap") === undefined) !== (gapNow === undefined);
  return (Object.keys(NAMES) as Member[]).flatMap((member) => {
    if (turned && FOLLOWS_FROM_GAP.has(member)) return [];
    const was = decidedOn(planned, member);
    const is = decidedOn(now, member);
    if (removing && REMOVED.has(member) && namesIn(is).every((name) => namesIn(was).includes(name))) return [];
    // A target that the connector has reached by itself is no longer ahead of it: nothing is skipped.
    if (same(was, is) || (member === "direction" && was === "forward" && is === "same")) return [];
    // Nor is anything moved if the offset is as requested and only the start is left.
    if (member === "direction" && is === "same" && onlyStarts(now)) return [];
    if (member === "configuration" || member === "legacyConfiguration")
      return [`${NAMES[member]} was changed: ${changedSettings(was, is).join(", ")}`];
    if (member === "gap" && turned) return [gapTurned(isList(gapNow) ? gapNow : undefined)];
    if (isList(was) && isList(is)) return [`${NAMES[member]} changed: ${listChanged(was, is)}`];
    return [`${NAMES[member]} was ${shown(was)} and is ${shown(is)}`];
  });
}

function decidedOn({ decided }: Pick<Plan, "decided">, member: Member): Value {
  return (decided as Partial<Record<Member, Value>>)[member];
}

function gapTurned(gap: readonly string[] | undefined): string {
  return gap === undefined
    ? "redo was missing, and is now complete"
    : `redo was complete, and is now missing: ${some(gap)}`;
}

function isList(value: Value): value is readonly string[] {
  return Array.isArray(value);
}

function namesIn(value: Value): readonly string[] {
  return isList(value) ? value : [];
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
  return parts.length === 0 ? "in another order" : parts.join("; ");
}

function some(names: readonly string[]): string {
  if (names.length === 0) return "an empty list";
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The decisions of two plans as changed lines, `- ` as planned and `+ ` as now; at most `MOST_EDITS`. */
export function decisionDiff(planned: Pick<Plan, "decided">, now: Pick<Plan, "decided">): readonly string[] {
  return changedLines(inOrder(planned.decided), inOrder(now.decided));
}

/** Two configurations as changed lines, likewise: `- cdc.lob.mode: skip`. */
export function configurationLines(before: Settings, after: Settings): readonly string[] {
  return changedLines(linesOf(before), linesOf(after));
}

type Settings = Readonly<Record<string, string>>;

function linesOf(settings: Settings): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name}: ${printJson(value).slice(1, -1)}\n`);
  return lines.sort().join("");
}

function changedLines(before: string, after: string): readonly string[] {
  return (diffLines(before, after, { maxEditLength: MOST_EDITS }) ?? []).flatMap(({ added, removed, value }) => {
    if (!added && !removed) return [];
    const mark = added ? "+" : "-";
    return value
      .trimEnd()
      .split("\n")
      .map((line) => `${mark} ${line.trim().replace(/,$/, "")}`);
  });
}

function changedSettings(was: Value, is: Value): readonly string[] {
  const [before, after] = [settingsIn(was), settingsIn(is)];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}

function settingsIn(value: Value): ReadonlyMap<string, unknown> {
  return new Map(typeof value === "object" ? Object.entries(value) : []);
}

/** Members sorted, one a line: two decisions that are the same print the same. */
function inOrder(decided: Plan["decided"]): string {
  const sorted = Object.entries(decided.configuration).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${printJson({ ...decided, configuration: Object.fromEntries(sorted) })}\n`;
}

function same(was: Value, is: Value): boolean {
  return canonicalJson(was ?? null) === canonicalJson(is ?? null);
}

function shown(value: Value): string {
  if (isList(value)) return some(value);
  return typeof value === "string" ? value : value === undefined ? "none" : canonicalJson(value);
}
