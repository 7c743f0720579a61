import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { MetricValue } from "../../core/facts/connector/task-metrics.ts";
import {
  arrayList,
  arrayOf,
  boxedBoolean,
  boxedInteger,
  boxedLong,
  classOf,
  composite,
  hashSet,
  objectOf,
  table,
  treeMap,
} from "../sandbox/jmx/build-graph.ts";
import { attributeValue } from "./attribute-value.ts";
import { GraphProblem, type JavaValue } from "./java-graph.ts";

const values = suite("the value of an attribute");

const bytes = (...all: readonly number[]): JavaValue => ({ kind: "array", type: "[B", items: Buffer.from(all) });
const number = (signum: bigint, magnitude: JavaValue) =>
  objectOf("java.math.BigInteger", { Isignum: signum, "[magnitude": magnitude });
const collection = (tag: bigint, items: readonly JavaValue[]) =>
  objectOf("java.util.CollSer", { Itag: tag }, [Buffer.alloc(4), ...items]);

const MEANINGS: readonly (readonly [string, JavaValue, MetricValue])[] = [
  ["null", null, null],
  ["a long above 2^53", boxedLong(9_007_199_254_740_993n), 9_007_199_254_740_993n],
  ["an int", boxedInteger(-1n), -1n],
  ["a boolean", boxedBoolean(true), true],
  ["a double", objectOf("java.lang.Double", { Dvalue: 1.25 }), 1.25],
  ["a text", "HR", "HR"],
  ["an enum", { kind: "enum", type: "a.State", constant: "MINING" }, "MINING"],
  ["an array of longs", arrayOf("[J", [1n, 2n]), [1n, 2n]],
  ["an array of bytes", bytes(1, 255), [1n, -1n]],
  ["a list", arrayList([boxedLong(1n), null]), [1n, null]],
  ["a set", hashSet(["a"]), ["a"]],
  ["List.of", collection(1n, ["a", "b"]), ["a", "b"]],
  ["Map.of", collection(3n, ["a", boxedLong(1n)]), new Map([["a", 1n]])],
  ["a map", treeMap([["a", boxedLong(1n)]]), new Map([["a", 1n]])],
  ["an unmodifiable list", objectOf("java.util.Collections$UnmodifiableList", { Llist: arrayList(["a"]) }), ["a"]],
  ["a BigInteger", number(-1n, bytes(1, 0, 0, 0, 0, 0, 0, 0, 0)), -(2n ** 64n)],
  ["the BigInteger 0", number(0n, bytes()), 0n],
  [
    "composite data",
    composite({ xid: "5.31.1", firstScn: boxedLong(7n) }),
    new Map<string, MetricValue>([
      ["firstScn", 7n],
      ["xid", "5.31.1"],
    ]),
  ],
  [
    "tabular data",
    table([composite({ a: "1" }), composite({ a: "2" })]),
    [new Map([["a", "1"]]), new Map([["a", "2"]])],
  ],
];
for (const [what, graph, meaning] of MEANINGS)
  values(`${what} is read`, () => {
    assert.equal(attributeValue(graph), meaning);
  });

const loop = arrayList([]);
(loop.written.get("java.util.ArrayList") as JavaValue[]).push(loop);
const REFUSED: readonly (readonly [string, JavaValue, RegExp])[] = [
  ["an unknown class", objectOf("com.example.Odd"), /holds a com\.example\.Odd, a class that cdcctl does not read/],
  ["an unknown class within a row", composite({ a: objectOf("com.example.Odd") }), /com\.example\.Odd/],
  ["a class", classOf("a.B"), /java\.lang\.Class/],
  ["a list that holds itself", loop, /more than 200000 values, or is nested more than 100 deep/],
  ["a map whose keys are not strings", treeMap([[boxedLong(1n), "a"]]), /keys are not strings/],
  ["a box without its value", objectOf("java.lang.Long"), /a value without its field/],
  ["a BigInteger without digits", objectOf("java.math.BigInteger", { Isignum: 1n }), /without its digits/],
  ["a BigInteger of 1 kB", number(1n, bytes(...Array.from({ length: 1_000 }, () => 1))), /a number of 1000 bytes/],
  ["a table without rows", objectOf("javax.management.openmbean.TabularDataSupport"), /a table of an unknown kind/],
  ["a collection of no kind", collection(9n, []), /a collection of an unknown kind/],
];
for (const [what, graph, problem] of REFUSED)
  values(`${what} is rejected with a message`, () => {
    assert.throws(
      () => attributeValue(graph),
      (error: unknown) => error instanceof GraphProblem && problem.test(error.message),
    );
  });

values.run();
