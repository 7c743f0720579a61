import type { OffsetChangeIntent } from "../../document/intent.ts";
import type { ConnectorSeen, OffsetChangeFacts } from "../../facts/connector-facts.ts";
import { probeApplies } from "../../facts/database/database.ts";
import { mapObserved } from "../../facts/observed.ts";
import { allOrFirst, type Observer } from "../../facts/observer.ts";
import { decodeOffset, type StoredOffset } from "../../facts/offset/stored-offset.ts";
import { logsToProbe } from "../../facts/redo/examination.ts";
import { redoFrom } from "../../facts/redo/from.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { Scn } from "../../values/scn.ts";
import { lookAtRedo, timesOf } from "../connector/look-at-redo.ts";
import { redoQuestion } from "../connector/reading.ts";

/**
 * The database, its redo from the lower of stored offset and target on, each of its files, open transactions, and the
 * times of the SCNs that are shown.
 *
 * @returns the facts, and the SCN that the position leads to, where it does
 */
export async function lookAtOracle(
  oracle: OraclePort,
  { position }: OffsetChangeIntent,
  connector: ConnectorSeen,
  stored: StoredOffset | undefined,
  observe: Observer,
  pinned: Scn | undefined,
): Promise<
  Pick<OffsetChangeFacts, "database" | "target" | "redo" | "probes" | "transactions" | "times"> & {
    readonly to: Scn | undefined;
  }
> {
  const timestampScn =
    position.to === "timestamp" && pinned === undefined ? oracle.scnAt(position.timestamp) : Promise.resolve(undefined);
  const aim =
    pinned ??
    (position.to === "scn" ? position.scn : position.to === "restore" ? restoredScn(position.offset) : undefined);
  const lowest = async () => {
    const to = aim ?? (await timestampScn);
    if (to === undefined) return 0n;
    return stored === undefined || to < stored.resumeScn ? to : stored.resumeScn;
  };
  const [{ database, redo, transactions }, scn] = await allOrFirst(
    lookAtRedo(oracle, connector.tables.pdbs, lowest, observe),
    timestampScn,
  );
  const question = redoQuestion({ database, connector });
  const examined = mapObserved(redo, (catalogue) =>
    redoFrom(catalogue, { ...question, from: aim ?? scn ?? 0n }, undefined),
  );
  const to =
    aim ?? scn ?? (examined.known && position.to === "earliestAvailable" ? examined.value.earliest : undefined);
  const applies = probeApplies({ connector, database });
  const [probes, times] = await allOrFirst(
    observe("DBMS_LOGMNR.ADD_LOGFILE", async () => ({
      applies,
      files:
        applies && redo.known && to !== undefined && to <= database.currentScn
          ? await oracle.probeLogs(
              logsToProbe(redo.value, {
                ...question,
                from: position.to === "earliestAvailable" && pinned === undefined ? 0n : to,
              }),
            )
          : [],
    })),
    observe("SCN_TO_TIMESTAMP", () =>
      timesOf(oracle, [
        to,
        stored?.resumeScn,
        stored?.lastCommit?.scn,
        database.currentScn,
        examined.known ? examined.value.firstAvailable : undefined,
      ]),
    ),
  );
  return {
    database,
    target: position.to === "timestamp" ? { by: "timestamp", scn: pinned ?? scn } : { by: position.to },
    redo,
    probes,
    transactions,
    times,
    to,
  };
}

function restoredScn(offset: Parameters<typeof decodeOffset>[0]): Scn | undefined {
  const decoded = decodeOffset(offset);
  return decoded.ok ? decoded.offset.resumeScn : undefined;
}
