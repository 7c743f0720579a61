import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { STORED } from "../../kinds/offset-change/testing/build-facts.ts";
import { type Json, type JsonObject, parseJson, printJson } from "../../values/json.ts";
import { MAX_SCN } from "../../values/scn.ts";
import { FIRST_START, forgottenIds, initialOffset, liftedCut, moveOffset, type OffsetMove } from "./moved-offset.ts";
import {
  canHaveStartedAt,
  decodeOffset,
  isEmptyOffset,
  ownOffset,
  type StoredOffset,
  sameOffset,
} from "./stored-offset.ts";

const offset = suite("the stored offset");

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(0n, MAX_SCN, -(2n ** 63n)),
);
const scn = fc.oneof(fc.bigInt({ min: 0n, max: MAX_SCN }), fc.constantFrom(0n, MAX_SCN));
const asText = (arbitrary: fc.Arbitrary<bigint>) =>
  fc.oneof(
    arbitrary,
    arbitrary.map((value) => value.toString()),
  );
const primitive: fc.Arbitrary<Json> = fc.oneof(
  int64,
  fc.string({ unit: "binary" }),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom("1000.0", "-0.5", "1e400").map(parseJson),
);
const xid = fc.tuple(fc.nat(9), fc.nat(99), fc.nat(99), fc.nat(9999)).map(([c, u, s, q]) => `${c}:${u}.${s}.${q}`);
const ids = fc.uniqueArray(xid, { maxLength: 4 });
const ledger: fc.Arbitrary<Json> = fc.oneof(
  ids.map((all) => all.join(",")),
  ids.map((all) => all.join(" , ")),
  ids,
  fc.constant(null),
);
const KNOWN = new Set([
  ...Object.keys(STORED),
  "last_commit_rs_id",
  "last_commit_ssn",
  "threads",
  "start_floor_scn",
  "start_open_scn",
  "start_open_xids",
]);
const unknownFields = fc.dictionary(
  fc.string().filter((name) => !KNOWN.has(name)),
  primitive.filter((value) => value !== null),
  { maxKeys: 4, noNullPrototype: true },
);
const anyStored = fc
  .tuple(
    fc.record(
      {
        v: fc.constantFrom<Json>(1n, "1"),
        resume_rs_id: fc.string(),
        resume_ssn: int64,
        threads: fc.constantFrom("", "{}", '{"1":{"resume_scn":5}}'),
        last_commit_scn: asText(scn),
        last_commit_xid: fc.oneof(xid, fc.constant(null)),
        last_commit_thread: asText(fc.bigInt({ min: 1n, max: 16n })),
        last_commit_rs_id: fc.string(),
        last_commit_ssn: int64,
        event_index: asText(scn),
        schema_epoch: asText(scn),
        signal_offset: asText(scn),
        journal_generation: asText(int64),
        dbid: asText(int64),
        resetlogs_scn: asText(scn),
        released_xids: ledger,
        snapshot: fc.constantFrom<Json>(null, '{"v":1,"complete":true,"tables":{}}', '{"v":1,"scope":["A.B"]}'),
        start_floor_scn: asText(scn),
        start_open_scn: asText(scn),
        start_open_xids: ids.map((all) => all.join(",")),
      },
      { requiredKeys: ["v"], noNullPrototype: true },
    ),
    asText(scn),
    unknownFields,
  )
  .map(([fields, resume, more]): JsonObject => ({ ...more, ...fields, resume_scn: resume }) as JsonObject);
const anyMove: fc.Arbitrary<OffsetMove> = fc.record({
  scn,
  forget: fc.oneof(fc.constantFrom("none" as const, "all" as const), ids),
});

function read(raw: JsonObject): StoredOffset {
  const decoded = decodeOffset(raw);
  if (!decoded.ok) throw new Error(`not read: ${JSON.stringify(decoded.reason)}`);
  return decoded.offset;
}

/** A value with its type: `1` and `"1"` are two things, and so are `1000` and `1000.0`. */
const exact = (value: Json | undefined) => (value === undefined ? "absent" : printJson(value, 0));

offset(
  "a move changes the resume SCN, drops what belongs to the old position, and keeps every other field",
  async () => {
    await fc.assert(
      fc.property(anyStored, anyMove, (raw, move) => {
        const stored = read(raw);
        const after = moveOffset(stored, move);
        const lifts = liftedCut(stored, move) === undefined ? [] : FIRST_START;
        const gone = ["resume_rs_id", "resume_ssn", "threads", ...lifts];
        for (const name of gone) assert.not(Object.hasOwn(after, name), name);
        for (const name of Object.keys(raw)) {
          if (gone.includes(name) || name === "resume_scn" || name === "released_xids") continue;
          assert.is(exact(after[name]), exact(raw[name]), name);
        }
        assert.is(exact(after["resume_scn"]), typeof raw["resume_scn"] === "string" ? `"${move.scn}"` : `${move.scn}`);
        assert.is(Object.keys(after).filter((name) => !Object.hasOwn(raw, name) && name !== "released_xids").length, 0);
      }),
    );
  },
);

