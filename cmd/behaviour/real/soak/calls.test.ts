import { suite } from "uvu";
import * as assert from "uvu/assert";
import { changingCall } from "./calls.ts";

const CALLS: readonly (readonly [name: string, method: string | undefined, path: string | undefined])[] = [
  ["PUT stop soak-1", "PUT", "/soak-1/stop"],
  ["PUT resume soak-1", "PUT", "/soak-1/resume"],
  ["POST connector move-1-cdc", "POST", "/connectors"],
  ["DELETE offsets of move-1-cdc", "DELETE", "/move-1-cdc/offsets"],
  ["DELETE connector move-1-cdc", "DELETE", "/connectors/move-1-cdc"],
  ["DELETE topic move-1-cdc.cdc.ops", undefined, undefined],
  ["CREATE topic soak-1.cdc.signals", undefined, undefined],
  ["null records to move-1-cdc.cdc.txjournal", undefined, undefined],
];

const calls = suite("calls that a trial aims at");
for (const [name, method, path] of CALLS)
  calls(`${name} ${method === undefined ? "goes to the brokers" : "goes to a worker"}`, () => {
    const { entry, http } = changingCall(name);
    assert.is(entry, `"call":"${name}`);
    assert.equal([http?.method, http?.path], [method, path]);
  });
calls.run();
