import { verifyTable } from "../../verification/engine/verify-table.ts";
import { evidenceOf, NAMED_KEYS, printEvidence } from "../../verification/evidence/evidence.ts";
import { memorySpool } from "../../verification/testing/memory-spool.ts";
import { inputsOf, type Row } from "../../verification/testing/scene.ts";
import { work } from "../../verification/testing/work.ts";
import { CONNECTOR } from "./story.ts";

const ROW: Row = [1, "A"];

/** The SCN that it is as of: after all that the legacy connector has delivered. */
const AS_OF = 2_051_000n;

/**
 * The evidence of a verification of these tables: each has one row, which the new topic holds.
 *
 * @param legacyTopics of tables, where one was read
 */
export async function evidenceText(
  tables: readonly string[],
  legacyTopics: Readonly<Record<string, string>>,
): Promise<{ readonly text: string; readonly digest: string }> {
  const inputs = inputsOf({ rows: [ROW], records: [{ op: "c", row: ROW }] });
  const found = await verifyTable(inputs, memorySpool(), {
    work,
    clock: { elapsed: () => 0 },
    memory: 2 ** 26,
    ranges: 1,
    partitions: 1,
    first: NAMED_KEYS,
    disk: { place: "memory", free: undefined },
  });
  if (found.is === "interrupted") throw new Error("interrupted");
  const evidence = evidenceOf({
    writtenAt: "2026-11-21T09:15:40Z",
    cdcctl: "test",
    inputs: { connector: CONNECTOR, tables: [...tables] },
    checkScn: AS_OF,
    resumeScn: AS_OF + 1n,
    tables: tables.map((table) => ({
      table,
      newTopic: `orders.${table}`,
      legacyTopic: legacyTopics[table],
      shape: inputs.shape,
      leftOut: [],
      remarks: [],
      found,
    })),
    values: false,
  });
  return { text: printEvidence(evidence), digest: evidence.digest };
}
