import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { opsEvent } from "../../kinds/offset-change/testing/build-facts.ts";
import { redactor } from "../../redaction/redactor.ts";
import { instantOf } from "../../values/instant.ts";
import { isObject, parseJson } from "../../values/json.ts";
import { processorMillis } from "../../values/testing/processor-time.ts";
import { unredacted } from "../testing/unredacted.ts";
import {
  carriedOffset,
  decodeOffsetsSet,
  decodeStop,
  encodeOpsEvent,
  listDetail,
  namesOfDetail,
  type OffsetsSetEvent,
  opsFormat,
  recordedChanges,
  scnDetail,
} from "./ops-event.ts";

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const bytes = (value: string) => new TextEncoder().encode(value);

const form = suite("the form of an ops event");

const JSON_CONVERTER = "org.apache.kafka.connect.json.JsonConverter";
const forms: readonly (readonly [string | undefined, string | undefined, string | undefined])[] = [
  [undefined, undefined, "json"],
  [undefined, "true", "json"],
  [JSON_CONVERTER, undefined, "json_schemas"],
  [JSON_CONVERTER, "true", "json_schemas"],
  [JSON_CONVERTER, "false", "json"],
  [JSON_CONVERTER, " FALSE ", "json"],
  [` ${JSON_CONVERTER} `, "false", "json"],
  ["io.confluent.connect.avro.AvroConverter", undefined, undefined],
  ["io.confluent.connect.json.JsonSchemaConverter", "false", undefined],
];
for (const [valueConverter, valueConverterSchemas, expected] of forms)
  form(
    `${valueConverter ?? "no converter"}, schemas.enable ${valueConverterSchemas ?? "not set"}: ` +
      `${expected ?? "has to be said"}`,
    () => {
      const converter = { valueConverter, valueConverterSchemas };
      assert.is(opsFormat(undefined, converter), expected);
      assert.is(opsFormat("json", converter), "json");
      assert.is(opsFormat("json_schemas", converter), "json_schemas");
    },
  );

form.run();

const record = suite("the record of an ops event");

const golden: OffsetsSetEvent = opsEvent({
  direction: "initial",
  previous_resume_scn: scnDetail(undefined),
  new_resume_scn: scnDetail(9007199254740993n),
  outcome: "failed",
  error: 'HTTP 500: "no"',
  run: "2026-11-21T09-15-40Z-7f3a",
});
const PAYLOAD =
  '{"v":1,"type":"offsets-set","ts_ms":1795252202000,"server":"orders","resume_scn":9007199254740993,"details":{' +
  '"connector":"orders-cdc","command":"offsets set","reason":"replay","operator":"ana","direction":"initial",' +
  '"previous_resume_scn":"none","new_resume_scn":"9007199254740993","outcome":"failed",' +
  '"error":"HTTP 500: \\"no\\"","run":"2026-11-21T09-15-40Z-7f3a"}}';

record("plain JSON, byte by byte", () => {
  const { key, value } = encodeOpsEvent(golden, "json");
  assert.is(text(key), '{"server":"orders"}');
  assert.is(text(value), PAYLOAD);
});

record("JSON with schemas: the Connect envelope for key and value alike, byte by byte", () => {
  const { key, value } = encodeOpsEvent(golden, "json_schemas");
  assert.is(
    text(key),
    '{"schema":{"type":"struct","name":"io.oso.cdc.ops.Key","optional":false,"fields":[{"field":"server",' +
      '"type":"string","optional":false}]},' +
      '"payload":{"server":"orders"}}',
  );
  assert.is(
    text(value),
    '{"schema":{"type":"struct","name":"io.oso.cdc.ops.Event","version":1,"optional":false,"fields":[' +
      '{"field":"v","type":"int32","optional":false},{"field":"type","type":"string","optional":false},' +
      '{"field":"ts_ms","type":"int64","optional":false},{"field":"server","type":"string","optional":false},' +
      '{"field":"resume_scn","type":"int64","optional":true},{"field":"details","type":"map","optional":true,' +
      `"keys":{"type":"string","optional":false},"values":{"type":"string","optional":false}}]},"payload":${PAYLOAD}}`,
  );
});

