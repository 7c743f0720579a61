import { suite } from "uvu";
import * as assert from "uvu/assert";
import { counted, grouped, isUtc, showBytes, showInstant, showRange } from "./quantities.ts";

const quantities = suite("quantities as people say them");

quantities("a moment is shown to the second, in UTC", () => {
  assert.is(showInstant("2026-11-20T19:02:11Z"), "2026-11-20 19:02:11Z");
  assert.is(showInstant("2026-11-20T19:02:11.987Z"), "2026-11-20 19:02:11Z");
});

quantities("bytes have three digits or fewer, and never pass through a double", () => {
  for (const [bytes, shown] of [
    [0n, "0 bytes"],
    [1n, "1 byte"],
    [999n, "999 bytes"],
    [1000n, "1 kB"],
    [1_550_000n, "1.6 MB"],
    [1_600_000_000n, "1.6 GB"],
    [104_857_600n, "104 MB"],
    [999_999n, "1 MB"],
    [2n ** 80n, "1,208,925,819 PB"],
  ] as const)
    assert.is(showBytes(bytes), shown, `${bytes}`);
});

quantities("counts have their noun", () => {
  assert.is(counted(1n, "archived log"), "1 archived log");
  assert.is(counted(0, "archived log"), "0 archived logs");
  assert.is(counted(99_990, "check"), "99,990 checks");
  assert.is(grouped(1234567n), "1,234,567");
  assert.is(showRange("sequence", 118n, 118n), "sequence 118");
  assert.is(showRange("sequence", 118n, 121n), "sequences 118 to 121");
});

quantities("a server on UTC needs no note, however it says so", () => {
  for (const zone of ["+00:00", "-00:00", "UTC", "Z", "GMT"]) assert.ok(isUtc(zone), zone);
  for (const zone of ["+01:00", "-00:30", "Europe/Zurich", ""]) assert.not(isUtc(zone), zone);
});

quantities.run();
