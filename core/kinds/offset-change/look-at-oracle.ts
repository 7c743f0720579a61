import type { OffsetChangeIntent } from "../../document/intent.ts";
import type { ScnTime } from "../../facts/database.ts";
import { mapObserved, type Observed } from "../../facts/observed.ts";
import { allOrFirst, type Observer } from "../../facts/observer.ts";
import type { ConnectorSeen, OffsetChangeFacts } from "../../facts/offset-change-facts.ts";
import { examineRedo, logsToProbe, type RedoCatalogue } from "../../facts/redo-examination.ts";
import { decodeOffset, type StoredOffset } from "../../facts/stored-offset.ts";
import type { OraclePort } from "../../ports.ts";
import type { Scn } from "../../values/scn.ts";
import { probeApplies } from "./reading.ts";

/**
 * The database, its redo from the lower of stored offset and target on, each of its files, open transactions, and the times of the SCNs that are shown.
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
  const [seen, threads, destinations, archived, online, transactions, scn] = await allOrFirst(
    oracle.database(),
    observe("V$THREAD", () => oracle.threads()),
    observe("V$ARCHIVE_DEST_STATUS", () => oracle.destinations()),
    observe("V$ARCHIVED_LOG", async () => oracle.archivedLogs(await lowest())),
    observe("V$LOG, V$LOGFILE", () => oracle.onlineLogs()),
    observe("GV$TRANSACTION, GV$SESSION", () => oracle.openTransactions()),
    timestampScn,
  );
  const database = { ...seen, address: oracle.address };
  const redo = catalogueOf(threads, destinations, archived, online);
  const question = {
    currentScn: seen.currentScn,
    resetlogsScn: seen.resetlogsScn,
    captureMode: connector.captureMode,
    destination: connector.archiveDestination,
  };
  const examined = mapObserved(redo, (catalogue) =>
    examineRedo(catalogue, { ...question, from: aim ?? scn ?? 0n }, undefined),
  );
  const to =
    aim ?? scn ?? (examined.known && position.to === "earliestAvailable" ? examined.value.earliest : undefined);
  const applies = probeApplies({ connector, database });
  const [probes, times] = await allOrFirst(
    observe("DBMS_LOGMNR.ADD_LOGFILE", async () => ({
      applies,
      files:
        applies && redo.known && to !== undefined && to <= seen.currentScn
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
        seen.currentScn,
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

async function timesOf(oracle: OraclePort, scns: readonly (Scn | undefined)[]): Promise<readonly ScnTime[]> {
  const asked = [...new Set(scns)].filter((scn) => scn !== undefined);
  return asked.length === 0 ? [] : oracle.timesOf(asked);
}

/** The catalogue is known when all four views are; otherwise it is unknown for the first reason. */
function catalogueOf(
  threads: Observed<RedoCatalogue["threads"]>,
  destinations: Observed<RedoCatalogue["destinations"]>,
  archived: Observed<RedoCatalogue["archived"]>,
  online: Observed<RedoCatalogue["online"]>,
): Observed<RedoCatalogue> {
  if (threads.known && destinations.known && archived.known && online.known) {
    return {
      ...archived,
      value: {
        threads: threads.value,
        destinations: destinations.value,
        archived: archived.value,
        online: online.value,
      },
    };
  }
  const missing = [threads, destinations, archived, online].flatMap((one) => (one.known ? [] : [one]));
  const remedies = missing.flatMap(({ remedy }) => remedy ?? []);
  return {
    known: false,
    why: missing.map(({ why }) => why).join("; "),
    ...(remedies.length === 0 ? {} : { remedy: remedies.join("\n") }),
    source: missing.map(({ source }) => source).join(", "),
  };
}

function restoredScn(offset: Parameters<typeof decodeOffset>[0]): Scn | undefined {
  const decoded = decodeOffset(offset);
  return decoded.ok ? decoded.offset.resumeScn : undefined;
}
