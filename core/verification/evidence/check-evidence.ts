import schema from "../../../schemas/evidence.schema.json" with { type: "json" };
import type { Evidence, TableEvidence } from "../../../schemas/generated/evidence.ts";
import { problemsOfJson, type Schema } from "../../document/schema.ts";
import { digestOf } from "../../values/digest.ts";
import { isObject, type Json, parseJson } from "../../values/json.ts";
import { DOUBTS, FAILURES } from "../verdict.ts";
import { findingsOf, hasPassed, NAMED_KEYS } from "./evidence.ts";
import { NOT_PASSED, outcomeOfAll, outcomeOfTable, reasonsOfTable, unreadableOfSides } from "./table-outcome.ts";

/** Result of checking an evidence document: intact and consistent, or its problems. */
type EvidenceChecked =
  | { readonly sound: true; readonly evidence: Evidence }
  | { readonly sound: false; readonly problems: readonly string[] };

/**
 * Checks an evidence document by itself: its form, both digests, and its consistency: counts that add up, outcomes that
 * follow from them. It cannot check whether the content is true, which only the table and the topics can show.
 */
export function checkEvidence(text: string): EvidenceChecked {
  let json: Json;
  try {
    json = parseJson(text);
  } catch (error) {
    return wrong([`it is not JSON: ${(error as Error).message}`]);
  }
  const ofForm = problemsOfJson(json, schema as Schema, "").map(({ message }) => message);
  if (ofForm.length > 0 || !isObject(json)) return wrong(ofForm);
  const { digest, ...content } = json;
  const evidence = json as unknown as Evidence;
  const problems: string[] = [];
  if (digestOf(content) !== digest) problems.push("its digest does not match: it was changed after it was written");
  if (findingsOf(evidence) !== evidence.findings) problems.push("the digest of its findings does not match");
  const { checkScn, resumeScn, passed } = evidence.position;
  if (hasPassed(resumeScn, checkScn) !== passed)
    problems.push(
      `position: passed is ${passed}, but with the resume SCN ${resumeScn ?? "unknown"} and the check SCN ${checkScn}`,
    );
  for (const table of evidence.tables)
    for (const one of tableProblems(table, passed, evidence.formatVersion).map(
      (problem) => `${table.table}: ${problem}`,
    ))
      problems.push(one);
  const outcome = outcomeOfAll(evidence.tables);
  if (outcome !== evidence.outcome)
    problems.push(`the outcome is ${evidence.outcome}, but its tables result in ${outcome}`);
  if (new Set(evidence.tables.map(({ table }) => table)).size < evidence.tables.length)
    problems.push("a table appears twice");
  return problems.length === 0 ? { sound: true, evidence } : wrong(problems);
}

function wrong(problems: readonly string[]): EvidenceChecked {
  return { sound: false, problems };
}

function tableProblems(table: TableEvidence, passed: boolean, format: bigint): readonly string[] {
  return [
    ...outcomeProblems(table, passed, format),
    ...keyProblems(table),
    ...hashProblems(table),
    ...listProblems(table),
  ];
}

/** Up to format 2, any unreadable record made a table inconclusive. */
function outcomeProblems(table: TableEvidence, passed: boolean, format: bigint): readonly string[] {
  const { reasons } = table;
  const expected = reasonsOfTable({ ...table, passed, notRead: undefined });
  const others = reasons.filter((reason) => !expected.includes(reason) && reason !== NOT_PASSED);
  const problems: string[] = [];
  for (const reason of expected) if (!reasons.includes(reason)) problems.push(`its reasons do not contain "${reason}"`);
  const doubted = format < 3n && unreadableOfSides(table).some((count) => count > 0n);
  const outcome = doubted ? "inconclusive" : outcomeOfTable({ ...table, passed, notRead: others[0] });
  if (others.length > 1) problems.push(`${others.length} of its reasons do not follow from its counts`);
  if (outcome !== table.outcome) problems.push(`the outcome is ${table.outcome}, but its counts result in ${outcome}`);
  if (table.outcome === "pass" && table.columns.length === 0) problems.push("it passed, but no column was compared");
  return problems;
}

