import { suite } from "uvu";
import * as assert from "uvu/assert";
import * as migration from "../kinds/migration/testing/build-readings.ts";
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
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { lineOf } from "../values/remedy.ts";
import { probeDoesNotApply, redoIncomplete, redoUnseen, restoredElsewhere, severalThreads } from "./redo.ts";
import { worded } from "./testing/wording.ts";

const OFF102 = suite("OFF102 redo that is incomplete");

OFF102("passes when every log exists and was opened", () => {
  assert.is(effectOf(redoIncomplete, reading()), "none");
});

OFF102("refuses a missing sequence as CDC-2001, with the RMAN command and the nearest SCN that works", () => {
  const catalogue = { ...CATALOGUE, archived: CATALOGUE.archived.filter(({ sequence }) => sequence !== 119n) };
  const verdict = worded(redoIncomplete).run(intent(), reading({ catalogue }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /CDC-2001.*119/);
  assert.match(
    (verdict.remedies ?? []).map(lineOf).join("\n"),
    /RESTORE ARCHIVELOG FROM SEQUENCE 119 UNTIL SEQUENCE 119 THREAD 1;/,
  );
  assert.match((verdict.remedies ?? []).map(lineOf).join("\n"), /nearest SCN that works: {2}2190000/);
});

OFF102("refuses a log that the catalogue marks deleted as CDC-2002", () => {
  const catalogue = {
    ...CATALOGUE,
    archived: [...CATALOGUE.archived.slice(0, 4), archived(121n, 2204000n, 2220000n, { deleted: true, status: "D" })],
  };
  const verdict = worded(redoIncomplete).run(intent(), reading({ catalogue }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /CDC-2002.*121/);
});

OFF102("refuses a log that cannot be opened as CDC-2002, online or archived", () => {
  for (const file of ["/arch/1_120_1.arc", "/redo/redo01.log"]) {
    const verdict = worded(redoIncomplete).run(intent(), reading({ unopened: [file] }));
    assert.ok(verdict.verdict === "fail");
    assert.match(verdict.seen, "CDC-2002");
    assert.match(verdict.seen, file);
  }
});

OFF102("ignores a log that ends before the target", () => {
  assert.is(effectOf(redoIncomplete, reading({ unopened: ["/arch/1_117_1.arc"] })), "none");
});

OFF102("never passes while the catalogue or the files cannot be read, and cannot be accepted", () => {
  for (const parts of [{ redo: unseen() }, { probes: unseen() }, { probes: known({ applies: false, files: [] }) }]) {
    const on = reading(parts);
    assert.is(worded(redoIncomplete).run(intent(), on).verdict, "unknown");
    assert.is(effectOf(redoIncomplete, on, intent({ accept: ["OFF102"] })), "blocks");
    assert.is(effectOf(redoIncomplete, on, intent({ by: "admin" })), "blocks");
  }
});

OFF102("uses the catalogue only where the task adds no files itself", () => {
  const on = reading({ connector: { miningMode: "range" }, probes: known({ applies: false, files: [] }) });
  assert.is(effectOf(redoIncomplete, on), "none");
});

OFF102("leaves an SCN above the current one to the previous rule", () => {
  assert.is(effectOf(redoIncomplete, move({ from: 1n, to: 9999999n })), "none");
});

const SNP904 = suite("SNP904 redo that cannot be inspected");

SNP904("passes where the catalogue was read and every file tried, whatever the result", () => {
  assert.is(resnapshot.effectOf(redoUnseen, resnapshot.reading()), "none");
  assert.is(resnapshot.effectOf(redoUnseen, resnapshot.pastTheGap()), "none");
});

SNP904("never passes while catalogue or files cannot be read, and cannot be accepted", () => {
  for (const parts of [
    { redo: unseen() },
    { probes: unseen("ORA-01031") },
    { probes: known({ applies: false, files: [] }) },
  ]) {
    const on = resnapshot.reading(parts);
    assert.is(worded(redoUnseen).run(resnapshot.intent(), on).verdict, "unknown");
    assert.is(resnapshot.effectOf(redoUnseen, on, resnapshot.intent({ accept: ["SNP904"] })), "blocks");
    assert.is(resnapshot.effectOf(redoUnseen, on, resnapshot.intent({ by: "admin" })), "blocks");
  }
});

SNP904("says what would make it readable", () => {
  assert.match(
    resnapshot.resultOf(
      redoUnseen,
      resnapshot.reading({ redo: unseen("ORA-00942", "GRANT SELECT ON V_$ARCHIVED_LOG") }),
    ),
    "V_$ARCHIVED_LOG",
  );
});

SNP904("uses the catalogue only where the task adds no files itself", () => {
  const parts = { connector: { miningMode: "range" }, probes: known({ applies: false, files: [] }) };
  assert.is(resnapshot.effectOf(redoUnseen, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.reading(parts).way, "signal");
  assert.is(resnapshot.pastTheGap(parts).way, "past the gap");
});

SNP904("leaves a connector without a position to SNP909", () => {
  assert.is(resnapshot.effectOf(redoUnseen, resnapshot.reading({ stored: null, redo: unseen() })), "none");
});

const RED201 = suite("RED201 log files that cannot be probed");

RED201("passes where the task adds log files itself", () => {
  assert.is(effectOf(probeDoesNotApply, reading()), "none");
});

RED201("warns when mining from inside a PDB: neither a pass nor a refusal", () => {
  for (const parts of [{ connector: { miningMode: "range" } }, { database: { connectedTo: "PDB1" } }])
    assert.is(effectOf(probeDoesNotApply, reading(parts), intent()), "warns");
});

RED201("a resnapshot then uses the catalogue, with the warning, in both directions", () => {
  const parts = { connector: { miningMode: "range" }, probes: known({ applies: false, files: [] }) };
  for (const [on, way] of [
    [resnapshot.reading(parts), "signal"],
    [resnapshot.pastTheGap(parts), "past the gap"],
  ] as const) {
    assert.is(resnapshot.effectOf(probeDoesNotApply, on), "warns");
    assert.is(on.way, way);
  }
});

const RED202 = suite("RED202 copies under another destination");

const gap = CATALOGUE.archived.filter(({ sequence }) => sequence !== 119n);
const copy = archived(119n, 2170000n, 2190000n, { destination: 2n, name: "/restore/1_119_1.arc" });

RED202("passes when nothing is missing, or nothing was restored elsewhere", () => {
  assert.is(
    effectOf(restoredElsewhere, reading({ catalogue: { ...CATALOGUE, archived: [...CATALOGUE.archived, copy] } })),
    "none",
  );
  assert.is(effectOf(restoredElsewhere, reading({ catalogue: { ...CATALOGUE, archived: gap } })), "none");
});

RED202("names a copy of a missing log that the connector does not read", () => {
  const on = reading({ catalogue: { ...CATALOGUE, archived: [...gap, copy] } });
  const verdict = worded(restoredElsewhere).run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.is(verdict.seen, "thread 1 sequence 119 under destination 2");
  assert.is(effectOf(restoredElsewhere, on), "warns");
});

RED202("names five of many copies, and counts the others", () => {
  const logs = Array.from({ length: 14 }, (_, at) =>
    archived(200n + BigInt(at >> 1), 2169000n + BigInt(at >> 1), 2169001n + BigInt(at >> 1), {
      destination: at % 2 === 0 ? 2n : 1n,
      ...(at % 2 === 0 ? {} : { deleted: true, status: "D" }),
    }),
  );
  const on = reading(
    { catalogue: { ...CATALOGUE, archived: logs } },
    intent({ position: { to: "scn", scn: 2169000n } }),
  );
  const verdict = worded(restoredElsewhere).run(intent(), on);
  assert.match(verdict.verdict === "fail" ? verdict.seen : "", /sequence 204 under destination 2 and 2 more$/);
});

RED202("does not pass while the catalogue cannot be read", () => {
  assert.is(worded(restoredElsewhere).run(intent(), reading({ redo: unseen() })).verdict, "unknown");
});

RED202("names, for a resnapshot, copies of what is missing from the stored position onwards", () => {
  const copied = archived(121n, 2204000n, 2220000n, { destination: 2n, name: "/restore/1_121_1.arc" });
  const before = resnapshot.reading({
    catalogue: { ...resnapshot.PURGED, archived: [...resnapshot.PURGED.archived, copied] },
  });
  assert.is(before.way, "past the gap", "a copy elsewhere closes no gap");
  assert.match(resnapshot.resultOf(restoredElsewhere, before), "thread 1 sequence 121 under destination 2");
  assert.is(resnapshot.effectOf(restoredElsewhere, before), "warns");
  const there = resnapshot.reading({ catalogue: { ...CATALOGUE, archived: [...CATALOGUE.archived, copied] } });
  assert.is(resnapshot.effectOf(restoredElsewhere, there), "none");
});

RED202("names, for a cutover, copies of what is missing from the start onwards", () => {
  const catalogue = { ...CATALOGUE, archived: [...gap, copy] };
  assert.is(migration.effectOf(restoredElsewhere, migration.cutover()), "none");
  assert.is(migration.effectOf(restoredElsewhere, migration.cutover({ catalogue })), "warns");
  assert.is(migration.effectOf(restoredElsewhere, migration.cutover({ redo: unseen() })), "warns");
});

const RED203 = suite("RED203 several redo threads");

RED203("passes for one enabled thread, whatever others were disabled", () => {
  assert.is(effectOf(severalThreads, reading()), "none");
});

RED203("blocks two enabled threads unless accepted: every start stops", () => {
  const threads = CATALOGUE.threads.map((thread) => ({ ...thread, enabled: "PUBLIC" }));
  const on = reading({ catalogue: { ...CATALOGUE, threads } });
  const verdict = worded(severalThreads).run(intent(), on);
  assert.ok(verdict.verdict === "fail");
  assert.is(verdict.seen, "2 redo threads are enabled (1, 2)");
  assert.is(effectOf(severalThreads, on), "blocks");
  assert.is(effectOf(severalThreads, on, intent({ accept: ["RED203"] })), "accepted");
  assert.is(worded(severalThreads).run(intent(), reading({ redo: unseen() })).verdict, "unknown");
});

RED203("blocks a resnapshot too, in both directions", () => {
  for (const catalogue of [CATALOGUE, resnapshot.PURGED]) {
    const threads = catalogue.threads.map((thread) => ({ ...thread, enabled: "PUBLIC" }));
    assert.is(
      resnapshot.effectOf(severalThreads, resnapshot.reading({ catalogue: { ...catalogue, threads } })),
      "blocks",
    );
  }
});

RED203("blocks a cutover: the new connector would not start", () => {
  const threads = CATALOGUE.threads.map((thread) => ({ ...thread, enabled: "PUBLIC" }));
  assert.is(migration.effectOf(severalThreads, migration.cutover()), "none");
  assert.is(migration.effectOf(severalThreads, migration.cutover({ catalogue: { ...CATALOGUE, threads } })), "blocks");
});

OFF102.run();
SNP904.run();
RED201.run();
RED202.run();
RED203.run();
