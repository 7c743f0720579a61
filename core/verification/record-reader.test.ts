import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Column, RecordFormat, TableShape } from "../../schemas/generated/verification-job.ts";
import type { RecordsInPlace } from "../ports/kafka.ts";
import { inPlace, type RecordParts } from "../ports/testing/records-in-place.ts";
import { ByteSink } from "../values/byte-sink.ts";
import { viewOf } from "../values/bytes.ts";
import { fieldsOf } from "./canonical-row.ts";
import { tableRowReader } from "./canonical-values.ts";
import { OTHER_TABLE, type Reading, TABLE_NOT_NAMED } from "./change-reader.ts";
import { LEGACY_FIELDS } from "./legacy-reader.ts";
import {
  changeRecordReader,
  legacyRecordReader,
  type PartitionSoFar,
  type RecordReader,
  unreadableReader,
} from "./record-reader.ts";
import { columnOf } from "./table-shape.ts";
import { jsonBytes, keySamples, object, type Sample, samples } from "./testing/connect-json.ts";
import { bytesOf, work } from "./testing/work.ts";
import {
  eventOf,
  GONE,
  keyOf,
  nextTuple,
  ONE_LESS,
  ONE_MORE,
  oneSink,
  placeOf,
  ROW,
  ROW_IN_PART,
  rowOf,
  SNAPSHOT,
  sourceOf,
  TABLE,
  TRUNCATE,
  type TupleSink,
  UNREADABLE,
} from "./tuple.ts";

const reader = suite("the reader of records");

const FORMAT: RecordFormat = { decimals: "precise", temporals: "adaptive", placeholder: "__cdc_unavailable_value" };

const ID = { name: "ID", kind: "number", precision: 9, scale: 0 } as const;
const NAME = { name: "NAME", kind: "text", precision: undefined, scale: undefined } as const;
const SHAPE: TableShape = { key: [ID], columns: [ID, NAME] };

const record = (parts: Partial<RecordParts> = {}): RecordParts => ({
  partition: 3,
  offset: 41n,
  key: bytesOf('{"ID":1}'),
  value: bytesOf('{"before":null,"after":{"ID":1,"NAME":"a"},"source":{"scn":"7","commit_scn":"9"},"op":"u"}'),
  headers: {},
  ...parts,
});

interface Tuple {
  readonly event: number;
  readonly scn: bigint;
  readonly key: readonly number[];
  readonly row: readonly number[];
}

function tuplesOf(bytes: Uint8Array): readonly Tuple[] {
  const data = viewOf(bytes);
  const tuples: Tuple[] = [];
  for (let at = 0; at < bytes.length; at = nextTuple(data, at))
    tuples.push({
      event: eventOf(data, at),
      scn: sourceOf(data, at) === TABLE ? 0n : placeOf(data, at).scn,
      key: [...keyOf(data, at)],
      row: [...rowOf(data, at)],
    });
  return tuples;
}

type Reader = (records: RecordsInPlace, nth: number, into: TupleSink) => Reading;

/** A partition from its beginning, or after a record. */
function partition(reader: RecordReader, soFar: PartitionSoFar = { last: undefined }): Reader {
  return (records, nth, into) => reader(records, nth, into, soFar);
}

function read(read: Reader, one: RecordParts): readonly Tuple[] | string {
  const into = new ByteSink(8);
  const problem = read(inPlace([one]), 0, oneSink(into));
  if (problem !== undefined) assert.is(into.length, 0, "nothing remains of an unreadable record");
  return problem === OTHER_TABLE ? "of another table" : (problem ?? tuplesOf(into.view()));
}

const change = (shape: TableShape = SHAPE, format = FORMAT): Reader =>
  partition(changeRecordReader(shape, format, work));
const legacy = (shape: TableShape = SHAPE): Reader => partition(legacyRecordReader(shape, FORMAT, work));

function tableTuple(shape: TableShape, row: readonly Pick<Sample, "oracle">[]) {
  const into = new ByteSink();
  const problem = tableRowReader(shape, work)(
    row.map(({ oracle }) => oracle),
    oneSink(into),
  );
  assert.is(problem, undefined);
  return tuplesOf(into.view())[0] as Tuple;
}

// ---- Both sides write the same bytes --------------------------------------------------------------------------------

const tables = fc
  .record({
    key: fc.array(keySamples, { minLength: 1, maxLength: 3 }),
    rest: fc.array(samples, { maxLength: 5 }),
    schemas: fc.boolean(),
    turned: fc.boolean(),
    extra: fc.boolean(),
    pretty: fc.constantFrom("plain", "plain", "spaces", "escapes"),
  })
  .map(({ key, rest, ...how }) => ({ key, row: [...key, ...rest], ...how }));

const named = (all: readonly Sample[]) => all.map((sample, at) => ({ ...sample.column, name: `C ${at} ü` }));

function enveloped(schema: unknown, payload: string, schemas: boolean): string {
  return schemas ? `{"schema":${JSON.stringify(schema)},"payload":${payload}}` : payload;
}

