import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { epochMillis, instantIfDate, instantOf, millisBetween, parseInstant } from "./instant.ts";

const instant = suite("a moment");

const read: readonly (readonly [string, string])[] = [
  ["2026-11-20T18:30:00Z", "2026-11-20T18:30:00Z"],
  ["2026-11-20 18:30:00z", "2026-11-20T18:30:00Z"],
  ["2026-11-20T19:30:00+01:00", "2026-11-20T18:30:00Z"],
  ["2026-11-20T18:30:00-00:30", "2026-11-20T19:00:00Z"],
  ["2026-12-31T23:59:59.5-01:00", "2027-01-01T00:59:59.500Z"],
  ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"],
  ["2026-11-20T18:30:00.999999999Z", "2026-11-20T18:30:00.999Z"],
  ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
];
for (const [text, utc] of read)
  instant(`${text} is ${utc}: truncated, never rounded up`, () => assert.is(parseInstant(text), utc));

for (const text of [
  "2026-11-20T18:30:00",
  "2026-11-20",
  "2025-02-29T00:00:00Z",
  "2026-13-01T00:00:00Z",
  "2026-11-31T00:00:00Z",
  "2026-11-20T24:00:00Z",
  "2026-11-20T18:30:60Z",
  "2026-11-20T18:30Z",
  "2026-11-20T18:30:00+25:00",
  "2026-11-20T18:30:00 CET",
  "2026-11-20T18:30:00.Z",
  "9999-12-31T23:59:59-01:00",
  "0000-01-01T00:00:00+01:00",
  "yesterday",
  "",
  " 2026-11-20T18:30:00Z",
])
  instant(`"${text}" is not an instant: without a zone, or not in any calendar`, () =>
    assert.is(parseInstant(text), undefined),
  );

instant("a printed instant is read back as itself", async () => {
  await fc.assert(
    fc.property(fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }), (millis) => {
      assert.is(parseInstant(instantOf(millis)), instantOf(millis));
      assert.is(epochMillis(instantOf(millis)), millis);
    }),
  );
});

instant("the span between two is negative when the second is earlier", () => {
  assert.is(millisBetween("2026-11-20T18:30:00Z", "2026-11-20T18:30:01.500Z"), 1500);
  assert.is(millisBetween("2026-11-20T18:30:01Z", "2026-11-20T18:30:00Z"), -1000);
});

instant("a time from another system is an instant only if it can be printed as one", () => {
  assert.is(instantIfDate(0), "1970-01-01T00:00:00Z");
  assert.is(instantIfDate(253_402_300_799_999), "9999-12-31T23:59:59.999Z");
  for (const beyond of [253_402_300_800_000, -62_200_000_000_000_000, 8.64e15, 8.65e15, Number.NaN])
    assert.is(instantIfDate(beyond), undefined, String(beyond));
});

instant.run();
