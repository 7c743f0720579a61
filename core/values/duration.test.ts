import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseDuration, printDuration } from "./duration.ts";

const duration = suite("a duration");

const read: readonly (readonly [string, number])[] = [
  ["0s", 0],
  ["500ms", 500],
  ["30s", 30_000],
  ["10m", 600_000],
  ["1h30m", 5_400_000],
  ["2d", 172_800_000],
  ["1m30ms", 60_030],
];
for (const [text, millis] of read) duration(`${text} is ${millis} ms`, () => assert.is(parseDuration(text), millis));

for (const text of ["", "30", "s", "-1s", "1.5h", "1 h", "1H", "30s ", "1w", "1e3s", "9999999999s", "٣s"])
  duration(`"${text}" is not a duration`, () => assert.is(parseDuration(text), undefined));

const printed: readonly (readonly [number, string])[] = [
  [0, "0.0 s"],
  [400, "0.4 s"],
  [1000, "1 s"],
  [59_600, "1 min"],
  [1_931_000, "32 min 11 s"],
  [10_800_000, "3 h"],
  [90_061_000, "1 d 1 h"],
];
for (const [millis, text] of printed)
  duration(`${millis} ms are printed as ${text}`, () => assert.is(printDuration(millis), text));

duration.run();