/** The same JSON, as another writer could write it. */
function rewritten(json: string, how: string): string {
  if (how === "spaces")
    return (
      " " +
      `${json.replace(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g, (token) => (token.startsWith('"') ? token : ` ${token}\n`))}\t`
    );
  if (how === "escapes")
    return json.replace(/"(?:[^"\\]|\\.)*"/g, (token) =>
      token.replace(
        /^"(after|op|commit_scn|C )/,
        (_, name: string) => `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}`,
      ),
    );
  return json;
}

reader(
  "writes the same bytes of a record as of the table's row, whatever the types, with schemas and without",
  async () => {
    let alone = 0;
    await fc.assert(
      fc.property(tables, ({ key, row, schemas, turned, extra, pretty }) => {
        const columns = named(row);
        const shape: TableShape = { key: columns.slice(0, key.length), columns };
        const members = columns.map(({ name }, at) => [name, (row[at] as Sample).plain] as const);
        if (extra) members.push(["LEFT_OUT", '{"a":[1,"}",null]}']);
        if (turned) members.reverse();
        const fieldsOf = (all: readonly Sample[]) =>
          all.map(({ schema }, at) => ({ ...schema, optional: true, field: columns[at]?.name }));
        const struct = { type: "struct", fields: fieldsOf(row) };
        const value = enveloped(
          {
            type: "struct",
            name: "x.Envelope",
            fields: [
              { ...struct, field: "before" },
              { ...struct, field: "after" },
            ],
          },
          `{"before":null,"after":${object(members)},"source":{"version":"1",` +
            `"scn":"7","commit_scn":"9007199254740993"},"op":"c","ts_ms":1}`,
          schemas,
        );
        const keyMembers = members.filter(([name]) => shape.key.some((column) => column.name === name));
        const keyJson = enveloped({ type: "struct", fields: fieldsOf(key) }, object(keyMembers), schemas);
        const one = record({ key: jsonBytes(rewritten(keyJson, pretty)), value: jsonBytes(rewritten(value, pretty)) });
        const readOne = change(shape);
        const seen = read(readOne, one);
        assert.equal(read(readOne, one), seen, "once the order of the members is known");
        if (!schemas && row.some((sample) => !sample.alone)) {
          alone++;
          assert.match(String(seen), /base64 decimal without a schema/);
          return;
        }
        const expected = tableTuple(shape, row);
        assert.equal(seen, [{ ...expected, event: ROW, scn: 9007199254740993n }]);
      }),
      { numRuns: 1500 },
    );
    assert.ok(alone > 10);
  },
);

reader("reads every record the same, whatever order of members and values it has seen before", async () => {
  const rowsOf = (columns: readonly Column[]) =>
    fc.array(
      fc.record({
        texts: fc.array(
          fc.constantFrom(
            "null",
            "1",
            "1.50",
            "-0",
            "1e3",
            "{}",
            '""',
            '"a"',
            '"\\u0061 "',
            '"ü"',
            '"__cdc_unavailable_value"',
            '"\n"',
          ),
          { minLength: columns.length, maxLength: columns.length },
        ),
        order: fc.shuffledSubarray([...columns.keys()], { minLength: columns.length - 1 }),
        inOrder: fc.boolean(),
        extra: fc.boolean(),
      }),
      { minLength: 2, maxLength: 12 },
    );
  const MADE = { name: "MADE", kind: "datetime", precision: 3, scale: undefined } as const;
  const CODE = { name: "CODE", kind: "padded-text", precision: undefined, scale: undefined } as const;
  const shape: TableShape = { key: [ID], columns: [ID, NAME, MADE, CODE] };
  await fc.assert(
    fc.property(rowsOf(shape.columns), (rows) => {
      const used = change(shape);
      for (const { texts, order, inOrder, extra } of rows) {
        const members = (inOrder ? [...shape.columns.keys()] : order).map(
          (at) => [shape.columns[at]?.name ?? "", texts[at] ?? ""] as const,
        );
        const after = object(extra ? [["LEFT_OUT", "[1]"], ...members] : members);
        const one = record({
          value: bytesOf(`{"before":null,"after":${after},"source":{"scn":"7","commit_scn":"9"},"op":"u"}`),
        });
        assert.equal(read(used, one), read(change(shape), one));
      }
    }),
    { numRuns: 1000 },
  );
});

reader("distinguishes values that differ by the last digit, the last letter, or by being NULL", async () => {
  await fc.assert(
    fc.property(samples, samples, (one, other) => {
      const columns = named([one]);
      if (JSON.stringify(one.column) !== JSON.stringify(other.column)) return;
      const rowOf = (sample: Sample) => tableTuple({ key: [], columns }, [sample]).key;
      const same = JSON.stringify(rowOf(one)) === JSON.stringify(rowOf(other));
      const text = ({ oracle }: Sample) => (typeof oracle === "string" ? oracle.trimEnd() : JSON.stringify(oracle));
      if (text(one) === text(other)) assert.ok(same);
      else if (!["binary-float", "binary-double", "instant"].includes(one.column.kind)) assert.not.ok(same);
    }),
    { numRuns: 2000 },
  );
  const integer = (oracle: string) => tableTuple({ key: [], columns: [ID] }, [{ oracle }]).key;
  assert.not.equal(integer("9007199254740993"), integer("9007199254740992"));
});

