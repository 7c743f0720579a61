import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { arrayList, arrayOf, classOf, composite, exception, objectOf, stub } from "../sandbox/jmx/build-graph.ts";
import { encodeGraph } from "../sandbox/jmx/encode-graph.ts";
import { byteQueue } from "./byte-queue.ts";
import {
  ANSWER_LIMITS,
  FIRST_HANDLE,
  type GraphLimits,
  GraphProblem,
  isObject,
  type JavaClass,
  type JavaValue,
  SC,
  SenderAborted,
  STREAM_HEADER,
  TC,
} from "./java-graph.ts";
import { GraphReader } from "./read-graph.ts";

/** Reads one value that arrives in pieces. @returns undefined where bytes are missing at the end */
function readBytes(
  bytes: Buffer,
  { limits = ANSWER_LIMITS, piece = bytes.length }: { readonly limits?: GraphLimits; readonly piece?: number } = {},
): { readonly value: JavaValue; readonly left: number } | undefined {
  const queue = byteQueue();
  const reader = new GraphReader(queue, limits);
  const pull = (function* () {
    yield* reader.header();
    return yield* reader.value();
  })();
  for (let at = 0; ; at += piece) {
    const { done, value } = pull.next();
    if (done) return { value, left: Math.max(0, bytes.length - at) + queue.length };
    if (at >= bytes.length) return undefined;
    queue.push(bytes.subarray(at, at + piece));
  }
}

const graphs = suite("a Java serialization stream");

// What Java 17 wrote for `new java.util.ArrayList<>(List.of(9007199254740993L))`.
const RECORDED =
  "aced0005737200136a6176612e7574696c2e41727261794c6973747881d21d99c7619d03000149000473697a65" +
  "7870000000017704000000017372000e6a6176612e6c616e672e4c6f6e673b8be490cc8f23df0200014a000576" +
  "616c7565787200106a6176612e6c616e672e4e756d62657286ac951d0b94e08b0200007870002000000000000178";

graphs("a stream written by Java is read, and no byte remains", () => {
  const read = readBytes(Buffer.from(RECORDED, "hex"));
  assert.is(read?.left, 0);
  const list = read?.value;
  assert.ok(isObject(list) && list.class.name === "java.util.ArrayList");
  const item = list.written.get("java.util.ArrayList")?.[1];
  assert.ok(!Buffer.isBuffer(item) && isObject(item));
  assert.is(item.fields.get("value"), 9_007_199_254_740_993n);
  assert.is(item.class.parent?.name, "java.lang.Number");
});

// ---- Any graph ------------------------------------------------------------------------------------------------------

const whole = (bits: bigint) => fc.bigInt({ min: -(2n ** (bits - 1n)), max: 2n ** (bits - 1n) - 1n });
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 8 });
const PRIMITIVE: Readonly<Record<string, fc.Arbitrary<JavaValue>>> = {
  B: whole(8n),
  C: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)),
  D: fc.double(),
  F: fc.float(),
  I: whole(32n),
  J: whole(64n),
  S: whole(16n),
  Z: fc.boolean(),
};
const types = Object.keys(PRIMITIVE);