offset("a move keeps in the ledger exactly the ids that are not forgotten, as text or null", async () => {
  await fc.assert(
    fc.property(anyStored, anyMove, (raw, move) => {
      const before = read(raw);
      const after = moveOffset(before, move);
      const forgotten = forgottenIds(before.released, move.forget);
      assert.equal(
        read(after).released,
        before.released.filter((id) => !forgotten.includes(id)),
      );
      const written = after["released_xids"];
      assert.ok(written === undefined || written === null || typeof written === "string");
      if (forgotten.length === 0 && !Array.isArray(raw["released_xids"])) assert.is(written, raw["released_xids"]);
    }),
  );
});

offset("a moved offset can be read and moved back, and moving twice gives the same result as once", async () => {
  await fc.assert(
    fc.property(anyStored, anyMove, (raw, move) => {
      const once = moveOffset(read(raw), move);
      assert.is(read(once).resumeScn, move.scn);
      assert.ok(sameOffset(moveOffset(read(once), move), once));
    }),
  );
});

offset("a move to the same SCN does nothing only if nothing else would change", () => {
  const bare = { v: 1n, resume_scn: 5n, last_commit_scn: 4n, released_xids: null };
  const stay = (raw: JsonObject) => sameOffset(raw, moveOffset(read(raw), { scn: 5n, forget: "none" }));
  assert.ok(stay(bare));
  assert.ok(stay({ ...bare, resume_scn: "5" }));
  assert.ok(stay({ ...bare, released_xids: " a , b" }), "a ledger that is not shortened stays as it was written");
  assert.not(stay({ ...bare, resume_rs_id: "0x00002a.00000f1c.0010" }));
  assert.not(stay({ ...bare, resume_ssn: null }));
  assert.not(stay({ ...bare, threads: "{}" }));
  assert.not(stay({ ...bare, released_xids: [] }), "Connect stores no list");
});

const ledgers: readonly (readonly [string, Json, readonly string[]])[] = [
  ["text", "1:4.9.771,1:5.2.802", ["1:4.9.771", "1:5.2.802"]],
  ["text with blanks", " 1:4.9.771 , 1:5.2.802,", ["1:4.9.771", "1:5.2.802"]],
  ["empty text", "", []],
  ["null", null, []],
  ["a list, as older writers had it", ["1:4.9.771", "1:5.2.802"], ["1:4.9.771", "1:5.2.802"]],
];
for (const [form, value, expected] of ledgers)
  offset(`reads a ledger that is ${form}`, () => {
    assert.equal(read({ ...STORED, released_xids: value }).released, expected);
  });

offset("a ledger with ids removed is comma-joined text, and null when nothing is left", () => {
  const move = (forget: OffsetMove["forget"], released_xids: Json) =>
    moveOffset(read({ ...STORED, released_xids }), { scn: 1n, forget })["released_xids"];
  assert.is(move(["1:4.9.771"], "1:4.9.771, 1:5.2.802 ,1:6.1.1"), "1:5.2.802,1:6.1.1");
  assert.is(move("none", ["1:4.9.771", "1:5.2.802"]), "1:4.9.771,1:5.2.802");
  assert.is(move("all", "1:4.9.771"), null);
  assert.is(move("none", []), null);
  assert.is(move("all", ""), "");
  assert.is(move(["9:9.9.9"], "1:4.9.771"), "1:4.9.771");
});

offset("decodes every item that `offsets show` names", () => {
  const decoded = read({ ...STORED, last_commit_rs_id: "0x00002a.00000f1b.0100", last_commit_ssn: 2n });
  assert.is(decoded.resumeScn, 2204511n);
  assert.equal(decoded.redoAddress, { rsId: "0x00002a.00000f1c.0010", ssn: 3n });
  assert.equal(decoded.lastCommit, {
    scn: 2204498n,
    xid: "1:7.22.1180",
    thread: 1n,
    redoAddress: { rsId: "0x00002a.00000f1b.0100", ssn: 2n },
    eventIndex: 14n,
  });
  assert.is(decoded.journalGeneration, 17n);
  assert.is(decoded.schemaEpoch, 0n);
  assert.equal([decoded.dbid, decoded.resetlogsScn], [2914731n, 1n]);
  assert.equal(decoded.snapshot, {
    readable: true,
    complete: true,
    tablesDone: 0n,
    tables: 0n,
    scope: undefined,
    done: [],
  });
});