reader("leaves nothing of a table's row that cannot be compared", () => {
  const into = new ByteSink(8);
  const readRow = tableRowReader(SHAPE, work);
  assert.is(readRow(["1", "a"], oneSink(into)), undefined);
  const whole = tuplesOf(into.copied());
  assert.is(readRow(["2", "\ud800"], oneSink(into)), "column NAME: a text with half a surrogate pair");
  assert.is(readRow(["two", "b"], oneSink(into)), "column ID: no decimal number");
  assert.is(readRow(["3"], oneSink(into)), "1 values for 2 columns");
  assert.equal(tuplesOf(into.view()), whole);
});

// ---- Events ---------------------------------------------------------------------------------------------------------

const events = (parts: Partial<RecordParts>, reader: Reader = change()): unknown => {
  const seen = read(reader, record(parts));
  return typeof seen === "string" ? seen : seen.map(({ event, scn }) => [event, scn]);
};
const value = (text: string): Uint8Array => bytesOf(text);

reader("takes the SCN of the header first, then of the source; of a snapshot row the SCN it was read at", () => {
  assert.equal(events({}), [[ROW, 9n]]);
  assert.equal(events({ headers: { "cdc.commit_scn": bytesOf("12"), "cdc.scn": bytesOf("3") } }), [[ROW, 12n]]);
  assert.equal(events({ headers: { "cdc.commit_scn": bytesOf('"12"') } }), [[ROW, 12n]]);
  assert.equal(events({ headers: { "cdc.commit_scn": bytesOf('{"schema":{"type":"string"},"payload":"12"}') } }), [
    [ROW, 12n],
  ]);
  const snapshot = value('{"after":{"ID":1,"NAME":"a"},"source":{"scn":7,"commit_scn":null},"op":"r"}');
  assert.equal(events({ value: snapshot }), [[SNAPSHOT, 7n]]);
  assert.equal(events({ value: snapshot, headers: { "cdc.scn": bytesOf("8") } }), [[SNAPSHOT, 8n]]);
  const without = value('{"after":{"ID":1,"NAME":"a"},"source":{"scn":"7","commit_scn":null},"op":"u"}');
  assert.is(events({ value: without }), "a record without a commit SCN");
});

reader("takes a tombstone's SCN from its header, else from the record before it in its partition", () => {
  assert.is(events({ value: null }), "a tombstone without an SCN");
  assert.equal(events({ value: null, headers: { "cdc.commit_scn": bytesOf("12") } }), [[GONE, 12n]]);
  const one = change();
  assert.equal(events({}, one), [[ROW, 9n]]);
  assert.equal(events({ value: null }, one), [[GONE, 9n]]);
  assert.match(String(events({ value: value('{"op":"m"}') }, one)), /no change event/);
  assert.is(events({ value: null }, one), "a tombstone without an SCN");
  assert.equal(events({ value: null }, partition(changeRecordReader(SHAPE, FORMAT, work), { last: 5n })), [[GONE, 5n]]);
});

reader("recognises a delete, a truncate and a partial row", () => {
  const source = '"source":{"commit_scn":"9"}';
  assert.equal(events({ value: value(`{"before":{"ID":1},"after":null,${source},"op":"d"}`) }), [[GONE, 9n]]);
  assert.equal(events({ key: null, value: value(`{${source},"op":"t"}`) }), [[TRUNCATE, 9n]]);
  const inPart = value(`{"after":{"ID":1,"NAME":"__cdc_unavailable_value"},${source},"op":"u"}`);
  assert.equal(events({ value: inPart }), [[ROW_IN_PART, 9n]]);
});

reader("reports what it cannot read: nothing is guessed", () => {
  const source = '"source":{"commit_scn":"9"}';
  for (const [parts, problem] of [
    [{ key: null }, "a record without a key"],
    [{ key: bytesOf("1") }, undefined],
    [{ key: bytesOf('{"ID":null}') }, "a key without a value"],
    [{ key: bytesOf('{"ID":"AQ=="}') }, "base64 decimal without a schema"],
    [{ key: bytesOf("{}") }, "column ID: the record has no such field"],
    [{ value: value(`{"after":{"NAME":"a"},${source},"op":"c"}`) }, "column ID: the record has no such field"],
    [{ value: value(`{"after":null,${source},"op":"c"}`) }, 'without a row in "after"'],
    [{ value: value(`{"after":{"ID":1,"NAME":"a"},${source},"op":"m"}`) }, "no change event"],
    [{ value: value(`{"after":{"ID":1,"NAME":1},${source},"op":"c"}`) }, "column NAME: a JSON number where text"],
    [{ value: value(`{"after":{"ID":1,"NAME":"\\ud800"},${source},"op":"c"}`) }, "half a surrogate pair"],
    [{ value: value(`{"after":{"ID":1,"ID":2,"NAME":"a"},${source},"op":"c"}`) }, "no JSON"],
    [{ value: value(`{"after":{"ID":1,"NAME":"a"},"after":{"ID":1,"NAME":"b"},${source},"op":"c"}`) }, "no JSON"],
    [{ value: value(`{"after":{"ID":1,"NAME":"a"},${source},${source.replace("9", "8")},"op":"c"}`) }, "no JSON"],
    [{ value: value(`{"after":{"ID":01,"NAME":"a"},${source},"op":"c"}`) }, "no JSON"],
    [{ value: value(`{"after":{"ID":1,"NAME":"a"},${source},"op":"c"`) }, "no JSON"],
    [{ value: Uint8Array.of(0, 0, 0, 0, 1, 12, 34) }, "no JSON"],
    [
      {
        value: Uint8Array.from([
          ...bytesOf('{"after":{"ID":1,"NAME":"'),
          0xc3,
          0x28,
          ...bytesOf(`"},${source},"op":"c"}`),
        ]),
      },
      "UTF-8",
    ],
    [
      {
        value: value(
          `{"schema":{"type":"struct","fields":[]},"payload":{"after":{"ID":1,"NAME":"a"},${source},"op":"c"}}`,
        ),
      },
      "schema has no such field",
    ],
  ] as const) {
    const seen = events(parts);
    if (problem === undefined) assert.ok(Array.isArray(seen));
    else assert.ok(String(seen).includes(problem), `${String(seen)} instead of ${problem}`);
  }
});

