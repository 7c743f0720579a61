import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { redactor } from "../../redaction/redactor.ts";
import { isObject, parseJson } from "../../values/json.ts";
import { unredacted } from "../testing/unredacted.ts";
import {
  decodeSignalAck,
  decodeSnapshotEnd,
  encodeSignal,
  encodeStop,
  isAccepted,
  signalId,
  signalIdOf,
} from "./signal.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);

const signal = suite("a snapshot signal");

signal("has the connector's name as its key and plain JSON as its value, byte by byte", () => {
  const { key, value } = encodeSignal({ id: "srcdb-cdc-admin-1", tables: ["ORCLPDB1.SALES.ORDERS"] }, "orders-cdc");
  assert.is(text(key), "orders-cdc");
  assert.is(text(value), '{"id":"srcdb-cdc-admin-1","type":"snapshot","data":{"tables":["ORCLPDB1.SALES.ORDERS"]}}');
});

signal("that stops the running snapshot names no tables; each goes to partition 0", () => {
  const stop = encodeStop("srcdb-cdc-admin-2", "orders-cdc");
  assert.is(text(stop.value), '{"id":"srcdb-cdc-admin-2","type":"snapshot-stop"}');
  assert.equal(
    [text(stop.key), stop.partition, encodeSignal({ id: "a", tables: [] }, "o").partition],
    ["orders-cdc", 0, 0],
  );
});

signal("is accepted only where the snapshot of every table has started", () => {
  const answered = (outcome: string, message: string) => isAccepted({ id: "a", outcome, message });
  assert.ok(answered("ok", "") && answered("ok", "snapshot begun"));
  assert.not(answered("ok", "not captured, skipped: [A.B]") || answered("rejected", "") || answered("later", ""));
});

signal("has an end of each table and of all, with the reason of a table that was skipped", () => {
  const end = (details: object, type = "snapshot-complete") =>
    decodeSnapshotEnd(bytes(JSON.stringify({ schema: {}, payload: { type, details } })), (said) =>
      said.replace("pw", "*"),
    );
  assert.equal(end({ table: "*" }), { table: "*", skipped: "", stopped: false });
  assert.equal(end({ table: "*", stopped: "true" }), { table: "*", skipped: "", stopped: true });
  assert.equal(end({ table: "A.B", skipped: "pw wrong" }), { table: "A.B", skipped: "* wrong", stopped: false });
  for (const other of [
    end({}),
    end({ table: 1 }),
    end({ table: "*" }, "snapshot-chunk-done"),
    decodeSnapshotEnd(null, String),
  ])
    assert.is(other, undefined);
});

signal("distinguishes names of any kind, and is recognized by its id", async () => {
  await fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.array(fc.string({ unit: "grapheme" })),
      fc.string({ unit: "grapheme" }),
      (id, tables, connector) => {
        const { key, value } = encodeSignal({ id, tables }, connector);
        assert.is(text(key), connector);
        assert.is(signalIdOf(value), id);
        const parsed = parseJson(text(value));
        assert.equal(isObject(parsed) && isObject(parsed["data"]) ? parsed["data"]["tables"] : undefined, tables);
      },
    ),
  );
});

signal("has a random UUID of version 4 as its id, whatever the random bytes", async () => {
  const form = /^srcdb-cdc-admin-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  await fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 32, maxLength: 32 }), (chances) => {
      let at = 0;
      assert.match(
        signalId(() => chances[at++ % chances.length] ?? 0),
        form,
      );
    }),
  );
});

signal("no two ids are the same", () => {
  assert.is(new Set(Array.from({ length: 1000 }, () => signalId(Math.random))).size, 1000);
});

for (const [name, value] of [
  ["a tombstone", null],
  ["no JSON", bytes("snapshot")],
  ["no UTF-8", new Uint8Array([0xff, 0xfe])],
  ["a list", bytes('["srcdb-cdc-admin-1"]')],
  ["an id that is not a text", bytes('{"id":1}')],
  ["endless brackets", bytes("[".repeat(100_000))],
] as const)
  signal(`another record is not a signal: ${name}`, () => assert.is(signalIdOf(value), undefined));

signal.run();

const ack = suite("the connector's answer to a signal");

const DETAILS = '{"id":"srcdb-cdc-admin-1","type":"snapshot","outcome":"rejected","message":"no table \\u001b[2J"}';
const ENVELOPE = '"v":1,"type":"signal-ack","ts_ms":1795252202000,"server":"orders","resume_scn":null';
const EVENT = `{${ENVELOPE},"details":${DETAILS}}`;

ack("is read with and without the schema envelope", () => {
  const expected = { id: "srcdb-cdc-admin-1", outcome: "rejected", message: "no table \u001b[2J" };
  assert.equal(decodeSignalAck(bytes(EVENT), unredacted), expected);
  assert.equal(decodeSignalAck(bytes(`{"schema":{"type":"struct"},"payload":${EVENT}}`), unredacted), expected);
  assert.equal(decodeSignalAck(bytes(`{"schema":null,"payload":${EVENT}}`), unredacted), expected);
});

ack("secrets that the connector repeats are hidden", () => {
  const secrets = redactor();
  secrets.add({ "cdc.database.password": "hunter2" });
  const json =
    '{"type":"signal-ack","details":{"id":"hunter2","outcome":"hunter2","message":"CDC-2002 no login as hunter2"}}';
  const read = decodeSignalAck(bytes(json), secrets.redact);
  assert.not.match(`${read?.outcome} ${read?.message}`, "hunter2");
  assert.match(read?.message ?? "", /^CDC-2002: .* is redacted/);
  // A run knows its own signal by its id.
  assert.is(read?.id, "hunter2");
});

ack("an outcome of a later version is kept, and a missing message is empty", () => {
  assert.equal(decodeSignalAck(bytes('{"type":"signal-ack","details":{"id":"a","outcome":"queued"}}'), unredacted), {
    id: "a",
    outcome: "queued",
    message: "",
  });
});

for (const [name, value] of [
  ["a tombstone", null],
  ["no JSON", bytes("signal-ack")],
  ["no UTF-8", new Uint8Array([0xc3, 0x28])],
  ["an Avro record", new Uint8Array([0, 0, 0, 0, 1, 12, 34])],
  ["an offset change", bytes('{"type":"offsets-set","details":{"id":"a","outcome":"applied"}}')],
  ["no details", bytes('{"type":"signal-ack"}')],
  ["details that are a list", bytes('{"type":"signal-ack","details":["a","ok"]}')],
  ["no id", bytes('{"type":"signal-ack","details":{"outcome":"ok"}}')],
  ["an id that is not a text", bytes('{"type":"signal-ack","details":{"id":{},"outcome":"ok"}}')],
  ["no outcome", bytes('{"type":"signal-ack","details":{"id":"a"}}')],
  ["an envelope around nothing", bytes('{"schema":{},"payload":null}')],
  ["endless brackets", bytes('{"a":'.repeat(100_000))],
] as const)
  ack(`another record is not an answer: ${name}`, () => assert.is(decodeSignalAck(value, unredacted), undefined));

ack("no bytes cause a failure", async () => {
  await fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(bytes)), (value) => {
      decodeSignalAck(value, unredacted);
      signalIdOf(value);
    }),
  );
});

ack.run();
