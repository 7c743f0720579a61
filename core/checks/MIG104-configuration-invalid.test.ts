import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { configurationInvalid } from "./MIG104-configuration-invalid.ts";

const check = suite("MIG104 a configuration that a worker finds invalid");

const problems = known([
  { setting: "cdc.lob.mode", errors: ["Invalid value sometimes", "it is one of skip, inline"] },
  { setting: "cdc.database.password", errors: ["ORA-01017"] },
]);

check("passes where the worker finds nothing", () => {
  assert.is(effectOf(configurationInvalid, cutover()), "none");
});

check("refuses, with each setting and what the worker says of it", () => {
  const on = cutover({ problems });
  assert.is(effectOf(configurationInvalid, on, intent({ accept: ["MIG104"] })), "blocks");
  assert.match(
    saidBy(configurationInvalid, on),
    /^cdc\.lob\.mode: Invalid value sometimes it is one of skip, inline; cdc\.database\.password: ORA-01017/,
  );
});

check("goes by nothing that is said of a mask", () => {
  assert.not.match(saidBy(configurationInvalid, cutover({ problems, lacking: ["cdc.database.password"] })), "password");
});

check("says no more than a line of a long answer", () => {
  const long = known([{ setting: "cdc.lob.mode", errors: [`bad\n\tat ${"x".repeat(5000)}`] }]);
  const said = saidBy(configurationInvalid, cutover({ problems: long }));
  assert.ok(said.length < 600 && !said.split("\n", 1)[0]?.includes("\t"));
});

check("never passes where no worker could be asked; leaves a class that is missing to MIG103", () => {
  for (const parts of [{ problems: unseen() }, { installed: unseen() }]) {
    assert.is(verdictOf(configurationInvalid, cutover(parts)), "unknown");
    assert.is(effectOf(configurationInvalid, cutover(parts)), "blocks");
    assert.match(saidBy(configurationInvalid, cutover(parts)), /\n.*\/connector-plugins/);
    assert.not.match(saidBy(configurationInvalid, cutover(parts)), "Correct");
  }
  assert.is(effectOf(configurationInvalid, cutover({ installed: known(false) })), "none");
});

check.run();