reader("never reads past a truncated record, whatever follows it", () => {
  const whole = record({
    value: value(
      '{"schema":{"type":"struct","fields":[{"field":"after","fields":[{"field":"ID",' +
        '"type":"int32"},{"field":"NAME","type":"string"}]}]},' +
        '"payload":{"before":null,"after":{"ID":12,"NAME":"a\\n"},"source":{"scn":"7","commit_scn":"9"},"op":"u",' +
        '"ts_ms":1}}',
    ),
  });
  const one = change();
  const bytes = whole.value as Uint8Array;
  assert.ok(Array.isArray(read(one, whole)));
  for (let cut = 0; cut < bytes.length; cut++)
    assert.type(read(one, { ...whole, value: bytes.subarray(0, cut) }), "string", String(cut));
});

reader("accepts of damaged bytes what the strict parser accepts, or nothing", async () => {
  const text =
    '{"before":null,"after":{"ID":12,"NAME":"a\\n\\u00e9"},"source":{"scn":"7","commit_scn":"9"},"op":"u","ts_ms":1}';
  let taken = 0;
  await fc.assert(
    fc.property(fc.nat({ max: text.length - 1 }), fc.integer({ min: 0x20, max: 0x7e }), (at, byte) => {
      const bytes = bytesOf(text);
      bytes[at] = byte;
      const seen = read(change(), record({ value: bytes }));
      if (typeof seen === "string" || seen[0]?.event !== ROW) return;
      const json = JSON.parse(new TextDecoder().decode(bytes)) as {
        after: { ID: number; NAME: string };
        source: { commit_scn: string };
      };
      taken++;
      if (!Object.hasOwn(json.after, "NAME")) {
        assert.is(fieldsOf(Uint8Array.from(seen[0]?.row ?? []))[1]?.is, "absent");
        return;
      }
      const expected = tableTuple(SHAPE, [{ oracle: String(json.after.ID) }, { oracle: json.after.NAME }]);
      assert.equal(seen[0]?.row, expected.row);
      assert.is(seen[0]?.scn, BigInt(json.source.commit_scn));
    }),
    { numRuns: 3000 },
  );
  assert.ok(taken > 100);
});

reader("marks the columns that a record is too old to have, with a schema and without", () => {
  const shape: TableShape = { key: [ID], columns: [NAME, ID, { ...NAME, name: "ADDED" }] };
  const payload = '{"before":null,"after":{"ID":1,"NAME":"a"},"source":{"commit_scn":"9"},"op":"c"}';
  const fields = [
    { field: "ID", type: "int32" },
    { field: "NAME", type: "string" },
  ];
  const schema = { type: "struct", fields: [{ field: "after", type: "struct", fields }] };
  for (const written of [payload, enveloped(schema, payload, true)]) {
    const seen = read(change(shape), record({ value: bytesOf(written) }));
    assert.ok(typeof seen !== "string", String(seen));
    assert.equal(
      fieldsOf(Uint8Array.from((seen as readonly Tuple[])[0]?.row ?? [])).map(({ is }) => is),
      ["value", "value", "absent"],
    );
  }
  const counted: TableShape = { key: [], columns: shape.columns };
  assert.match(
    String(read(change(counted), record({ key: null, value: bytesOf(payload) }))),
    /column ADDED: the record/,
  );
});

// ---- Records of several tables --------------------------------------------------------------------------------------

const OWN = { table: { container: "PDB1", owner: "SALES", name: "ORDERS" }, inPdb: true, compacted: false };
const OTHER = "of another table";
const mine = { pdb: "PDB1", schema: "SALES", table: "ORDERS" };
const from = (source: object, more = "") =>
  value(
    `{"before":null,"after":{"ID":1,"NAME":"a"},"source":${JSON.stringify({ ...source, commit_scn: "9" })},` +
      `"op":"c"${more}}`,
  );
const IS_OWN = [[ROW, 9n]];

