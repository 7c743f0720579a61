import type { JobTable } from "../../../schemas/generated/verification-job.ts";
import type {
  GatheredRules,
  SideRead,
  Truncates,
  UnitResult,
  Verdict,
} from "../../../schemas/generated/verification-result.ts";
import { Refusal } from "../../errors.ts";
import { concluded, type TableFound } from "../cutover/verify-cutover.ts";
import { emptyVerdict } from "../engine/join-partitions.ts";
import { decideTombstones, mergedReads } from "../engine/unit-result.ts";
import { NAMED_KEYS } from "../evidence/evidence.ts";
import type { TableChecked } from "../evidence/table-evidence.ts";
import { laterTruncates, NO_TRUNCATES, type Side } from "../tuple.ts";
import { merged, NOTHING_READ } from "../verdict.ts";
import { inputsOfTable, type Job, type JobResult, tableOfSlot } from "./job.ts";

export interface JobFound {
  readonly tables: readonly TableChecked[];
  readonly units: number;
  /** Attempts of units of reading and of slots, including repeated ones. */
  readonly attempts: number;
}

/**
 * Adds up the results of a job: every unit and every slot once.
 *
 * @throws Refusal VER111 for a result of another job, a duplicate result or a missing one
 */
export function addedUp(job: Job, results: readonly JobResult[]): JobFound {
  const verdicts = once(
    job,
    results.flatMap((result) => (result.slot === undefined ? [] : [[String(result.slot.number), result] as const])),
    Array.from({ length: job.slots }, (_, slot) => String(slot)),
    "slot",
  ).flatMap(({ slot }) => slot ?? []);
  return {
    tables: job.tables.map((table, at) => {
      const own = verdicts.filter(({ number }) => tableOfSlot(job, number) === at).map(({ verdict }) => verdict);
      return concluded(table, foundOf(job, table, unitsOnce(job, results, at), own));
    }),
    units: job.units.length,
    attempts: results.reduce((sum, { attempt, rules }) => sum + (rules === undefined ? attempt + 1 : 0), 0),
  };
}

/** Rules that every join of a table needs from its units. @throws as `addedUp`, for these */
export function gatheredRules(job: Job, table: number, results: readonly JobResult[]): GatheredRules {
  const units = unitsOnce(job, results, table);
  return {
    table,
    isRead: units.every(({ unreachable, notRead }) => unreachable === undefined && notRead === undefined),
    truncates: units.reduce<Truncates>((all, { truncates }) => laterTruncates(all, truncates), NO_TRUNCATES),
  };
}

function foundOf(job: Job, table: JobTable, own: readonly UnitResult[], verdicts: readonly Verdict[]): TableFound {
  const inputs = inputsOfTable(table);
  if (inputs === undefined) return { is: "not-read", why: table.notRead ?? "" };
  const unreachable = own.find((one) => one.unreachable !== undefined)?.unreachable;
  if (unreachable !== undefined) return { is: "unreachable", ...unreachable };
  const gone = own.find(({ notRead }) => notRead !== undefined)?.notRead;
  if (gone !== undefined) return { is: "not-read", why: gone };
  const sides = new Map(job.units.map(({ unit, side }) => [unit, side]));
  const read = (side: Side): SideRead =>
    own.filter(({ name }) => sides.get(name) === side).reduce((sum, one) => mergedReads(sum, one.read), NOTHING_READ);
  const ofLegacy = own.reduce((sum, one) => mergedReads(sum, one.legacyRead ?? NOTHING_READ), read("legacy"));
  const none = emptyVerdict({ columns: inputs.shape.columns.length, first: NAMED_KEYS });
  return {
    is: "verified",
    verdict: verdicts.reduce((sum, one) => merged(sum, one, NAMED_KEYS), none),
    table: read("table"),
    newTopic: decideTombstones(read("new")),
    legacyTopic: inputs.legacyTopic === undefined ? undefined : decideTombstones(ofLegacy),
  };
}

/** Results of one table in the order of the job's units, so that the first of several reasons is always the same. */
function unitsOnce(job: Job, results: readonly JobResult[], table: number): readonly UnitResult[] {
  const tables = new Map(job.units.map((unit) => [unit.unit, unit.table]));
  const named = results.flatMap((result) => {
    const { unit } = result;
    // A result that belongs to no unit of the job is detected with the first table.
    return unit === undefined || (tables.get(unit.name) ?? table) !== table ? [] : [[unit.name, result] as const];
  });
  const expected = job.units.flatMap((unit) => (unit.table === table ? [unit.unit] : []));
  return once(job, named, expected, "unit").flatMap(({ unit }) => unit ?? []);
}

/** Returns one result for each name, in the order of the names. */
function once(
  job: Job,
  results: readonly (readonly [name: string, result: JobResult])[],
  names: readonly string[],
  what: "unit" | "slot",
): readonly JobResult[] {
  const byName = new Map<string, JobResult>();
  const wanted = new Set(names);
  for (const [name, result] of results) {
    if (result.job !== job.digest) throw incomplete(`a result of the ${what} ${name} belongs to the job ${result.job}`);
    if (!wanted.has(name)) throw incomplete(`there is a result of the ${what} ${name}, which the job does not have`);
    if (byName.has(name)) throw incomplete(`the result of the ${what} ${name} appears twice`);
    byName.set(name, result);
  }
  const missing = names.filter((name) => !byName.has(name));
  if (missing.length > 0)
    throw incomplete(
      `${missing.length} of ${names.length} ${what}s have no result: ${missing.slice(0, 5).join(", ")}` +
        `${missing.length > 5 ? ", …" : ""}`,
    );
  return names.flatMap((name) => byName.get(name) ?? []);
}

function incomplete(seen: string): Refusal {
  return new Refusal("VER111", seen, ["Run the job again: finished work is kept.", "Do not change its result files."]);
}
