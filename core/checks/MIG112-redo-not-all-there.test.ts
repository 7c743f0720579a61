import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { CATALOGUE, known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { redoNotAllThere } from "./MIG112-redo-not-all-there.ts";

const check = suite("MIG112 redo from the start");

const GONE = { ...CATALOGUE, archived: CATALOGUE.archived.filter(({ sequence }) => sequence !== 119n) };

check("passes where every log is there and was opened", () => {
  assert.is(effectOf(redoNotAllThere, cutover()), "none");
});

check("refuses a log that is gone, or can't be opened, with the RMAN command", () => {
  for (const parts of [{ catalogue: GONE }, { unopened: ["/arch/1_119_1.arc"] }]) {
    assert.is(verdictOf(redoNotAllThere, cutover(parts)), "fail");
    assert.is(effectOf(redoNotAllThere, cutover(parts), intent({ accept: ["MIG112"] })), "blocks");
    assert.match(saidBy(redoNotAllThere, cutover(parts)), "RESTORE ARCHIVELOG FROM SEQUENCE 119");
  }
});

check("is not concerned by a log below the start", () => {
  assert.is(effectOf(redoNotAllThere, cutover({ unopened: ["/arch/1_117_1.arc"] })), "none");
});

check("never passes while the catalogue or the files can't be seen", () => {
  for (const parts of [{ redo: unseen() }, { probes: unseen() }, { probes: known({ applies: false, files: [] }) }]) {
    assert.is(verdictOf(redoNotAllThere, cutover(parts)), "unknown");
    assert.is(effectOf(redoNotAllThere, cutover(parts)), "blocks");
  }
});

check("leaves a position that can't be read, or is of elsewhere, to MIG110 and MIG111", () => {
  assert.is(effectOf(redoNotAllThere, cutover({ legacy: { offsets: [] }, catalogue: GONE })), "none");
  assert.is(effectOf(redoNotAllThere, cutover({ database: { currentScn: 1n }, catalogue: GONE })), "none");
});

check.run();