for (const [what, source, inPdb, expected] of [
  ["its own", mine, true, IS_OWN],
  ["its own, by db", { db: "PDB1", schema: "SALES", table: "ORDERS" }, true, IS_OWN],
  ["its own, by db where pdb is null", { db: "PDB1", schema: "SALES", table: "ORDERS", pdb: null }, true, IS_OWN],
  ["its own, without containers", { db: "ORCL", schema: "SALES", table: "ORDERS" }, false, IS_OWN],
  ["another PDB's", { ...mine, pdb: "PDB2" }, true, OTHER],
  ["another owner's", { ...mine, schema: "HR" }, true, OTHER],
  ["another table's", { ...mine, table: "LINES" }, true, OTHER],
  ["another table's, equal but in lower case", { ...mine, table: "orders" }, true, OTHER],
  ["another table's, which holds the names in a text", { ...mine, table: 'x","table":"ORDERS' }, true, OTHER],
  ["another table's, which holds the names further inside", { ...mine, table: "LINES", more: mine }, true, OTHER],
  ["nobody's: no PDB", { schema: "SALES", table: "ORDERS" }, true, TABLE_NOT_NAMED],
  ["unknown: no table", { pdb: "PDB1", schema: "SALES" }, true, TABLE_NOT_NAMED],
  ["nobody's: nothing", {}, true, TABLE_NOT_NAMED],
] as const)
  reader(`recognises by its source that a record is ${what}, whatever came before it`, () => {
    const own = { ...OWN, inPdb };
    const known = inPdb ? mine : { schema: "SALES", table: "ORDERS" };
    for (const earlier of [[], [known], [{ version: "2", ...known }, known]])
      for (const wrapped of [false, true]) {
        const one = partition(changeRecordReader(SHAPE, FORMAT, work, own));
        for (const before of earlier) assert.equal(events({ value: from(before) }, one), IS_OWN);
        const written = new TextDecoder().decode(from(source));
        const bytes = wrapped ? bytesOf(`{"schema":null,"payload":${written}}`) : bytesOf(written);
        assert.equal(events({ value: bytes }, one), expected, JSON.stringify(earlier));
        assert.equal(events({ value: bytes, headers: { "cdc.commit_scn": bytesOf("9") } }, one), expected);
      }
  });

reader("does not mistake columns with such names for the record's source", () => {
  const names = ["pdb", "schema", "table"].map((name) => ({ ...NAME, name }));
  const shape: TableShape = { key: [ID], columns: [ID, ...names] };
  const one = partition(changeRecordReader(shape, FORMAT, work, OWN));
  const row = (source: object) =>
    value(
      `{"before":null,"after":{"ID":1,"pdb":"PDB1","schema":"SALES",` +
        `"table":"ORDERS"},"source":${JSON.stringify({ ...source, commit_scn: "9" })},` +
        `"op":"c","transaction":${JSON.stringify(mine)}}`,
    );
  assert.equal(events({ value: row(mine) }, one), IS_OWN);
  assert.is(events({ value: row({ ...mine, table: "LINES" }) }, one), OTHER);
});

reader("does not check the fields of another table's record", () => {
  const one = partition(changeRecordReader(SHAPE, FORMAT, work, OWN));
  const strange = value(
    `{"before":null,"after":{"X":{"a":[1]}},"source":${JSON.stringify({ ...mine, table: "LINES" })},"op":"c"}`,
  );
  assert.is(events({ key: null, value: strange }, one), OTHER);
});

reader(
  "takes a tombstone for that of the record before it, and of none where compaction may have taken that away",
  () => {
    const tombstone = { value: null };
    const others = { value: from({ ...mine, table: "LINES" }) };
    const shared = changeRecordReader(SHAPE, FORMAT, work, OWN);
    const soFar: PartitionSoFar = { last: undefined };
    const one = partition(shared, soFar);
    const other = partition(shared);
    assert.equal(events({ value: from(mine) }, one), IS_OWN);
    assert.equal(events(tombstone, one), [[GONE, 9n]]);
    assert.is(events(others, one), OTHER);
    assert.equal(events({ value: from(mine) }, other), IS_OWN, "another partition of the topic");
    assert.is(events(tombstone, one), OTHER);
    assert.equal(events(tombstone, other), [[GONE, 9n]]);
    const resumed = partition(changeRecordReader(SHAPE, FORMAT, work, OWN), { ...soFar });
    assert.is(events(tombstone, resumed), OTHER, "resumed");
    assert.equal(events({ value: from(mine) }, one), IS_OWN);
    assert.equal(events(tombstone, one), [[GONE, 9n]]);
    const compacted = partition(changeRecordReader(SHAPE, FORMAT, work, { ...OWN, compacted: true }));
    assert.is(events(others, compacted), OTHER);
    assert.is(events(tombstone, compacted), "a tombstone without an SCN");
    assert.equal(events({ ...tombstone, headers: { "cdc.commit_scn": bytesOf("8") } }, compacted), [[GONE, 8n]]);
  },
);

// ---- Encodings that a setting decides -------------------------------------------------------------------------------

const ISO: RecordFormat = { ...FORMAT, temporals: "iso" };
const DOUBLE: RecordFormat = { ...FORMAT, decimals: "double" };
const of = (dataType: string, scale?: number): Column =>
  columnOf({ name: "C", dataType, precision: undefined, scale }) as Column;
const AS_DOUBLE: Column = { ...of("NUMBER"), kind: "number-as-double" };
const TEXT = { type: "string" };