offset("names the tables of a snapshot, those that are pending, and the last signal", () => {
  const snapshot = '{"v":1,"complete":false,"tables":{"A.B":{"done":true},"A.C":{"done":false}},"scope":["A.B","A.C"]}';
  const decoded = read({ ...STORED, snapshot, snapshot_pending: "A.D, A.E", signal_offset: 57n });
  const progress = decoded.snapshot?.readable === true ? decoded.snapshot : undefined;
  assert.equal([progress?.scope, progress?.done], [["A.B", "A.C"], ["A.B"]]);
  assert.equal([decoded.snapshotPending, decoded.signalOffset], [["A.D", "A.E"], 57n]);
  // A text is read as none.
  assert.is(read({ ...STORED, signal_offset: "57" }).signalOffset, undefined);
});

offset("a last commit without SCN and transaction means none yet; with one of them it is shown", () => {
  assert.is(read({ ...STORED, last_commit_scn: 0n, last_commit_xid: null }).lastCommit, undefined);
  assert.is(read({ ...STORED, last_commit_scn: 0n }).lastCommit?.xid, "1:7.22.1180");
  assert.is(read({ ...STORED, last_commit_xid: null }).lastCommit?.scn, 2204498n);
});

const CUT = { start_floor_scn: 2044000n, start_open_scn: "2043990", start_open_xids: "1:4.9.771,1:5.2.802" };
const FIRST = { ...STORED, resume_scn: 2043500n, last_commit_scn: 0n, last_commit_xid: null, event_index: 0n, ...CUT };
const CUT_FIELDS = ["start_floor_scn", "start_open_scn", "start_open_xids"];
const fieldsOf = (raw: JsonObject) => CUT_FIELDS.filter((name) => Object.hasOwn(raw, name));

offset("the first-start cut is in force until a commit is acknowledged", () => {
  assert.equal(read(FIRST).firstStart, {
    floor: 2044000n,
    openScn: 2043990n,
    openXids: ["1:4.9.771", "1:5.2.802"],
  });
  assert.is(read({ ...FIRST, last_commit_xid: "1:7.22.1180" }).firstStart, undefined);
  assert.is(read({ ...FIRST, start_floor_scn: 0n }).firstStart, undefined);
  assert.equal(read({ ...STORED, last_commit_xid: null, start_floor_scn: 5n }).firstStart, {
    floor: 5n,
    openScn: 0n,
    openXids: [],
  });
});

offset(
  "a first start mines from below its start SCN; an offset below it without a cut of that floor is another's",
  () => {
    assert.ok(canHaveStartedAt(read(FIRST), 2044000n));
    assert.not(canHaveStartedAt(read(FIRST), 2043999n));
    const acknowledged = { ...FIRST, last_commit_xid: "1:7.22.1180", last_commit_scn: 2044000n };
    assert.ok(canHaveStartedAt(read(acknowledged), 2044000n));
    assert.not(canHaveStartedAt(read({ ...acknowledged, last_commit_scn: 2043999n }), 2044000n));
    assert.ok(canHaveStartedAt(read(STORED), 2204511n));
    assert.not(canHaveStartedAt(read({ ...STORED, last_commit_xid: null }), 2204512n));
  },
);

offset("a move back below the floor lifts the cut, since nothing would be delivered with it", () => {
  assert.equal(fieldsOf(moveOffset(read(FIRST), { scn: 2020000n, forget: "none" })), []);
  const above = { ...FIRST, resume_scn: 2050000n };
  assert.equal(fieldsOf(moveOffset(read(above), { scn: 2043999n, forget: "none" })), []);
});

offset("the cut stays at the same SCN, ahead, back down to the floor, and once a commit is acknowledged", () => {
  const stays = (raw: JsonObject, scn: bigint) =>
    assert.equal(fieldsOf(moveOffset(read(raw), { scn, forget: "none" })), CUT_FIELDS);
  stays(FIRST, 2043500n);
  stays(FIRST, 2043600n);
  stays({ ...FIRST, resume_scn: 2050000n }, 2044000n);
  stays({ ...FIRST, last_commit_xid: "1:7.22.1180" }, 2020000n);
});

offset("to deliver again, the five fields of the last commit are removed and the event index is 0", () => {
  const raw = { ...STORED, last_commit_rs_id: "0x00002a.00000f1b.0100", last_commit_ssn: 2n };
  const after = moveOffset(read(raw), { scn: 2169287n, forget: "none", deliverAgain: true });
  assert.equal(
    Object.keys(after).filter((name) => name.startsWith("last_commit_")),
    [],
  );
  assert.is(after["event_index"], 0n);
  assert.is(after["journal_generation"], 17n);
  const left = { ...STORED, ...CUT };
  assert.equal(fieldsOf(moveOffset(read(left), { scn: 2020000n, forget: "none", deliverAgain: true })), []);
});

