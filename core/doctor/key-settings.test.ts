import { suite } from "uvu";
import * as assert from "uvu/assert";
import { keySettings } from "./settings.ts";

const settings = suite("what the configuration says of keys");

settings("is the connector's default where it says nothing", () => {
  assert.equal(keySettings({}, "c.json"), { missing: "fail", columns: undefined });
  assert.equal(keySettings({ "cdc.key.missing": " ROWID ", "cdc.key.columns": " A.B:C " }, "c.json"), {
    missing: "rowid",
    columns: "A.B:C",
  });
});

settings("is refused where the connector would not know it", () => {
  assert.throws(() => keySettings({ "cdc.key.missing": "skip" }, "c.json"), /cdc.key.missing is "skip"/);
});

settings.run();