/** Values as the connector and Java's classes print them: LocalDateTime, OffsetDateTime, Duration, Period, double. */
const BY_SETTING: readonly (readonly [Column, RecordFormat, schema: object, json: string, oracle: string])[] = [
  [of("DATE"), ISO, TEXT, '"2026-11-20T18:30"', " 2026-11-20T18:30:00"],
  [of("DATE"), ISO, TEXT, '"2026-11-20T00:00"', " 2026-11-20T00:00:00"],
  [of("DATE"), ISO, TEXT, '"0001-01-01T00:00:01"', " 0001-01-01T00:00:01"],
  [of("TIMESTAMP(9)", 9), ISO, TEXT, '"2026-03-29T01:30:00.123456789"', " 2026-03-29T01:30:00.123456789"],
  [of("TIMESTAMP(6)", 6), ISO, TEXT, '"1969-12-31T23:59:59.500"', " 1969-12-31T23:59:59.500000000"],
  [of("TIMESTAMP(6) WITH TIME ZONE", 6), ISO, TEXT, '"2026-03-29T01:30:00.5+05:30"', " 2026-03-28T20:00:00.500000000Z"],
  [of("TIMESTAMP(6) WITH LOCAL TIME ZONE", 6), ISO, TEXT, '"2026-10-25T02:30Z"', " 2026-10-25T02:30:00.000000000Z"],
  [of("INTERVAL DAY(2) TO SECOND(6)"), ISO, TEXT, '"PT5S"', "+00 00:00:05.000000"],
  [of("INTERVAL DAY(2) TO SECOND(6)"), ISO, TEXT, '"PT51H4M5.123456S"', "+02 03:04:05.123456"],
  [of("INTERVAL DAY(2) TO SECOND(6)"), ISO, TEXT, '"PT-51H-4M-5.5S"', "-02 03:04:05.500000"],
  [of("INTERVAL DAY(2) TO SECOND(6)"), ISO, TEXT, '"PT-0.5S"', "-00 00:00:00.500000"],
  [of("INTERVAL DAY(2) TO SECOND(6)"), ISO, TEXT, '"PT0S"', "+00 00:00:00.000000"],
  [of("INTERVAL YEAR(2) TO MONTH"), ISO, TEXT, '"P12Y3M"', "+12-03"],
  [of("INTERVAL YEAR(2) TO MONTH"), ISO, TEXT, '"P-1Y-6M"', "-01-06"],
  [of("INTERVAL YEAR(2) TO MONTH"), ISO, TEXT, '"P8M"', "+00-08"],
  [of("INTERVAL YEAR(2) TO MONTH"), ISO, TEXT, '"P0D"', "+00-00"],
  [AS_DOUBLE, DOUBLE, { type: "double" }, "0.1", ".1"],
  [AS_DOUBLE, DOUBLE, { type: "double" }, "1.0E100", `1${"0".repeat(100)}`],
  [AS_DOUBLE, DOUBLE, { type: "double" }, "9.007199254740992E15", "9007199254740993"],
  [AS_DOUBLE, DOUBLE, { type: "double" }, "0.3333333333333333", `.${"3".repeat(40)}`],
  [AS_DOUBLE, DOUBLE, { type: "double" }, "-0.0", "0"],
];

for (const [column, format, schema, json, oracle] of BY_SETTING)
  reader(`reads ${json} as Oracle's ${oracle.slice(0, 30)}`, () => {
    const shape: TableShape = { key: [ID], columns: [ID, column] };
    const expected = tableTuple(shape, [{ oracle: "1" }, { oracle }]);
    const payload = `{"before":null,"after":{"ID":1,"C":${json}},"source":{"commit_scn":"9"},"op":"c"}`;
    const fields = [
      { field: "ID", type: "int32" },
      { field: "C", ...schema },
    ];
    const declared = { type: "struct", fields: [{ field: "after", type: "struct", fields }] };
    for (const written of [payload, enveloped(declared, payload, true)])
      assert.equal(
        read(change(shape, format), record({ value: bytesOf(written) })),
        [{ ...expected, scn: 9n }],
        written,
      );
  });

for (const [column, format, json, oracle] of [
  [of("DATE"), ISO, '"2026-11-20T18:30:01"', " 2026-11-20T18:30:00"],
  [of("INTERVAL DAY(2) TO SECOND(6)"), ISO, '"PT-5S"', "+00 00:00:05.000000"],
  [of("INTERVAL YEAR(2) TO MONTH"), ISO, '"P1Y6M"', "-01-06"],
  [AS_DOUBLE, DOUBLE, "0.30000000000000004", ".3"],
] as const)
  reader(`distinguishes ${json} from ${oracle}`, () => {
    const shape: TableShape = { key: [ID], columns: [ID, column] };
    const expected = tableTuple(shape, [{ oracle: "1" }, { oracle }]);
    const value = `{"before":null,"after":{"ID":1,"C":${json}},"source":{"commit_scn":"9"},"op":"c"}`;
    const seen = read(change(shape, format), record({ value: bytesOf(value) }));
    assert.ok(typeof seen !== "string", String(seen));
    assert.not.equal((seen as readonly Tuple[])[0]?.row, expected.row);
  });

