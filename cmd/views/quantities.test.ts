import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isUtc, showInstant, showRange } from "./layout.ts";

const quantities = suite("quantities for people");

quantities("a moment is shown to the second, in UTC", () => {
  assert.is(showInstant("2026-11-20T19:02:11Z"), "2026-11-20 19:02:11Z");
  assert.is(showInstant("2026-11-20T19:02:11.987Z"), "2026-11-20 19:02:11Z");
});

quantities("a range of one is named alone", () => {
  assert.is(showRange("sequence", 118n, 118n), "sequence 118");
  assert.is(showRange("sequence", 118n, 121n), "sequences 118 to 121");
});

quantities("a server on UTC needs no note, however it reports its zone", () => {
  for (const zone of ["+00:00", "-00:00", "UTC", "Z", "GMT"]) assert.ok(isUtc(zone), zone);
  for (const zone of ["+01:00", "-00:30", "Europe/Zurich", ""]) assert.not(isUtc(zone), zone);
});

quantities.run();
