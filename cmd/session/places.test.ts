import { homedir } from "node:os";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Host } from "../host.ts";
import { homeOf, openState } from "./places.ts";

const places = suite("the places of contexts and state");
const host = (env: Record<string, string>): Host => ({ env }) as unknown as Host;

places("the home folder is never the working folder, which may be an untrusted checkout", () => {
  assert.is(homeOf(host({ HOME: "/home/ana" })), "/home/ana");
  assert.is(homeOf(host({ HOME: "." })), undefined);
  assert.is(homeOf(host({ HOME: "relative" })), undefined);
  const home = process.env["HOME"];
  delete process.env["HOME"];
  try {
    assert.is(homeOf(host({})), homedir());
    assert.ok(homedir().startsWith("/"));
  } finally {
    if (home !== undefined) process.env["HOME"] = home;
  }
});

places("state is in the first place that is given", () => {
  const env = { HOME: "/home/ana", XDG_STATE_HOME: "/var/state", CDCCTL_STATE: "/srv/state" };
  assert.is(openState({ state: "/here" }, host(env)).place, "/here");
  assert.is(openState({}, host(env)).place, "/srv/state");
  assert.is(openState({}, host({ ...env, CDCCTL_STATE: "" })).place, "/var/state/cdcctl");
  assert.is(
    openState({}, host({ HOME: "/home/ana", XDG_STATE_HOME: "relative" })).place,
    "/home/ana/.local/state/cdcctl",
  );
  assert.throws(() => openState({}, host({ HOME: "relative" })), /no home folder/);
});

places.run();
