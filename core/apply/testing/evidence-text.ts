import { verifyTable } from "../../verification/engine/verify-table.ts";
import { evidenceOf, NAMED_KEYS, printEvidence } from "../../verification/evidence/evidence.ts";
import type { TableChecked } from "../../verification/evidence/table-evidence.ts";
import { memorySpool } from "../../verification/testing/memory-spool.ts";
import { inputsOf, type Row, type Scene } from "../../verification/testing/scene.ts";
import { work } from "../../verification/testing/work.ts";
import { CONNECTOR } from "./story.ts";

const ROW: Row = [1, "A"];
const PASSING: Scene = { rows: [ROW], records: [{ op: "c", row: ROW }] };

/** The SCN that it is as of: after all that the legacy connector has delivered. */
const AS_OF = 2_051_000n;

/**
 * The evidence of a verification of these tables: each has one row, which the new topic holds.
 *
 * @param legacyTopics of tables, where one was read
 * @param scenes of tables that hold something else
 */
export async function evidenceText(
  tables: readonly string[],
  legacyTopics: Readonly<Record<string, string>>,
  scenes: Readonly<Record<string, Scene>> = {},
): Promise<{ readonly text: string; readonly digest: string }> {
  const checked: TableChecked[] = [];
  for (const table of tables) {
    const inputs = inputsOf(scenes[table] ?? PASSING);
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
    const topics = { newTopic: `orders.${table}`, legacyTopic: legacyTopics[table] };
    checked.push({ table, ...topics, shape: inputs.shape, leftOut: [], remarks: [], found });
  }
  const evidence = evidenceOf({
    writtenAt: "2026-11-21T09:15:40Z",
    cdcctl: "test",
    inputs: { connector: CONNECTOR, tables: [...tables] },
    checkScn: AS_OF,
    resumeScn: AS_OF + 1n,
    tables: checked,
    values: false,
  });
  return { text: printEvidence(evidence), digest: evidence.digest };
}
