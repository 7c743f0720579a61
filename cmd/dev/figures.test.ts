import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  cyclesBetweenFolders,
  FIGURES,
  longFunctions,
  measure,
  membersOf,
  twoWayPairs,
  vagueNames,
} from "./figures.ts";

const size = suite("the size of the sources");

for (const figure of FIGURES)
  size(`${figure.what}: at most ${figure.missed?.held ?? figure.aim}`, () => {
    const now = measure(figure);
    assert.ok(now <= (figure.missed?.held ?? figure.aim), `${now}`);
    if (figure.missed !== undefined) assert.ok(figure.missed.held > figure.aim, "it is not missed any more");
  });

size("a cycle between folders is detected, also through types", () => {
  const a = ["core/a/one.ts", 'import type { Two } from "../b/two.ts";'] as const;
  const b = ["core/b/two.ts", 'import { one } from "../a/one.ts";'] as const;
  const within = ["core/a/two.ts", 'import { one } from "./one.ts";'] as const;
  assert.equal(cyclesBetweenFolders(new Map([a, b, within])), [["core/a/one.ts", "core/b/two.ts"]]);
  assert.equal(cyclesBetweenFolders(new Map([a, within])), []);
});

size("two folders that import each other are detected, also through types, and by files that do not", () => {
  const a = ["core/a/one.ts", 'import type { Two } from "../b/in/two.ts";'] as const;
  const b = ["core/b/in/two.ts", 'import { within } from "../within.ts";'] as const;
  const other = ["core/b/within.ts", 'import { three } from "../a/three.ts";'] as const;
  const three = ["core/a/three.ts", ""] as const;
  assert.equal(twoWayPairs(new Map([a, b, other, three])), ["core/a <> core/b"]);
  assert.equal(twoWayPairs(new Map([a, b, three])), []);
});

size("a function of 121 lines is too long, wherever it stands; one of 120 is not", () => {
  const lines = (count: number) => `const of = { at: () => {\n${"f();\n".repeat(count - 2)}} };`;
  assert.equal(longFunctions(lines(121)), [121]);
  assert.equal(longFunctions(lines(120)), []);
});

size("a variable named at is too vague in a scope of 13 lines, however it is bound; not in one of 12", () => {
  const scope = (first: string, count: number) => `${first}\n${"f();\n".repeat(count - 2)}}`;
  for (const first of [
    "function f(at) {",
    "const f = ({ x: [at = 1], y: { ...of } }, one) => {",
    "for (const [at, x] of list) {",
    "for (let at = 0; at < 1; ) {",
    "{ const { at } = x;",
    "class A { m(at) {",
  ]) {
    const end = first.startsWith("class") ? "}" : "";
    const names = first.includes("...of") ? ["at", "of", "one"] : ["at"];
    assert.equal(
      vagueNames(scope(first, 13) + end),
      names.map((name) => `${name} in line 1`),
      first,
    );
    assert.equal(vagueNames(scope(first, 12) + end), [], first);
  }
});

size(
  "a variable of a good name is not vague, nor a member named at, nor one in a short scope of a long function",
  () => {
    const lines = "f();\n".repeat(20);
    assert.equal(vagueNames(`function f({ at: startedAt, of: owner }) {\n${lines}}`), []);
    assert.equal(vagueNames(`const x = { at: 1, one() {\n${lines}} };`), []);
    assert.equal(vagueNames(`function f() {\n{ const at = 1; }\nlist.map((one) => one);\n${lines}}`), []);
  },
);

size("members of an interface are counted, methods and properties", () => {
  const text = "export interface Kind<T> { readonly a: T; plan(of: T): { readonly b: T } }";
  assert.is(membersOf("Kind", text), 2);
  assert.throws(() => membersOf("Kind", ""), "there is no interface Kind");
});

size.run();
