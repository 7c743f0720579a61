import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { JournaledTransaction } from "../../schemas/generated/facts.ts";
import { CallFailed } from "../errors.ts";
import type { JsonObject } from "../values/json.ts";
import { pulledBackBy } from "./held-back.ts";

const cause = suite("the cause of a move that does not stand");

const offset = (scn: bigint, generation: bigint): JsonObject => ({
  v: 1n,
  dbid: 2914731004n,
  resetlogs_scn: 1n,
  resume_scn: scn,
  journal_generation: generation,
});
const FORWARD = { previous: offset(2020000n, 7n), planned: offset(2035000n, 7n), scn: 2035000n, direction: "forward" };
const chunk = (firstScn: bigint, lastScn: bigint, generation = 7n) => ({ generation, firstScn, lastScn });
const journaled = (...chunks: readonly ReturnType<typeof chunk>[]): JournaledTransaction => ({
  xid: "8.14.2207",
  container: 3n,
  firstScn: chunks[0]?.firstScn ?? 0n,
  user: "APP",
  clientId: undefined,
  chunks,
});
const LOAD = journaled(chunk(2021000n, 2025000n), chunk(2025001n, 2031120n));

async function causeOf(stored: JsonObject | null, change = FORWARD, held: readonly JournaledTransaction[] = [LOAD]) {
  let reads = 0;
  const by = await pulledBackBy(stored, change, async () => {
    reads++;
    return { known: true, value: held, source: "journal", at: "2026-11-21T00:00:00Z" as never };
  });
  return { by, reads };
}

cause("is the journaled transaction whose last record the task has stored as its resume point", async () => {
  const { by } = await causeOf(offset(2031120n, 8n));
  assert.match(by ?? "", /^the journaled transaction 3:8\.14\.2207 \(APP\) has pulled it back to 2031120, its last/);
  assert.match(by ?? "", "spec.removeJournaledTransactions: true");
});

cause("is not a transaction whose records are elsewhere, gone, or of a later life than that task's", async () => {
  const stored = offset(2031120n, 8n);
  for (const held of [[], [journaled(chunk(2021000n, 2031119n))], [journaled(chunk(2021000n, 2031120n, 9n))]])
    assert.equal(await causeOf(stored, FORWARD, held), { by: undefined, reads: 1 });
});

cause("is not looked for where no task that started after a forward move stands below its target", async () => {
  for (const [stored, change] of [
    [null, FORWARD],
    [offset(2031120n, 7n), FORWARD],
    [offset(2035000n, 8n), FORWARD],
    [offset(2031120n, 8n), { ...FORWARD, direction: "backward" }],
  ] as const)
    assert.equal(await causeOf(stored, change), { by: undefined, reads: 0 });
});

cause("stays unknown where the journal can't be read", async () => {
  const unread = async () => ({ known: false, why: "forbidden", source: "journal" }) as const;
  assert.is(await pulledBackBy(offset(2031120n, 8n), FORWARD, unread), undefined);
  const refused = () => Promise.reject(new CallFailed("kafka", "unauthorized", { message: "no" }));
  assert.is(await pulledBackBy(offset(2031120n, 8n), FORWARD, refused), undefined);
});

cause.run();
