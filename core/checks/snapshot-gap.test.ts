import { suite } from "uvu";
import * as assert from "uvu/assert";
import { archived, CATALOGUE } from "../kinds/offset-change/testing/build-facts.ts";
import { effectOf, intent, PURGED, pastTheGap, reading, resultOf } from "../kinds/resnapshot/testing/build-facts.ts";
import { noReason, noScnAfterGap } from "./snapshot-gap.ts";

const SNP905 = suite("SNP905 no SCN after the gap");

SNP905("passes where all redo is available, and where it begins again", () => {
  assert.is(effectOf(noScnAfterGap, reading()), "none");
  assert.is(effectOf(noScnAfterGap, pastTheGap()), "none");
});

SNP905("refuses where redo is missing up to now, and suggests restoring the logs first", () => {
  const on = reading({ catalogue: PURGED, unopened: ["/redo/redo01.log"] });
  const [seen, first, last] = resultOf(noScnAfterGap, on).split("\n");
  assert.match(seen ?? "", /^CDC-2002 .*sequence 121 .*no SCN after it has all redo up to now/);
  assert.match(first ?? "", /^Restore the logs \(RMAN\): {2}RESTORE ARCHIVELOG/);
  assert.match(last ?? "", "switch logs");
  assert.is(effectOf(noScnAfterGap, on, intent({ accept: ["SNP905"] })), "blocks");
  assert.is(effectOf(noScnAfterGap, on, intent({ by: "admin" })), "blocks");
});

SNP905("passes in archive_only where the newest archived log is purged and the online log begins after it", () => {
  const on = reading({ catalogue: PURGED, connector: { captureMode: "archive_only" } });
  assert.is(effectOf(noScnAfterGap, on), "none");
  const [current] = PURGED.online.filter(({ nextScn }) => nextScn === undefined);
  assert.is(on.gap?.to, current?.firstScn);
});

SNP905("refuses in archive_only where nothing readable is online after it either", () => {
  const catalogue = { ...PURGED, online: PURGED.online.map((log) => ({ ...log, member: undefined })) };
  assert.is(effectOf(noScnAfterGap, reading({ catalogue, connector: { captureMode: "archive_only" } })), "blocks");
});

SNP905("says so without an archive destination, and offers no RMAN command", () => {
  const on = reading({ catalogue: { ...CATALOGUE, destinations: [] } });
  const text = resultOf(noScnAfterGap, on);
  assert.match(text, "no archive destination is both VALID and LOCAL");
  assert.match(text, "cdc.archive.destination");
  assert.not.match(text, "RMAN");
});

SNP905("shows some pieces of a gap of a thousand, and the number of the others", () => {
  const logs = Array.from({ length: 2000 }, (_, i) =>
    archived(BigInt(200 + i), BigInt(2204000 + i), BigInt(2204001 + i), i % 2 === 0 ? {} : { deleted: true }),
  );
  const on = reading({
    catalogue: { ...CATALOGUE, archived: logs, online: [] },
    stored: { v: 1n, resume_scn: 2204000n, dbid: 2914731n, resetlogs_scn: 1n },
  });
  const text = resultOf(noScnAfterGap, on);
  assert.match(text, /; and 99\d more/);
  assert.match(text, /… and 99\d more commands/);
  assert.ok(text.length < 5000);
});

const SNP908 = suite("SNP908 no reason for moving the offset");

const without = intent({ by: "admin", metadata: { name: "resnapshot", reason: "", ticket: undefined } });

SNP908("is not required for a signal alone", () => {
  assert.is(effectOf(noReason, reading({}, without), without), "none");
});

SNP908("refuses a move past the gap without one, with --reason as the remedy", () => {
  for (const reason of ["", "  "]) {
    const wanted = { ...without, metadata: { ...without.metadata, reason } };
    assert.is(effectOf(noReason, pastTheGap({}, wanted), wanted), "blocks");
    assert.match(resultOf(noReason, pastTheGap({}, wanted), wanted), "--reason TEXT");
  }
});

SNP908("leads a plan file without one to its setting", () => {
  const wanted = intent({ metadata: { name: "resnapshot", reason: " ", ticket: undefined } });
  assert.match(resultOf(noReason, pastTheGap({}, wanted), wanted), /\nGive a reason: {2}metadata\.reason$/);
});

SNP908("passes with a reason", () => {
  assert.is(effectOf(noReason, pastTheGap()), "none");
});

SNP905.run();
SNP908.run();
