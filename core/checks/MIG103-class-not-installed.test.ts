import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { settings } from "../kinds/migration/testing/story.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { classNotInstalled } from "./MIG103-class-not-installed.ts";

const check = suite("MIG103 the new class on the workers");

check("passes where it is installed", () => {
  assert.is(effectOf(classNotInstalled, cutover()), "none");
});

check("refuses where it is not, and names it", () => {
  const on = cutover({ installed: known(false) });
  assert.is(effectOf(classNotInstalled, on, intent({ accept: ["MIG103"] })), "blocks");
  assert.match(saidBy(classNotInstalled, on), /connect\.prod:8083 has no sh\.oso\.connect\./);
  const other = { config: { ...settings().config, "connector.class": "org.example.Source" } };
  assert.match(
    saidBy(classNotInstalled, cutover({ installed: known(false), settings: other })),
    "neither org.example.Source nor sh.oso.connect",
  );
  const fork = "com.example.cdc.OracleCdcSourceConnector";
  assert.match(saidBy(classNotInstalled, cutover({ installed: known(false), builds: [fork] })), fork);
});

check("never passes while it can't be seen", () => {
  const on = cutover({ installed: unseen() });
  assert.is(effectOf(classNotInstalled, on), "blocks");
  assert.match(saidBy(classNotInstalled, on), "GET /connector-plugins");
  assert.not.match(saidBy(classNotInstalled, on), "Install");
});

check.run();