const anyGraph: fc.Arbitrary<JavaValue> = fc.letrec<{ value: JavaValue; class: JavaClass }>((tie) => ({
  class: fc
    .record({
      name: anyText,
      flags: fc.constantFrom(0, SC.SERIALIZABLE, SC.SERIALIZABLE | SC.WRITE_METHOD, SC.EXTERNALIZABLE | SC.BLOCK_DATA),
      fields: fc.array(fc.constantFrom(...types, "L", "["), { maxLength: 4 }),
      parent: fc.option(tie("class"), { nil: undefined, maxDepth: 3 }),
      proxy: fc.boolean(),
    })
    .map(({ name, flags, fields, parent, proxy }): JavaClass => {
      const level = ancestors(parent);
      if (proxy) return { ...classOf(`proxy of ${level} ${name}`), interfaces: [`${level} ${name}`], parent };
      // No two classes of one hierarchy share a field name, so that every field is visible.
      const described = fields.map((type, at) => ({ type, name: `${level}.${at}` }));
      return classOf(`${level} ${name}`, { flags, fields: described, parent });
    }),
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant(null),
    anyText,
    fc.tuple(anyText, anyText).map(([type, constant]) => ({ kind: "enum", type, constant }) as const),
    fc
      .constantFrom(...types.filter((type) => type !== "B"))
      .chain((type) =>
        fc.array(PRIMITIVE[type] ?? fc.boolean(), { maxLength: 4 }).map((items) => arrayOf(`[${type}`, items)),
      ),
    fc
      .uint8Array({ maxLength: 300 })
      .map((bytes) => ({ kind: "array", type: "[B", items: Buffer.from(bytes) }) as const),
    fc.array(tie("value"), { maxLength: 4 }).map((items) => arrayOf("[Ljava.lang.Object;", items)),
    tie("value").map((one) => arrayOf("[[Lx;", [one, one])),
    tie("class").chain((described) => anyObject(described, tie("value"))),
  ),
})).value;

function ancestors(of: JavaClass | undefined): number {
  return of === undefined ? 0 : 1 + ancestors(of.parent);
}

function anyObject(described: JavaClass, value: fc.Arbitrary<JavaValue>): fc.Arbitrary<JavaValue> {
  const line: JavaClass[] = [];
  for (let one: JavaClass | undefined = described; one !== undefined; one = one.parent) line.push(one);
  const serializable = line.filter(({ flags }) => (flags & SC.SERIALIZABLE) !== 0);
  const fields = serializable.flatMap((one) =>
    one.fields.map(({ type, name }) => [name, PRIMITIVE[type] ?? value] as const),
  );
  const writing = line.filter(({ flags }) => (flags & (SC.WRITE_METHOD | SC.EXTERNALIZABLE)) !== 0);
  const block = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
  return fc
    .tuple(
      fc.tuple(...fields.map(([, arbitrary]) => arbitrary)),
      fc.tuple(...writing.map(() => fc.array(fc.oneof(block, value), { maxLength: 3 }))),
    )
    .map(([values, written]) => ({
      kind: "object",
      class: described,
      fields: new Map(fields.map(([name], at) => [name, values[at] ?? null])),
      written: new Map(writing.map(({ name }, at) => [name, written[at] ?? []])),
    }));
}

graphs("any graph is read as it was written, however its bytes are split", async () => {
  await fc.assert(
    fc.property(anyGraph, fc.integer({ min: 1, max: 40 }), (graph, piece) => {
      const bytes = encodeGraph([graph]);
      const read = readBytes(bytes, { piece });
      assert.is(read?.left, 0);
      assert.equal(read?.value, graph);
    }),
    { numRuns: 300 },
  );
});

graphs("a graph truncated anywhere waits for the rest, and never yields a partial value", async () => {
  await fc.assert(
    fc.property(anyGraph, fc.nat(), (graph, at) => {
      const bytes = encodeGraph([graph]);
      assert.is(readBytes(bytes.subarray(0, at % bytes.length)), undefined);
    }),
    { numRuns: 300 },
  );
});

graphs("a mutated graph is read, waits, or is rejected with a message", async () => {
  const mutation = fc.record({ at: fc.nat(), byte: fc.nat(255) });
  const seen = new Set<string>();
  await fc.assert(
    fc.property(anyGraph, fc.array(mutation, { minLength: 1, maxLength: 4 }), (graph, mutations) => {
      const bytes = encodeGraph([graph, null]);
      for (const { at, byte } of mutations) bytes[at % bytes.length] = byte;
      try {
        seen.add(readBytes(bytes) === undefined ? "waits" : "read");
      } catch (error) {
        if (!(error instanceof GraphProblem) && !(error instanceof SenderAborted)) throw error;
        seen.add("refused");
        assert.ok(error.message.length < 500);
      }
    }),
    { numRuns: 1000 },
  );
  assert.equal([...seen].sort(), ["read", "refused", "waits"]);
});

