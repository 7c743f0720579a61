import { Refusal } from "../../errors.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { decodeOffset, isEmptyOffset, type StoredOffset } from "../../facts/offset/stored-offset.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { OraclePort } from "../../ports/oracle.ts";
import { showCount } from "../../values/amounts.ts";
import { epochMillis, instantOf } from "../../values/instant.ts";
import type { Advice } from "../../values/remedy.ts";
import type { Scn } from "../../values/scn.ts";
import { hasPassed } from "../evidence/evidence.ts";
import type { LegacyEnd } from "./last-delivered.ts";
import type { CutoverEvent } from "./request.ts";

/**
 * The SCN that was current so long ago, by the database's clock or ours, whichever is behind: the margin is not made
 * smaller by a clock that is ahead. Soon after a cutover that lies before the new connector's start: then it is waited
 * for.
 *
 * @throws Refusal VER101
 */
export async function scnOfMargin(
  oracle: OraclePort,
  { currentScn }: DatabaseSeen,
  marginMillis: number,
  clock: Clock,
  wait: { readonly past: Scn | undefined; readonly millis: number; readonly stop?: AbortSignal },
): Promise<Scn> {
  const begun = clock.elapsed();
  for (let current = currentScn; ; current = (await oracle.database()).currentScn) {
    const scn = await scnAgo(oracle, current, marginMillis, clock);
    const left = wait.millis - (clock.elapsed() - begun);
    if (wait.past === undefined || scn > wait.past || left <= 0 || wait.stop?.aborted === true) return scn;
    await clock.sleep(Math.min(POLL_MILLIS, left), wait.stop);
  }
}

async function scnAgo(oracle: OraclePort, currentScn: Scn, marginMillis: number, clock: Clock): Promise<Scn> {
  const [current] = await oracle.timesOf([currentScn]);
  const now = Math.min(epochMillis(clock.now()), current?.at === undefined ? Infinity : epochMillis(current.at));
  const found = await oracle.scnAt(instantOf(now - marginMillis));
  if (found === undefined)
    throw new Refusal("VER101", `the database does not know the SCN of ${marginMillis / 1000} s ago`, [
      { text: "Give one", setting: "--check-scn SCN" },
    ]);
  return found < currentScn ? found : currentScn;
}

/**
 * @param chosen where it came from: what can be done about it
 * @throws Refusal VER101 for an SCN that is still to come
 */
export function mustBePast(checkScn: Scn, { currentScn }: DatabaseSeen, chosen: Chosen): void {
  if (checkScn > currentScn)
    throw new Refusal(
      "VER101",
      `the check SCN ${checkScn} is above the database's current SCN ${currentScn}: nobody knows the table as it ` +
        "will be",
      [STILL_TO_COME[chosen]],
    );
}

/** Where a check SCN came from. */
type Chosen = Extract<CutoverEvent, { is: "check SCN" }>["chosen"];

const STILL_TO_COME: Readonly<Record<Chosen, Advice>> = {
  given: "Leave it out (--check-scn, spec.verify.checkScn), or give one that has passed.",
  "of the interrupted run": {
    text:
      "Check that it is the database that the interrupted run looked at; a restored one is behind. Or give one " +
      "that has passed",
    setting: "--check-scn SCN",
  },
  "by the safety margin": "Check that every look is at the same database, not now at a standby. Then verify again.",
};

/**
 * At or below its start the new connector has delivered nothing: that the legacy connector's topic agrees with the
 * table then proves nothing of it.
 *
 * @param startScn `cdc.start.scn`; undefined where the connector has none
 * @throws Refusal VER108
 */
export function mustBePastStart(checkScn: Scn, startScn: Scn | undefined, connector: string): void {
  if (startScn !== undefined && checkScn <= startScn)
    throw new Refusal(
      "VER108",
      `the check SCN ${checkScn} is not past the start of ${connector}, ${startScn}: nothing that it delivered ` +
        "would be compared",
      [
        "Verify a little later, or with a smaller --safety-margin.",
        { text: "Or give one past the start", setting: "--check-scn SCN" },
      ],
    );
}