/** Every key of a side is in exactly one of the counts; those in doubt may be on either side. */
function keyProblems({ keys, failures, doubts, rows, key }: TableEvidence): readonly string[] {
  const doubtful = DOUBTS.reduce((sum, reason) => sum + (doubts[reason] ?? 0n), 0n);
  const problems: string[] = [];
  const between = (what: string, least: bigint, seen: bigint, most: bigint): void => {
    if (seen < least || seen > most)
      problems.push(
        `${what} are ${seen}, but its other counts result in ${least === most ? least : `${least} to ${most}`}`,
      );
  };
  const readable = rows.count - rows.unreadable;
  if (key.length === 0) {
    between("the rows in the table", readable, keys.inTable, readable);
    if (keys.compared > keys.inTable || keys.compared > keys.inTopics)
      problems.push("more rows were compared than there are");
    return problems;
  }
  const inTable = keys.compared + keys.byLegacy + failures["in-neither-topic"] + failures["deleted-in-topic"];
  between("the keys in the table", inTable, keys.inTable, inTable + doubtful);
  const inTopics = keys.compared + keys.byLegacy + failures["still-in-topic"] + failures["only-in-legacy-topic"];
  between("the keys in the topics", inTopics, keys.inTopics, inTopics + doubtful);
  if (failures["values-differ"] + (failures["stale-in-legacy-topic"] ?? 0n) > keys.compared)
    problems.push("more keys differ than were compared");
  if (doubts["key-not-unique"] === 0n) between("the keys in the table", readable, keys.inTable, readable);
  else if (keys.inTable > readable) problems.push("it has more keys than rows");
  return problems;
}

function hashProblems({ outcome, hashes, keys }: TableEvidence): readonly string[] {
  if (outcome !== "pass") return [];
  const problems: string[] = [];
  if (keys.inTable !== keys.inTopics)
    problems.push("it passed, but table and topics do not have the same number of keys");
  if (hashes.tableKeys !== hashes.topicKeys) problems.push("it passed, but the hashes of the keys differ");
  if (hashes.tableRows !== hashes.topicRows) problems.push("it passed, but the hashes of the rows differ");
  return problems;
}

function listProblems({
  failures,
  doubts,
  firstFailures,
  firstDoubts,
  columns,
  unreadable,
  ...sides
}: TableEvidence): readonly string[] {
  const problems = [
    ...namedProblems("failures", FAILURES, failures, firstFailures),
    ...namedProblems("doubts", DOUBTS, doubts, firstDoubts),
  ];
  const stranger = [...firstFailures, ...firstDoubts]
    .flatMap((one) => one.columns)
    .find((name) => !columns.includes(name));
  if (stranger !== undefined) problems.push(`a key differs in ${stranger}, which is not compared`);
  if (
    firstFailures.some((one) => /^(?:values-differ|stale-in-legacy-topic)$/.test(one.reason) !== one.columns.length > 0)
  )
    problems.push("a key names columns without values that differ, or values that differ without columns");
  for (const [at, count] of unreadableOfSides(sides).entries()) {
    const side = (["table", "new topic", "legacy topic"] as const)[at];
    const explained = unreadable.filter((one) => one.side === side).reduce((sum, one) => sum + one.count, 0n);
    if (explained > count || (explained === 0n) !== (count === 0n))
      problems.push(`${count} of the ${side} could not be read, but reasons are given for ${explained}`);
  }
  if ((sides.legacyRecords?.withoutKey ?? 0n) > (sides.legacyRecords?.unreadable ?? 0n))
    problems.push("more legacy records are without a key than could not be read");
  return problems;
}

function namedProblems<Reason extends string>(
  what: string,
  reasons: readonly Reason[],
  counts: { readonly [reason in Reason]?: bigint | undefined },
  named: readonly { readonly reason: Reason }[],
): readonly string[] {
  const total = reasons.reduce((sum, reason) => sum + (counts[reason] ?? 0n), 0n);
  const expected = total < BigInt(NAMED_KEYS) ? total : BigInt(NAMED_KEYS);
  const problems: string[] = [];
  if (BigInt(named.length) !== expected) problems.push(`${named.length} ${what} are named, of ${total}`);
  for (const reason of reasons) {
    const all = counts[reason] ?? 0n;
    const count = BigInt(named.filter((one) => one.reason === reason).length);
    if (count > all || (total <= BigInt(NAMED_KEYS) && count < all))
      problems.push(`${count} named ${what} are ${reason}, of ${all}`);
  }
  return problems;
}
