import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { LogProbe, RedoCatalogue } from "../../../schemas/generated/facts.ts";
import { catalogue, logs, question } from "../testing/build-catalogue.ts";
import { examineRedo, restoreCommands } from "./redo.ts";

const restore = suite("RMAN commands that restore logs");

function commandsFor(change: Partial<RedoCatalogue>, from = 112n, probes?: readonly LogProbe[]) {
  return restoreCommands(examineRedo(catalogue(change), question({ from }), probes).faults);
}

restore("nothing is restored if nothing is missing", () => assert.equal(commandsFor({}), []));

restore("there is one command per run of sequences", () => {
  const gaps = logs(1n, 14n).filter(({ sequence }) => ![3n, 4n, 5n, 9n].includes(sequence));
  assert.equal(commandsFor({ archived: gaps }, 10n), [
    "RESTORE ARCHIVELOG FROM SEQUENCE 3 UNTIL SEQUENCE 5 THREAD 1;",
    "RESTORE ARCHIVELOG FROM SEQUENCE 9 UNTIL SEQUENCE 9 THREAD 1;",
  ]);
});

restore("a removed file is cross-checked first, since RMAN otherwise believes that it exists and skips it", () => {
  const file = "/arch/1_12_7.arc";
  assert.equal(commandsFor({}, 112n, [{ file, opened: false, code: "ORA-00308", message: "cannot open" }]), [
    "CROSSCHECK ARCHIVELOG FROM SEQUENCE 12 UNTIL SEQUENCE 12 THREAD 1;",
    "RESTORE ARCHIVELOG FROM SEQUENCE 12 UNTIL SEQUENCE 12 THREAD 1;",
  ]);
});

restore("adjacent logs with different faults get separate commands", () => {
  const rows = logs(10n, 14n).filter(({ sequence }) => sequence !== 12n);
  const purged = rows.map((log) => (log.sequence === 13n ? { ...log, deleted: true } : log));
  assert.equal(commandsFor({ archived: purged }), [
    "RESTORE ARCHIVELOG FROM SEQUENCE 12 UNTIL SEQUENCE 12 THREAD 1;",
    "RESTORE ARCHIVELOG FROM SEQUENCE 13 UNTIL SEQUENCE 13 THREAD 1;",
  ]);
});

restore("a gap with unknown sequences is restored by its SCNs", () => {
  assert.equal(commandsFor({}, 95n), ["RESTORE ARCHIVELOG FROM SCN 95 UNTIL SCN 99 THREAD 1;"]);
});

restore("no command is given for an online log, or without a thread", () => {
  const online = { file: "/redo/1_15.log", opened: false, code: "ORA-00308", message: "cannot open" } as const;
  assert.equal(commandsFor({}, 112n, [online]), []);
  assert.equal(commandsFor({ destinations: [] }), []);
});

restore.run();
