import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../errors.ts";
import { parseProperties } from "./java-properties.ts";
import { printProperties } from "./testing/print-properties.ts";

const properties = suite("java properties");

const cases: readonly (readonly [string, string, Record<string, string>])[] = [
  ["an equals sign separates key and value", "a=b", { a: "b" }],
  ["a colon separates", "a:b", { a: "b" }],
  ["blanks separate", "a b c", { a: "b c" }],
  ["blanks around the separator belong to neither side", "  a \t=\f b ", { a: "b " }],
  ["only the first separator counts", "a==b\nc=:d\ne : = f", { a: "=b", c: ":d", e: "= f" }],
  ["a key may stand alone", "a\nb=\nc:", { a: "", b: "", c: "" }],
  ["a key may be empty", "=b", { "": "b" }],
  ["comments and blank lines are skipped", "# a=b\n  ! c=d\n\n \t\ne=f # g", { e: "f # g" }],
  ["a comment is never continued", "# a \\\nb=c", { b: "c" }],
  ["an odd number of backslashes continues a line", "a=b\\\n   c\\\\\\\n  d", { a: "bc\\d" }],
  ["an even number of backslashes does not", "a=b\\\\\nc=d", { a: "b\\", c: "d" }],
  ["a continued line may start like a comment", "a=b,\\\n  #c", { a: "b,#c" }],
  ["a blank line ends a continuation", "a=b\\\n\nc=d", { a: "b", c: "d" }],
  ["a continuation at the end of the text is dropped", "a=b\\", { a: "b" }],
  ["separators in a key can be escaped", "a\\=b\\:c\\ d\\#=e", { "a=b:c d#": "e" }],
  ["letters stand for control characters", "a=\\t\\n\\r\\f\\q\\\\", { a: "\t\n\r\fq\\" }],
  ["unicode escapes are read", "\\u0061=\\u00e9\\uD83D\\uDE00", { a: "é😀" }],
  ["characters beyond ASCII are taken as they are", "grüße=日本", { grüße: "日本" }],
  ["lines end in any way", "a=1\rb=2\r\nc=3\n", { a: "1", b: "2", c: "3" }],
  ["a byte order mark is not part of the key", "\uFEFFa=1", { a: "1" }],
  ["the last of equal keys wins", "a=1\na=2", { a: "2" }],
  ["a continued key is joined", "fru\\\n  its = apple", { fruits: "apple" }],
  ["__proto__ is a key like any other", "__proto__=x", Object.fromEntries([["__proto__", "x"]])],
];
for (const [title, text, expected] of cases)
  properties(title, () => {
    assert.equal(parseProperties(text), expected);
  });

properties("a malformed unicode escape is refused with its line and without its text", () => {
  try {
    parseProperties("a=1\n\n# c\nb=se\\\n\\u00gret\nc=\\u12", "client.properties");
    assert.unreachable();
  } catch (error) {
    assert.instance(error, UsageError);
    assert.equal(
      (error as UsageError).problems.map((problem) => [problem.file, problem.line]),
      [
        ["client.properties", 4],
        ["client.properties", 6],
      ],
    );
    assert.not.match((error as UsageError).message, /gret/);
  }
});

properties("printed text is read back unchanged", () => {
  const texts = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(..." =:#!\\\t\n\r\fu0é") }),
  );
  void fc.assert(
    fc.property(fc.dictionary(texts, texts), (map) => {
      assert.equal(parseProperties(printProperties(map)), Object.fromEntries(Object.entries(map)));
    }),
  );
});

properties.run();
