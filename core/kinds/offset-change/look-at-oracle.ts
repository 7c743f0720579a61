import type { OffsetChangeIntent } from "../../document/intent.ts";
import type { ConnectorSeen, OffsetChangeFacts } from "../../facts/connector-facts.ts";
import type { Observed } from "../../facts/observed.ts";
import type { Observer } from "../../facts/observer.ts";
import { decodeOffset, type StoredOffset } from "../../facts/offset/stored-offset.ts";
import { examineSeen, redoSeenFrom } from "../../facts/redo/from.ts";
import type { RedoExamination } from "../../facts/redo/redo.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import type { Scn } from "../../values/scn.ts";
import { inspectRedo } from "../connector/inspect-redo.ts";

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
  const scn = await timestampScn;
  let to = aim ?? scn;
  const { examined: _, ...inspected } = await inspectRedo(
    oracle,
    connector,
    {
      lowest,
      position(seen) {
        const isEarliest = to === undefined && position.to === "earliestAvailable";
        if (isEarliest) to = earliestOf(examineSeen(redoSeenFrom(0n, seen, connector)));
        // Whether an SCN is the earliest is a question to every file.
        const from = isEarliest && to !== undefined ? 0n : to;
        return { from, shown: [to, stored?.resumeScn, stored?.lastCommit?.scn] };
      },
    },
    observe,
  );
  return {
    ...inspected,
    target: position.to === "timestamp" ? { by: "timestamp", scn: pinned ?? scn } : { by: position.to },
    to,
  };
}

function earliestOf(examined: Observed<RedoExamination>): Scn | undefined {
  return examined.known ? examined.value.earliest : undefined;
}

function restoredScn(offset: Parameters<typeof decodeOffset>[0]): Scn | undefined {
  const decoded = decodeOffset(offset);
  return decoded.ok ? decoded.offset.resumeScn : undefined;
}
