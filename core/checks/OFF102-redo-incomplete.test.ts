import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  archived,
  CATALOGUE,
  effectOf,
  intent,
  known,
  move,
  reading,
  unseen,
} from "../kinds/offset-change/testing/build-facts.ts";
import { redoIncomplete } from "./OFF102-redo-incomplete.ts";

const check = suite("OFF102 redo that is not all there");

check("passes when every log is there and was opened", () => {
  assert.is(effectOf(redoIncomplete, reading()), "none");
});

check("refuses a missing sequence as CDC-2001, with the RMAN command and the nearest SCN that works", () => {
  const catalogue = { ...CATALOGUE, archived: CATALOGUE.archived.filter(({ sequence }) => sequence !== 119n) };
  const verdict = redoIncomplete.run(intent(), reading({ catalogue }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /CDC-2001.*119/);
  assert.match(
    (verdict.remedies ?? []).join("\n"),
    /RESTORE ARCHIVELOG FROM SEQUENCE 119 UNTIL SEQUENCE 119 THREAD 1;/,
  );
  assert.match((verdict.remedies ?? []).join("\n"), /nearest SCN that works: {2}2190000/);
});

check("refuses a log that the catalogue marks deleted as CDC-2002", () => {
  const catalogue = {
    ...CATALOGUE,
    archived: [...CATALOGUE.archived.slice(0, 4), archived(121n, 2204000n, 2220000n, { deleted: true, status: "D" })],
  };
  const verdict = redoIncomplete.run(intent(), reading({ catalogue }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /CDC-2002.*121/);
});

check("refuses a log that can't be opened as CDC-2002, on line or archived", () => {
  for (const file of ["/arch/1_120_1.arc", "/redo/redo01.log"]) {
    const verdict = redoIncomplete.run(intent(), reading({ unopened: [file] }));
    assert.ok(verdict.verdict === "fail");
    assert.match(verdict.seen, "CDC-2002");
    assert.match(verdict.seen, file);
  }
});

check("is not concerned by a log that ends before the target", () => {
  assert.is(effectOf(redoIncomplete, reading({ unopened: ["/arch/1_117_1.arc"] })), "none");
});

check("never passes while the catalogue or the files can't be seen, and can't be accepted", () => {
  for (const parts of [{ redo: unseen() }, { probes: unseen() }, { probes: known({ applies: false, files: [] }) }]) {
    const on = reading(parts);
    assert.is(redoIncomplete.run(intent(), on).verdict, "unknown");
    assert.is(effectOf(redoIncomplete, on, intent({ accept: ["OFF102"] })), "blocks");
    assert.is(effectOf(redoIncomplete, on, intent({ by: "admin" })), "blocks");
  }
});

check("goes by the catalogue alone where the task adds no files itself", () => {
  const on = reading({ connector: { miningMode: "range" }, probes: known({ applies: false, files: [] }) });
  assert.is(effectOf(redoIncomplete, on), "none");
});

check("leaves an SCN above the current one to the rule before it", () => {
  assert.is(effectOf(redoIncomplete, move({ from: 1n, to: 9999999n })), "none");
});

check.run();