for (const [column, json] of [
  [of("DATE"), '"2026-11-20"'],
  [of("DATE"), '"2026-11-20T18:30+01:00"'],
  [of("DATE"), "1763663400000"],
  [of("INTERVAL DAY(2) TO SECOND(6)"), '"P1M"'],
  [of("INTERVAL DAY(2) TO SECOND(6)"), '"PT"'],
  [of("INTERVAL DAY(2) TO SECOND(6)"), '"PT0.0000001S"'],
  [of("INTERVAL YEAR(2) TO MONTH"), '"P1D"'],
  [of("INTERVAL YEAR(2) TO MONTH"), '"P"'],
] as const)
  reader(`does not read ${json} as ISO 8601 text of a ${column.kind}`, () => {
    const value = `{"before":null,"after":{"ID":1,"C":${json}},"source":{"commit_scn":"9"},"op":"c"}`;
    assert.match(
      String(read(change({ key: [ID], columns: [ID, column] }, ISO), record({ value: bytesOf(value) }))),
      /column C/,
    );
  });

// ---- Tables without key ---------------------------------------------------------------------------------------------

reader("counts no row by the tombstone that follows a delete, where records are keyed by ROWID", () => {
  const counted: TableShape = { key: [], columns: [ID, NAME] };
  const key = bytesOf('{"ROWID":"AAAR3sAAEAAAA00001"}');
  const one = change(counted);
  const removed = value('{"before":{"ID":1,"NAME":"a"},"after":null,"source":{"commit_scn":"9"},"op":"d"}');
  assert.equal(events({ key, value: removed }, one), [[ONE_LESS, 9n]]);
  assert.equal(events({ key, value: null }, one), []);
});

reader("counts rows of a table without key: an update takes one away and adds one", () => {
  const counted: TableShape = { key: [], columns: [ID, NAME] };
  const update = value(
    '{"before":{"ID":1,"NAME":"a"},"after":{"ID":1,"NAME":"b"},"source":{"commit_scn":"9"},"op":"u"}',
  );
  const seen = read(change(counted), record({ key: null, value: update }));
  assert.ok(typeof seen !== "string");
  assert.equal(
    seen.map(({ event }) => event),
    [ONE_LESS, ONE_MORE],
  );
  const row = (name: string) => tableTuple(counted, [{ oracle: "1" }, { oracle: name }]).key;
  assert.equal(
    seen.map(({ key }) => key),
    [row("a"), row("b")],
  );
  assert.match(
    String(
      read(
        change(counted),
        record({ key: null, value: value('{"after":{"ID":1,"NAME":"b"},"source":{"commit_scn":"9"},"op":"u"}') }),
      ),
    ),
    /"before"/,
  );
});

// ---- Legacy records -------------------------------------------------------------------------------------------------

const legacyValue = (op: string, more = ""): Uint8Array =>
  value(`{"ID":1,"NAME":"a"${more},"table":"ORCL.S.T","scn":"7","op_type":"${op}","op_ts":"1","row_id":"AAA"}`);

reader("reads a legacy record by its key, plain or struct, with schema or without", () => {
  const expected = tableTuple({ key: [ID], columns: [ID] }, [{ oracle: "1" }]).key;
  const decimal = '{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal","parameters":{"scale":"0"}}';
  for (const key of [
    "1",
    '{"ID":1}',
    '{"schema":{"type":"int64"},"payload":1}',
    `{"schema":${decimal},"payload":"AQ=="}`,
    `{"schema":{"type":"struct","fields":[{"field":"ID",${decimal.slice(1)}]},"payload":{"ID":"AQ=="}}`,
  ]) {
    const seen = read(legacy(), record({ key: bytesOf(key), value: legacyValue("I") }));
    assert.equal(seen, [{ event: ROW, scn: 7n, key: expected, row: [] }], key);
  }
  const fromRow = read(legacy(), record({ key: null, value: legacyValue("U") }));
  assert.equal(fromRow, [{ event: ROW, scn: 7n, key: expected, row: [] }]);
});

reader("recognises a legacy record's operation and SCN, and reports if they are unknown", () => {
  for (const [op, event] of [
    ["I", ROW],
    ["U", ROW],
    ["R", ROW],
    ["D", GONE],
    ["T", TRUNCATE],
  ] as const)
    assert.equal(events({ value: legacyValue(op) }, legacy()), [[event, 7n]], op);
  assert.match(String(events({ value: legacyValue("X") }, legacy())), /no legacy record/);
  assert.is(events({ value: value('{"ID":1,"op_type":"I"}') }, legacy()), "a record without an SCN");
  assert.match(String(events({ value: legacyValue("I", ',"scn":"8"') }, legacy())), /no JSON/);
  const one = legacy();
  events({ value: legacyValue("D") }, one);
  assert.equal(events({ value: null }, one), [[GONE, 7n]]);
});

