import type { ConnectorKind } from "../document/intent.ts";
import { type Check, fail, pass } from "./check.ts";

/** The snapshot's progress is carried along unchanged, but it was begun for another position. */
export const snapshotIncomplete: Check<ConnectorKind> = {
  code: "OFF112",
  title: "A snapshot is not complete",
  problem: "The connector goes on with the snapshot after the move; its tables are read as of then.",
  remedy: "Let the snapshot end first if you can.",
  grade: "advisory",

  run(_intent, { stored }) {
    const snapshot = stored.state === "stored" ? stored.offset.snapshot : undefined;
    if (snapshot === undefined || (snapshot.readable && snapshot.complete)) return pass;
    return fail({
      seen: snapshot.readable
        ? `a snapshot is under way: ${snapshot.tablesDone} of ${snapshot.tables} tables done`
        : "the snapshot progress is in a form that this cdcctl does not know; it is carried along unchanged",
    });
  },
};
