import { suite } from "uvu";
import * as assert from "uvu/assert";
import { counted, showBytes, showCount } from "./amounts.ts";

const amounts = suite("amounts for people");

amounts("bytes have three digits or fewer, and never pass through a double", () => {
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

amounts("counts have their noun", () => {
  assert.is(counted(1n, "archived log"), "1 archived log");
  assert.is(counted(0, "archived log"), "0 archived logs");
  assert.is(counted(99_990, "check"), "99,990 checks");
  assert.is(showCount(1234567n), "1,234,567");
});

amounts.run();
