import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { KafkaRecord } from "../ports.ts";
import { journaledTransactions } from "./journal-headers.ts";

const journal = suite("the transactions of the journal");

interface Chunk {
  readonly server?: string;
  readonly con_id?: number;
  readonly xid?: string;
  readonly chunk?: number;
  readonly generation?: number;
}

const bytes = (value: unknown) => new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

function record(key: Chunk | string | null, value: unknown): KafkaRecord {
  const id = { server: "orders", con_id: 3, xid: "4.9.771", chunk: 0, generation: 17 };
  return {
    partition: 0,
    offset: 0n,
    timestamp: 0n,
    key: key === null ? null : bytes(typeof key === "string" ? key : { ...id, ...key }),
    value: value === null ? null : bytes(value),
    headers: {},
  };
}

const chunk = (first_scn: number) => ({ v: 1, first_scn, username: "APP", client_id: null });
const of = (...records: readonly KafkaRecord[]) => journaledTransactions(records, "orders");

journal("is one for each transaction, with its lowest first SCN", () => {
  const { transactions, unreadable } = of(
    record({ chunk: 0 }, chunk(500)),
    record({ chunk: 1 }, chunk(400)),
    record({ con_id: 4 }, chunk(300)),
  );
  assert.is(unreadable, 0);
  assert.equal(transactions, [
    { xid: "4.9.771", container: 3n, firstScn: 400n, user: "APP", clientId: undefined },
    { xid: "4.9.771", container: 4n, firstScn: 300n, user: "APP", clientId: undefined },
  ]);
});

journal("the last record of a key wins, and a tombstone removes it", () => {
  assert.is(of(record({}, chunk(500)), record({}, chunk(600))).transactions[0]?.firstScn, 600n);
  assert.equal(of(record({}, chunk(500)), record({}, null)), { transactions: [], unreadable: 0 });
  assert.equal(of(record({}, "garbage"), record({}, null)), { transactions: [], unreadable: 0 });
});

journal("records of other connectors are none of ours, readable or not", () => {
  assert.equal(of(record({ server: "other" }, chunk(5)), record({ server: "other" }, "garbage")), {
    transactions: [],
    unreadable: 0,
  });
});

journal("reads the schema envelope as well", () => {
  const key = JSON.stringify({
    schema: {},
    payload: { server: "orders", con_id: 1, xid: "1.2.3", chunk: 0, generation: 1 },
  });
  assert.is(of(record(key, { schema: {}, payload: chunk(7) })).transactions[0]?.xid, "1.2.3");
});

journal("an SCN beyond 2^53 is exact", () => {
  assert.is(of(record({}, '{"first_scn":9007199254740993}')).transactions[0]?.firstScn, 9007199254740993n);
});

for (const [name, one] of [
  ["a value that is no JSON", record({}, "garbage")],
  ["a value without its first SCN", record({}, { v: 1 })],
  ["a key that is no JSON, as another converter writes it", record("\u0000\u0001", chunk(5))],
  ["a key without a transaction", record({ xid: "" }, "[]")],
] as const)
  journal(`${name} is counted as unreadable, never left out in silence`, () => {
    assert.is(of(one).unreadable, 1);
  });

journal.run();