graphs("noise is rejected, or waits", async () => {
  await fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
      try {
        readBytes(Buffer.concat([STREAM_HEADER, noise]));
      } catch (error) {
        if (!(error instanceof GraphProblem) && !(error instanceof SenderAborted)) throw error;
      }
    }),
    { numRuns: 500 },
  );
});

// ---- Forms ----------------------------------------------------------------------------------------------------------

graphs("an object that refers to itself is one object", () => {
  const read = readBytes(encodeGraph([exception("java.lang.Exception", "it went wrong")]));
  assert.ok(isObject(read?.value) && read.value.fields.get("cause") === read.value);
});

graphs("an object referenced twice is read once", () => {
  const shared = arrayList(["x"]);
  const read = readBytes(encodeGraph([arrayOf("[Lx;", [shared, shared])]))?.value;
  assert.ok(typeof read === "object" && read?.kind === "array" && !Buffer.isBuffer(read.items));
  assert.ok(read.items[0] === read.items[1] && read.items[0] !== undefined);
});

graphs("a reset clears earlier handles", () => {
  const bytes = (...parts: readonly (Buffer | number)[]) =>
    Buffer.concat([STREAM_HEADER, ...parts.map((part) => (Buffer.isBuffer(part) ? part : Buffer.from([part])))]);
  const reference = Buffer.from([TC.REFERENCE, 0x00, 0x7e, 0x00, 0x00]);
  assert.is(readBytes(bytes(TC.RESET, TC.RESET, TC.NULL))?.value, null);
  assert.throws(() => readBytes(bytes(TC.RESET, reference)), /a reference to object 0, of 0/);
});

graphs("if the sender aborted, its exception is reported", () => {
  const [, ...tail] = [0, ...encodeGraph([exception("java.io.NotSerializableException", "a.B")]).subarray(4)];
  const broken = Buffer.concat([
    STREAM_HEADER,
    Buffer.from([TC.ARRAY]),
    encodeGraph([classOf("[Ljava.lang.Object;")]).subarray(4),
    Buffer.from([0, 0, 0, 1, TC.EXCEPTION, ...tail]),
  ]);
  try {
    readBytes(broken);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, SenderAborted);
    const thrown = (error as SenderAborted).exception;
    assert.ok(isObject(thrown) && thrown.class.name === "java.io.NotSerializableException");
  }
});

// ---- Hostile --------------------------------------------------------------------------------------------------------

const stream = (...bytes: readonly (number | Buffer)[]): Buffer =>
  Buffer.concat([STREAM_HEADER, ...bytes.map((one) => (Buffer.isBuffer(one) ? one : Buffer.from([one])))]);
const described = (name: string, change: Partial<JavaClass> = {}) => encodeGraph([classOf(name, change)]).subarray(4);
const MOST = Buffer.from([0x7f, 0xff, 0xff, 0xff]);
const LEAST = Buffer.from([0x80, 0, 0, 0]);
const handle = (at: number) => {
  const bytes = Buffer.from([TC.REFERENCE, 0, 0, 0, 0]);
  bytes.writeInt32BE(FIRST_HANDLE + at, 1);
  return bytes;
};