const refused: readonly (readonly [string, JsonObject, string])[] = [
  ["a later version", { v: 2n }, "later version"],
  ["a later version as text", { v: "2" }, "later version"],
  ["a later version, whatever else is wrong", { v: 9n, resume_scn: "x" }, "later version"],
  ["a version that is no integer", { v: parseJson("2.0") }, "unreadable"],
  ["a version of very many digits", { v: "9".repeat(50) }, "unreadable"],
  ["a resume SCN above 2^63", { resume_scn: MAX_SCN + 1n }, "unreadable"],
  ["a resume SCN with a fraction", { resume_scn: parseJson("1000.0") }, "unreadable"],
  ["no version", { v: null }, "unreadable"],
  ["a version of 0", { v: 0n }, "unreadable"],
  ["a ledger with numbers", { released_xids: [1n] }, "unreadable"],
  ["an identity that is no integer", { dbid: parseJson("1.5") }, "unreadable"],
];
for (const [name, fields, reason] of refused)
  offset(`is not guessed: ${name}`, () => {
    const decoded = decodeOffset({ ...STORED, ...fields });
    assert.ok(!decoded.ok);
    assert.is(decoded.reason, reason);
  });

offset("decoding any value gives a result and never throws", async () => {
  const anything = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { depthSize: "small" },
      primitive,
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie("json"), { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<Json>,
    ),
  })).json;
  const field = fc.oneof(fc.constantFrom(...KNOWN), fc.string());
  await fc.assert(
    fc.property(fc.dictionary(field, anything, { noNullPrototype: true }), (raw) => {
      const decoded = decodeOffset(raw);
      if (decoded.ok) moveOffset(decoded.offset, { scn: 1n, forget: "all" });
      else assert.type(decoded.reason, "string");
    }),
    { numRuns: 500 },
  );
});

offset("two are equal by name, type and value of every field, in any order", async () => {
  await fc.assert(
    fc.property(anyStored, (raw) => {
      const reversed = Object.fromEntries(Object.entries(raw).reverse());
      assert.ok(sameOffset(raw, reversed));
      assert.ok(sameOffset(raw, parseJson(printJson(raw)) as JsonObject), "also after a trip through a file");
      for (const [name, value] of Object.entries(raw)) {
        const { [name]: _gone, ...rest } = raw;
        assert.not(sameOffset(raw, rest));
        const other = typeof value === "bigint" ? value.toString() : typeof value === "string" ? `${value}!` : 1n;
        assert.not(sameOffset(raw, { ...raw, [name]: other }), name);
      }
      assert.not(sameOffset(raw, { ...raw, "one more": null }));
    }),
  );
});

offset("nothing stored, null and an offset without fields are equal", () => {
  assert.ok(isEmptyOffset(null) && isEmptyOffset({}));
  assert.ok(sameOffset(null, {}) && sameOffset({}, null) && sameOffset(null, null));
  assert.not(sameOffset(null, { v: 1n }));
});

offset("a first offset is version 1 with the database's identity and zeros, and can be read", () => {
  const first = initialOffset(2169287n, { dbid: 2914731n, resetlogsScn: 1n });
  assert.is(
    printJson(first, 0),
    '{"v":1,"resume_scn":2169287,"last_commit_scn":0,"event_index":0,"journal_generation":0,' +
      '"schema_epoch":0,"dbid":2914731,"resetlogs_scn":1}',
  );
  assert.is(read(first).lastCommit, undefined);
});

offset("a server's own offset is found among others, and a missing one is distinguished from an unreadable one", () => {
  const mine = (offset: JsonObject | null) =>
    ownOffset(
      [
        { partition: { server: "BILLING" }, offset: { v: 1n, resume_scn: 1n } },
        { partition: { server: "ORDERS" }, offset },
      ],
      "ORDERS",
    );
  const stored = mine({ v: 1n, resume_scn: 7n });
  assert.is(stored.is === "stored" ? stored.offset.resumeScn : stored.is, 7n);
  assert.equal(mine(null), { is: "none" });
  assert.equal(mine({}), { is: "none" });
  assert.equal(ownOffset([], "ORDERS"), { is: "none" });
  const later = mine({ v: 2n, resume_scn: 7n });
  assert.match(
    later.is === "unreadable" ? later.why : later.is,
    "CDC-3002: the stored offset has format version 2, but this cdcctl supports versions up to 1",
  );
  const garbled = mine({ v: 1n, resume_scn: "soon" });
  assert.match(garbled.is === "unreadable" ? garbled.why : garbled.is, "can't be read: resume_scn is");
});

offset.run();