/**
 * A legacy record says the SCN of its change, and its transaction may have been committed any time until the last
 * commit that the connector delivered: before that nobody can tell which records count.
 *
 * Rule: reference: connector settings, "What a cutover verification compares": a record counts at its commit SCN.
 *
 * @throws Refusal VER109
 */
export function mustBePastLegacy(checkScn: Scn, end: LegacyEnd): void {
  if (!end.known || checkScn >= end.lastDelivered) return;
  throw new Refusal(
    "VER109",
    `the check SCN ${checkScn} is below the last commit that ${end.connector} delivered, ${end.lastDelivered}: ` +
      "its records say no commit SCN, so that which of them were committed by then can't be told",
    [
      {
        text: "Give one that is not below it",
        setting: `--check-scn ${end.lastDelivered}   (spec.verify.checkScn in a plan file), or none.`,
      },
      {
        text: "If its records say their commit SCN (output.commit.scn.field), give its configuration",
        setting: "--legacy-config",
      },
    ],
  );
}

const POLL_MILLIS = 2_000;

interface Waiting {
  readonly checkScn: Scn;
  readonly resumeScn: Scn;
  readonly millis: number;
}

/**
 * Waits until the connector's stored resume SCN has passed the check SCN: mining resumes above it, so every commit up
 * to it was delivered.
 *
 * @throws Refusal VER102 when it has not by then, VER103 for an offset that can't be read, OFF106 for one of another
 * database
 */
export async function passedCheckScn(
  connect: ConnectPort,
  connector: string,
  checkScn: Scn,
  database: DatabaseSeen,
  clock: Clock,
  wait: { readonly millis: number; readonly stop?: AbortSignal; tell(waiting: Waiting): void },
): Promise<StoredOffset | "interrupted"> {
  const begun = clock.elapsed();
  for (;;) {
    const offset = await storedOffset(connect, connector, database);
    if (hasPassed(offset.resumeScn, checkScn)) return offset;
    if (wait.stop?.aborted === true) return "interrupted";
    const waited = clock.elapsed() - begun;
    if (waited >= wait.millis)
      throw new Refusal(
        "VER102",
        `${connector} has not passed the check SCN: its stored resume SCN is ${offset.resumeScn}, the check SCN ` +
          `${checkScn}${waited < 1000 ? "" : `, after ${Math.round(waited / 1000)} s`}`,
        [
          "See that it runs; a long open transaction keeps its resume SCN back (V$TRANSACTION), and so does a " +
            "quiet database without heartbeats.",
          { text: "Wait longer", setting: "--wait 30m" },
        ],
      );
    wait.tell({ checkScn, resumeScn: offset.resumeScn, millis: waited });
    await clock.sleep(Math.min(POLL_MILLIS, wait.millis - waited), wait.stop);
  }
}

async function storedOffset(connect: ConnectPort, connector: string, database: DatabaseSeen): Promise<StoredOffset> {
  const entries = await connect.offsets(connector);
  const stored = entries.flatMap(({ offset }) => (offset === null || isEmptyOffset(offset) ? [] : [offset]));
  const [only] = stored;
  if (only === undefined || stored.length > 1)
    throw new Refusal(
      "VER103",
      only === undefined
        ? `${connector} has no stored offset: it has delivered nothing that could be verified`
        : `${connector} has ${showCount(stored.length)} stored offsets, which say different positions`,
      ["See that the connector runs, and that the name is the new connector's."],
    );
  const decoded = decodeOffset(only);
  if (!decoded.ok)
    throw new Refusal("VER103", `the stored offset of ${connector} can't be read`, [
      { text: "Look at it", command: "cdcctl admin offsets show" },
    ]);
  const { dbid, resetlogsScn } = decoded.offset;
  if (
    dbid === undefined ||
    resetlogsScn === undefined ||
    dbid !== database.dbid ||
    resetlogsScn !== database.resetlogsScn
  )
    throw new Refusal(
      "OFF106",
      `the stored offset of ${connector} is of the database ${dbid ?? "that it does not say"} (resetlogs ` +
        `${resetlogsScn ?? "unknown"}), and this is ${database.dbid} (resetlogs ${database.resetlogsScn})`,
      ["Connect to the connector's own database."],
    );
  return decoded.offset;
}