const HOSTILE: readonly (readonly [string, () => Buffer, RegExp])[] = [
  ["another header", () => Buffer.from("HTTP/1.1 400"), /damaged: the header 48545450/],
  ["an array of 2147483647 longs", () => stream(TC.ARRAY, described("[J"), MOST), /more than 200000 values/],
  ["an array of 2147483647 bytes", () => stream(TC.ARRAY, described("[B"), MOST), /more than 4194304 bytes/],
  ["an array of 2147483647 objects", () => stream(TC.ARRAY, described("[La;"), MOST), /an array of 2147483647 objects/],
  ["an array of less than nothing", () => stream(TC.ARRAY, described("[La;"), LEAST), /a length of -2147483648/],
  ["a text of 2^62 bytes", () => stream(TC.LONGSTRING, 0x40, Buffer.alloc(7)), /a text of 4611686018427387904 bytes/],
  ["a text of -1 bytes", () => stream(TC.LONGSTRING, Buffer.alloc(8, 0xff)), /a text of -1 bytes/],
  ["a text that is not UTF-8", () => stream(TC.STRING, 0, 2, 0xc0, 0x20), /not in Java's UTF-8/],
  [
    "endless nesting",
    () =>
      stream(
        Buffer.concat(Array.from({ length: 200 }, () => stream(TC.ARRAY, described("[La;"), 0, 0, 0, 1).subarray(4))),
      ),
    /nested more than 100 deep/,
  ],
  [
    "a class that is its own parent",
    () => stream(TC.OBJECT, TC.CLASSDESC, 0, 1, 0x61, Buffer.alloc(8), 2, 0, 0, TC.ENDBLOCKDATA, handle(0)),
    /refers to itself/,
  ],
  [
    "a class whose annotation is a class, and so on",
    () =>
      stream(Buffer.concat(Array.from({ length: 300 }, () => Buffer.from([TC.CLASS, TC.PROXYCLASSDESC, 0, 0, 0, 0])))),
    /nested more than 100 deep/,
  ],
  ["exceptions in exceptions", () => stream(...Array.from({ length: 10_000 }, () => TC.EXCEPTION)), /exception within/],
  ["nothing but resets", () => stream(Buffer.alloc(5_000_000, TC.RESET)), /more than 4194304 bytes/],
  [
    "an object of a class that is a text",
    () => stream(TC.ARRAY, described("[La;"), 0, 0, 0, 2, TC.STRING, 0, 0, TC.OBJECT, handle(1)),
    /a class that is something else/,
  ],
  ["a reference to nothing", () => stream(handle(7)), /a reference to object 7, of 0/],
  ["an object without a class", () => stream(TC.OBJECT, TC.NULL), /without a class/],
  [
    "a field of no type",
    () => stream(TC.OBJECT, TC.CLASSDESC, 0, 1, 0x61, Buffer.alloc(8), 2, 0, 1, 0x51, 0, 1, 0x62),
    /a field of type Q/,
  ],
  [
    "a class that only itself can read",
    () => encodeGraph([{ ...objectOf("a.B"), class: classOf("a.B", { flags: SC.EXTERNALIZABLE }) }]),
    /only the class a\.B itself/,
  ],
  [
    "60,000 empty objects",
    () =>
      stream(
        TC.ARRAY,
        described("[La;"),
        0,
        0,
        0xff,
        0xff,
        TC.OBJECT,
        described("a"),
        Buffer.concat(Array.from({ length: 60_000 }, () => stream(TC.OBJECT, handle(2)).subarray(4))),
      ),
    /more than 50000 handles/,
  ],
  [
    "1,000 classes",
    () => stream(TC.ARRAY, described("[La;"), 0, 0, 0x10, 0, ...Array.from({ length: 1_000 }, () => described("a"))),
    /more than 500 classes/,
  ],
];
for (const [what, bytes, problem] of HOSTILE)
  graphs(`${what}: rejected with a message`, () => {
    assert.throws(
      () => readBytes(bytes()),
      (error: unknown) => error instanceof GraphProblem && problem.test(error.message),
    );
  });

graphs("announced data that does not arrive takes no memory", () => {
  const announced = stream(TC.ARRAY, described("[B"), 0, 0x3f, 0, 0);
  const before = process.memoryUsage().arrayBuffers;
  for (let at = 0; at < 50; at++) assert.is(readBytes(announced), undefined);
  assert.ok(process.memoryUsage().arrayBuffers - before < 20_000_000);
});

graphs("a stub and a row of transactions are far within the limits", () => {
  const rows = Array.from({ length: 20 }, (_, at) => composite({ xid: `5.31.${at}`, username: "X".repeat(128) }));
  const bytes = encodeGraph([arrayOf("[Lx;", [stub(), ...rows])]);
  const tenth = { bytes: 400_000, depth: 20, handles: 5_000, values: 20_000, classes: 50 };
  assert.is(readBytes(bytes, { limits: { ...tenth, classes: 500 } })?.left, 0);
});

graphs.run();