const anyText = fc.string({ unit: "grapheme" });
const anyEvent: fc.Arbitrary<OffsetsSetEvent> = fc
  .record({
    at: fc.integer({ min: 0, max: 4_000_000_000_000 }).map(instantOf),
    server: anyText,
    required: fc.record({
      connector: anyText,
      command: anyText,
      reason: anyText,
      operator: anyText,
      direction: anyText,
      previous_resume_scn: anyText,
      new_resume_scn: fc.oneof(anyText, fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String)),
      outcome: fc.constantFrom("applying" as const, "applied" as const, "failed" as const),
    }),
    more: fc.record(
      {
        forgotten_released: anyText,
        error: anyText,
        run: fc
          .integer({ min: 0, max: 0xffff })
          .map((tail) => `2026-11-21T09-15-40Z-${tail.toString(16).padStart(4, "0")}`),
        decision: anyText,
        previous_offset: anyText,
        new_offset: anyText,
        gap: anyText,
        tables: anyText,
        signal_id: anyText,
        unlisted_tables: anyText,
        evidence: anyText,
        intent: anyText,
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
  })
  .map(({ at, server, required, more }) => ({ at, server, details: { ...required, ...more } }));

record("is read back as it was written, in both forms, and every detail is a text", async () => {
  await fc.assert(
    fc.property(anyEvent, fc.constantFrom("json" as const, "json_schemas" as const), (event, as) => {
      const { value } = encodeOpsEvent(event, as);
      assert.equal(decodeOffsetsSet(value, unredacted), event);
      const parsed = parseJson(text(value));
      const payload = isObject(parsed) && as === "json_schemas" ? parsed["payload"] : parsed;
      assert.ok(isObject(payload) && isObject(payload["details"]));
      for (const detail of Object.values(payload["details"])) assert.type(detail, "string");
    }),
  );
});

record("its sentences contain no secrets, and the members that recovery uses are unchanged", () => {
  const secrets = redactor();
  secrets.add({ "cdc.database.password": "hunter2" });
  const event = opsEvent();
  const details = {
    ...event.details,
    reason: "hunter2",
    operator: "hunter2",
    error: "hunter2",
    gap: "hunter2",
    previous_offset: '{"hunter2":1}',
  };
  const read = decodeOffsetsSet(encodeOpsEvent({ ...event, details: details }, "json").value, secrets.redact)?.details;
  assert.ok(read);
  const { previous_offset, ...others } = read;
  assert.not.match(JSON.stringify(others), "hunter2");
  assert.is(previous_offset, details.previous_offset);
});

record("a detail that does not apply is omitted", () => {
  assert.not.match(text(encodeOpsEvent(opsEvent(), "json").value), /error|forgotten_released|null|undefined/);
});

const foreign: readonly (readonly [string, Uint8Array | null])[] = [
  ["a tombstone", null],
  ["no JSON", bytes("offsets-set")],
  ["no UTF-8", new Uint8Array([0xff, 0xfe, 0x00])],
  ["an Avro record", new Uint8Array([0, 0, 0, 0, 1, 12, 34])],
  ["a signal's answer", bytes('{"v":1,"type":"signal-ack","details":{"id":"a","outcome":"ok"}}')],
  ["an event without details", bytes('{"v":1,"type":"offsets-set"}')],
  ["an event without a connector", bytes('{"type":"offsets-set","details":{"outcome":"applied"}}')],
  ["an invalid outcome", bytes('{"type":"offsets-set","details":{"connector":"a","outcome":"done"}}')],
  ["endless brackets", bytes("[".repeat(100_000))],
];
for (const [name, value] of foreign)
  record(`another record is not an offset change: ${name}`, () =>
    assert.is(decodeOffsetsSet(value, unredacted), undefined),
  );

record("an event of a tool that writes numbers and nulls is read as far as possible", () => {
  const event = decodeOffsetsSet(
    bytes(
      '{"type":"offsets-set","ts_ms":1e99,"details":{"connector":"a","outcome":"applied","new_resume_scn":5,' +
        '"error":null,"tables":["X"]}}',
    ),
    unredacted,
  );
  assert.is(event?.details.new_resume_scn, "5");
  assert.is(event?.details.previous_resume_scn, "none");
  assert.is(event?.details.error, undefined);
});

record("an event beyond the years of four digits has the epoch as its time, since its own cannot be written", () => {
  const event = decodeOffsetsSet(
    bytes('{"type":"offsets-set","ts_ms":8640000000000000,"details":{"connector":"a","outcome":"applied"}}'),
    unredacted,
  );
  assert.is(event?.at, "1970-01-01T00:00:00Z");
});

record("contains the offset before and after; null means that there was none", () => {
  assert.equal(carriedOffset('{"resume_scn":9007199254740993}'), { resume_scn: 9007199254740993n });
  assert.is(carriedOffset("null"), null);
  for (const one of [undefined, "", "5", "[]", "{"]) assert.is(carriedOffset(one), undefined);
});

record.run();

const lists = suite("a list in a detail of an event");

const written: readonly (readonly [readonly string[], string])[] = [
  [[], ""],
  [["ORCLPDB1.SALES.ORDERS"], "ORCLPDB1.SALES.ORDERS"],
  [["ORCLPDB1.SALES.ORDERS", "ORCLPDB1.SALES.LINES"], "ORCLPDB1.SALES.ORDERS,ORCLPDB1.SALES.LINES"],
  [["SALES.A,B", "SALES.C"], '"SALES.A,B",SALES.C'],
  [["SALES.A B", "SALES.$#"], "SALES.A B,SALES.$#"],
  [['a"b', ""], '"a""b",""'],
];
for (const [names, detail] of written)
  lists(`${JSON.stringify(names)} is written ${detail}`, () => {
    assert.is(listDetail(names), detail);
    assert.equal(namesOfDetail(detail), names);
  });

lists("is read back as it was written, whatever the names contain", async () => {
  const anyName = fc.oneof(fc.string({ unit: "grapheme" }), fc.string({ unit: fc.constantFrom(",", '"', "A", " ") }));
  await fc.assert(fc.property(fc.array(anyName), (names) => assert.equal(namesOfDetail(listDetail(names)), names)));
});

lists("of another tool is read as far as possible", () => {
  assert.equal(namesOfDetail(undefined), []);
  assert.equal(namesOfDetail('A,"B'), ["A", '"B']);
  assert.equal(namesOfDetail('"A"B,C'), ['"A"B', "C"]);
  assert.equal(namesOfDetail("A,,B,"), ["A", "", "B", ""]);
});

lists("of any length is read in one pass", () => {
  for (const hostile of ['"'.repeat(1_000_000), '"a,'.repeat(300_000), '""a,'.repeat(300_000)]) {
    const began = processorMillis();
    namesOfDetail(hostile);
    assert.ok(processorMillis() - began < 5000);
  }
});

lists.run();

const changes = suite("the changes in an ops topic");

const outcomesOf = (...events: readonly OffsetsSetEvent[]) =>
  recordedChanges(events, "orders-cdc").map(({ event, outcome }) => [
    event.details.run ?? event.details.new_resume_scn,
    outcome,
  ]);

changes("an `applying` and what follows it are one change", () => {
  assert.equal(outcomesOf(opsEvent({ run: "a" }), opsEvent({ run: "a", outcome: "applied" })), [["a", "applied"]]);
  assert.equal(outcomesOf(opsEvent({ run: "a" }), opsEvent({ run: "a", outcome: "failed" })), [["a", "failed"]]);
});

changes("overlapping runs are distinguished", () => {
  const events = [opsEvent({ run: "a" }), opsEvent({ run: "b" }), opsEvent({ run: "a", outcome: "applied" })];
  assert.equal(outcomesOf(...events), [
    ["a", "applied"],
    ["b", "applying"],
  ]);
});

changes("a copy of an event, written again after a lost acknowledgement, changes nothing", () => {
  const events = [opsEvent({ run: "a" }), opsEvent({ run: "a" }), opsEvent({ run: "a", outcome: "applied" })];
  assert.equal(outcomesOf(...events, events[2] ?? opsEvent()), [["a", "applied"]]);
  assert.equal(
    outcomesOf(events[2] ?? opsEvent(), events[0] ?? opsEvent()),
    [["a", "applied"]],
    "and neither does a late one",
  );
});

changes("an outcome of a different kind than the run's own ends no change", () => {
  const decision = "sha256:1";
  for (const details of [
    { run: "b", decision },
    { run: "a" },
    { run: "a", decision: "sha256:2" },
    { run: "a", decision, operator: "mallory" },
    { run: "a", decision, operator: "mallory", taken_over: "ben" },
  ]) {
    const [first] = outcomesOf(opsEvent({ run: "a", decision }), opsEvent({ ...details, outcome: "failed" }));
    assert.equal(first, ["a", "applying"], JSON.stringify(details));
  }
  const settled = opsEvent({ run: "a", decision, operator: "ben", taken_over: "ben", outcome: "failed" });
  assert.equal(outcomesOf(opsEvent({ run: "a", decision }), settled), [["a", "failed"]]);
});

changes("an applied change is never recorded as failed afterwards", () => {
  const [begun, applied, failed] = (["applying", "applied", "failed"] as const).map((outcome) =>
    opsEvent({ run: "a", outcome }),
  );
  assert.ok(begun && applied && failed);
  assert.equal(outcomesOf(begun, applied, failed), [["a", "applied"]]);
  assert.equal(outcomesOf(begun, failed, applied), [["a", "applied"]]);
});

changes("without a run, an outcome belongs to the latest `applying` of the same command and SCN", () => {
  const events = [opsEvent(), opsEvent({ new_resume_scn: "7" }), opsEvent({ new_resume_scn: "7", outcome: "applied" })];
  assert.equal(outcomesOf(...events), [
    ["2169287", "applying"],
    ["7", "applied"],
  ]);
});

changes("an outcome whose beginning was not read still counts as a change", () => {
  const [change] = recordedChanges([opsEvent({ run: "a", outcome: "applied" })], "orders-cdc");
  assert.is(change?.outcome, "applied");
  assert.is(change?.latest.at, "2026-11-21T09:10:02Z");
});

changes("other connectors' events are ignored", () => {
  assert.equal(outcomesOf(opsEvent({ connector: "other" })), []);
});

changes("every run is listed once, as applied or with its last outcome, however the events interleave", async () => {
  const runs = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d"), { minLength: 1 });
  await fc.assert(
    fc.property(runs, fc.array(fc.nat(3), { maxLength: 12 }), (names, picks) => {
      const events: OffsetsSetEvent[] = names.map((run) => opsEvent({ run }));
      const last = new Map<string, string>(names.map((run) => [run, "applying"]));
      for (const pick of picks) {
        const run = names[pick % names.length] ?? "a";
        const outcome = pick % 2 === 0 ? "applied" : "failed";
        events.push(opsEvent({ run, outcome }));
        if (last.get(run) !== "applied") last.set(run, outcome);
      }
      assert.equal(outcomesOf(...events), [...last]);
    }),
  );
});

changes("a run id of another form is ignored", () => {
  for (const run of ["r-1", "2026-11-21T09-15-40Z-7f3a\n", "../x", "2026-11-21T09-15-40Z-7F3A"]) {
    const details = { connector: "c", outcome: "applying", run };
    const value = new TextEncoder().encode(JSON.stringify({ type: "offsets-set", ts_ms: 1, server: "s", details }));
    assert.is(decodeOffsetsSet(value, (message) => message)?.details.run, undefined, run);
  }
});

changes.run();

const stops = suite("stop events of the connector");

const stopEvent = (details: object, more: object = {}) =>
  new TextEncoder().encode(
    JSON.stringify({ v: 1, type: "stop", ts_ms: 1_795_000_000_000, server: "orders", details, ...more }),
  );
const plain = (text: string) => text;

stops("say what happened, by code, once", () => {
  const message = "[CDC-7001] COMMIT of 4.9.771. Operator action: Move back. Runbook: https://x/y";
  const details = {
    code: "CDC-7001",
    exception: "sh.oso.OrphanReleaseViolation",
    message,
    operator_action: "Move back.",
  };
  const event = { at: "2026-11-18T11:06:40Z", server: "orders", error: "CDC-7001 COMMIT of 4.9.771." };
  assert.equal(decodeStop(stopEvent(details), plain), event);
  assert.is(decodeStop(stopEvent({ ...details, message: "COMMIT of 4.9.771." }), plain)?.error, event.error);
});

stops("without a code name the exception, and no secret", () => {
  const value = stopEvent({ exception: "java.lang.IllegalState", message: "login hunter2" });
  assert.is(
    decodeStop(value, (text) => text.replace("hunter2", "********"))?.error,
    "java.lang.IllegalState: login ********",
  );
  assert.is(decodeStop(stopEvent({ code: 7, message: "odd" }), plain)?.error, "odd");
});

stops("are no other record", () => {
  for (const value of [
    null,
    new Uint8Array([0xff]),
    stopEvent({}, { type: "startup" }),
    stopEvent({}, { details: null }),
  ])
    assert.is(decodeStop(value, plain), undefined);
  assert.is(decodeOffsetsSet(stopEvent({ connector: "c", outcome: "applied" }), plain), undefined);
});

stops.run();
