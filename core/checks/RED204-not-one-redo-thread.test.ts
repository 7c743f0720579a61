import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, saidBy, thread, unseen } from "../doctor/testing/build-preflight.ts";
import { notOneRedoThread } from "./RED204-not-one-redo-thread.ts";

const check = suite("RED204 one enabled redo thread");

check("passes for one, whatever others were disabled", () => {
  assert.match(saidBy(notOneRedoThread), "pass: redo thread 1");
  assert.match(
    saidBy(notOneRedoThread, { threads: known([thread(2n), thread(1n, "DISABLED")]) }),
    "pass: redo thread 2",
  );
});

check("fails for several, and for none", () => {
  const several = known([thread(1n), thread(2n, "PRIVATE")]);
  assert.match(saidBy(notOneRedoThread, { threads: several }), "fail: 2 redo threads are enabled: 1, 2");
  assert.match(saidBy(notOneRedoThread, { threads: known([]) }), /^fail/);
});

check("is unknown where they can't be seen", () => {
  assert.match(saidBy(notOneRedoThread, { threads: unseen() }), /^unknown/);
});

check.run();