reader("takes a legacy record's commit SCN if the connector writes one, wherever it is", () => {
  const fields = { ...LEGACY_FIELDS, commitScn: "commit_scn" };
  const own = (): Reader => partition(legacyRecordReader(SHAPE, FORMAT, work, fields));
  const after = (op: string, commit: string) =>
    value(`{"ID":1,"table":"ORCL.S.T","scn":"7","commit_scn":${commit},"op_type":"${op}"}`);
  const before = value('{"commit_scn":"9","ID":1,"table":"ORCL.S.T","scn":"7","op_type":"U"}');
  assert.equal(events({ value: after("D", '"9"') }, own()), [[GONE, 9n]]);
  assert.equal(events({ value: after("U", "9") }, own()), [[ROW, 9n]]);
  assert.equal(events({ value: before }, own()), [[ROW, 9n]]);
  const one = own();
  events({ value: after("D", '"9"') }, one);
  assert.equal(events({ value: null }, one), [[GONE, 9n]]);
  for (const without of [after("U", "null"), after("T", '""'), legacyValue("I")])
    assert.is(events({ value: without }, own()), "a record without a commit SCN");
  assert.equal(events({ value: legacyValue("R") }, own()), [[ROW, 7n]], "a snapshot row stands as of its read SCN");
  assert.equal(events({ value: after("R", "null") }, own()), [[ROW, 7n]]);
  assert.match(String(events({ value: after("I", '"8","commit_scn":"9"') }, own())), /no JSON/);
  assert.equal(events({ value: after("D", '"9"') }, legacy()), [[GONE, 7n]], "not asked for");
});

reader("derives a column's kind from its type in the dictionary; a type that is not captured has none", () => {
  const kindOf = (dataType: string, precision?: number, scale?: number) =>
    columnOf({ name: "C", dataType, precision, scale })?.kind;
  assert.is(kindOf("TIMESTAMP(6) WITH LOCAL TIME ZONE"), "instant");
  assert.is(kindOf("INTERVAL DAY(2) TO SECOND(6)"), "day-interval");
  assert.is(columnOf({ name: "C", dataType: "TIMESTAMP(9)", precision: undefined, scale: 9 })?.precision, 9);
  for (const type of ["BFILE", "JSON", "BOOLEAN", "VECTOR", "XMLTYPE", "SDO_GEOMETRY"])
    assert.is(kindOf(type), undefined);
});

reader("is not misled by texts and columns that look like the end of an object", () => {
  const text = '},"op":"d"},"after":{"ID":9},"scn":"1"';
  const named: TableShape = { key: [ID], columns: [ID, { ...NAME, name: "after" }] };
  const row = (name: string) => `{"ID":1,"N":{"scale":0,"value":"AQ=="},"${name}":${JSON.stringify(text)}}`;
  const headers = { "cdc.commit_scn": bytesOf("9") };
  const source = `{"note":${JSON.stringify(text)},"inner":{"a":{}},"op":"d","commit_scn":"8"}`;
  const usual = `{"before":${row("NAME")},"after":{"ID":1,"NAME":"a"},"source":{"x":${JSON.stringify(text)}},"op":"u"}`;
  const plain = read(change(), record({ headers }));
  assert.equal(read(change(), record({ headers, value: bytesOf(usual) })), plain);
  // A nested object before a member of the same name must not change what is read.
  const inner = `{"before":null,"after":{"ID":1,"NAME":"a"},"source":${source},"op":"u"}`;
  assert.type(read(change(), record({ headers, value: bytesOf(inner) })), "string");
  assert.equal(
    read(change(), record({ value: bytesOf(inner.replace('"commit_scn":"8"', '"commit_scn":"9"')) })),
    plain,
  );
  const column = `{"before":${row("after")},"after":${row("after")},"source":{},"op":"u"}`;
  assert.type(read(change(named), record({ headers, value: bytesOf(column) })), "string");

  const told = (members: string) =>
    read(legacy(), record({ key: bytesOf("1"), value: bytesOf(`{"ID":1,${members}}`) }));
  const right = told('"NAME":"a","scn":"9","op_type":"I"');
  assert.is(typeof right, "object");
  assert.equal(told(`"NAME":${JSON.stringify(text)},"scn":"9","op_type":"I"`), right);
  assert.equal(told('"X":{"a":1,"scn":"3","op_type":"D"},"op_type":"I","scn":"9"'), right);
  assert.equal(told('"op_type":"I","NAME":"a","scn":"9","op_ts":null'), right);
});

reader("knows an unreadable legacy record by its key, however it is written, or not at all", () => {
  const keyIn = (shape: TableShape, key: string | null) => {
    const into = new ByteSink(8);
    const parts = inPlace([record({ key: key === null ? null : bytesOf(key), value: null })]);
    const found = unreadableReader(shape, FORMAT, work)(parts, 0, oneSink(into))?.slice();
    const [tuple] = tuplesOf(into.view());
    assert.equal(tuple && [tuple.event, tuple.scn, tuple.key, tuple.row], found && [UNREADABLE, 0n, [...found], []]);
    return found && fieldsOf(found).map((field) => field.is === "value" && String.fromCharCode(...field.bytes));
  };
  const struct = '{"type":"struct","fields":[{"type":"int32","field":"ID"}]}';
  for (const key of ["1", '{"ID":1}', ' { "ID" : 1 } ', `{"schema":${struct},"payload":{"ID":1}}`])
    assert.equal(keyIn(SHAPE, key), ["1"], key);
  for (const key of [null, "", "\u0000avro", '{"OTHER":1}', '"one"']) assert.is(keyIn(SHAPE, key), undefined, `${key}`);
  assert.is(keyIn({ ...SHAPE, key: [] }, "1"), undefined);
});

reader("takes a byte order mark for part of a member's name", () => {
  const value = bytesOf(
    '{"before":null,"after":{"\uFEFFID":1,"NAME":"a"},"source":{"scn":"7","commit_scn":"9"},"op":"u"}',
  );
  assert.type(read(change(), record({ value })), "string");
});

reader.run();
