import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectVersion, isAtLeast } from "./connector.ts";

const version = suite("version of a Connect worker");

const known: readonly (readonly [string, number, number])[] = [
  ["3.9.2", 3, 9],
  ["4.3.1", 4, 3],
  ["3.5.0-SNAPSHOT", 3, 5],
  ["4.0.0-rc1", 4, 0],
  ["7.6.1-ccs", 3, 6],
  ["7.4.0-ce", 3, 4],
  ["8.0.0-ccs", 4, 0],
  ["2.8", 2, 8],
];
for (const [text, major, minor] of known)
  version(`${text} is Apache Kafka ${major}.${minor}`, () => assert.equal(connectVersion(text), { major, minor }));

version("a text that is not a version, or has another numbering, is not guessed", () => {
  for (const text of ["", "unknown", "3", "v3.9", "9.0.0", "2024.1.0", "3.9 evil", "-3.9.2"])
    assert.is(connectVersion(text), undefined, text);
});

version("compares major before minor", () => {
  assert.ok(isAtLeast({ major: 4, minor: 0 }, 3, 6));
  assert.ok(isAtLeast({ major: 3, minor: 6 }, 3, 6));
  assert.not(isAtLeast({ major: 3, minor: 5 }, 3, 6));
  assert.not(isAtLeast({ major: 2, minor: 9 }, 3, 6));
});

version.run();
