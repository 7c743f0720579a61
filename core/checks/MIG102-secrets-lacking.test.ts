import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { secretsLacking } from "./MIG102-secrets-lacking.ts";

const check = suite("MIG102 settings that are still masked");

check("passes where every value is given", () => {
  assert.is(effectOf(secretsLacking, cutover()), "none");
});

check("refuses, names each, and where values belong", () => {
  const on = cutover({ lacking: ["cdc.database.password", "value.converter.basic.auth.user.info"] });
  assert.is(effectOf(secretsLacking, on, intent({ accept: ["MIG102"] })), "blocks");
  assert.match(
    saidBy(secretsLacking, on),
    /^of cdc\.database\.password and value\.converter\.basic\.auth\.user\.info there is only the mask .*\n.*context's file.*--config/,
  );
});

check.run();
