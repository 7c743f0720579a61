import { Refusal } from "../../errors.ts";
import type { DatabaseSeen } from "../../facts/database/database.ts";
import { decodeOffset, isEmptyOffset } from "../../facts/offset/stored-offset.ts";
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
 * Returns the SCN that was current one safety margin ago, by the database's clock or the local one, whichever is
 * behind: a clock that is ahead does not shorten the margin. Soon after a cutover that SCN is before the new
 * connector's start; the function then waits.
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
    throw new Refusal("VER101", `the database has no SCN for ${marginMillis / 1000} s ago`, [
      { text: "Set it", setting: "--check-scn SCN" },
    ]);
  return found < currentScn ? found : currentScn;
}

/**
 * @param chosen how the check SCN was chosen; decides the remedy
 * @throws Refusal VER101 for a future SCN
 */
export function mustBePast(checkScn: Scn, { currentScn }: DatabaseSeen, chosen: Chosen): void {
  if (checkScn > currentScn)
    throw new Refusal(
      "VER101",
      `the check SCN ${checkScn} is above the database's current SCN ${currentScn}: it has not been reached yet`,
      [FUTURE_REMEDIES[chosen]],
    );
}

type Chosen = Extract<CutoverEvent, { is: "check SCN" }>["chosen"];

const FUTURE_REMEDIES: Readonly<Record<Chosen, Advice>> = {
  given: "Omit it (--check-scn, spec.verify.checkScn), or set one in the past.",
  "of the interrupted run": {
    text:
      "Check that this is the database that the interrupted run read; a restored database is behind. Or set one " +
      "in the past",
    setting: "--check-scn SCN",
  },
  "by what was delivered":
    "Check that this is the database that the connector reads, and that every connection reaches it, not a standby.",
  "by the safety margin": "Check that every connection reaches the same database, not a standby. Then verify again.",
};

/**
 * Refuses a check SCN at or below the new connector's start, where it has delivered nothing. A match of the legacy
 * connector's topic with the table would not prove anything about it.
 *
 * @param startScn `cdc.start.scn`; undefined where the connector has none
 * @throws Refusal VER108
 */
export function mustBePastStart(checkScn: Scn, startScn: Scn | undefined, connector: string): void {
  if (startScn !== undefined && checkScn <= startScn)
    throw new Refusal(
      "VER108",
      `the check SCN ${checkScn} is not past the start of ${connector}, ${startScn}: no record that it delivered ` +
        "would be compared",
      [
        "Verify a little later, or with a smaller --safety-margin.",
        { text: "Or set one past the start", setting: "--check-scn SCN" },
      ],
    );
}

/**
 * Refuses a check SCN below the last delivered commit. A legacy record contains the SCN of its change, and its
 * transaction may have been committed at any time up to that commit, so that it is unknown which records count.
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
      "its records contain no commit SCN, so it is unknown which of them were committed by then",
    [
      {
        text: "Set one that is not below it",
        setting: `--check-scn ${end.lastDelivered}   (spec.verify.checkScn in a plan file), or none.`,
      },
      {
        text: "If its records contain their commit SCN (output.commit.scn.field), add its configuration",
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
 * @param stored where its mining resumes now
 * @throws Refusal VER102 if it has not passed in time, and whatever `stored` throws
 */
export async function passedCheckScn(
  connector: string,
  stored: () => Promise<Scn>,
  checkScn: Scn,
  clock: Clock,
  wait: { readonly millis: number; readonly stop?: AbortSignal; report(waiting: Waiting): void },
): Promise<Scn | "interrupted"> {
  const begun = clock.elapsed();
  for (;;) {
    const resumeScn = await stored();
    if (hasPassed(resumeScn, checkScn)) return resumeScn;
    if (wait.stop?.aborted === true) return "interrupted";
    const waited = clock.elapsed() - begun;
    if (waited >= wait.millis)
      throw new Refusal(
        "VER102",
        `${connector} has not passed the check SCN: its stored resume SCN is ${resumeScn}, the check SCN ` +
          `${checkScn}${waited < 1000 ? "" : `, after ${Math.round(waited / 1000)} s`}`,
        [
          "Check that it runs. A long open transaction holds its resume SCN back (V$TRANSACTION), and so does an " +
            "idle database without heartbeats.",
          { text: "Wait longer", setting: "--wait 30m" },
        ],
      );
    wait.report({ checkScn, resumeScn, millis: waited });
    await clock.sleep(Math.min(POLL_MILLIS, wait.millis - waited), wait.stop);
  }
}

/**
 * The resume SCN that a new connector has stored.
 *
 * @throws Refusal VER103 for an offset that cannot be read, OFF106 for one of another database
 */
export async function storedResumeScn(connect: ConnectPort, connector: string, database: DatabaseSeen): Promise<Scn> {
  const entries = await connect.offsets(connector);
  const stored = entries.flatMap(({ offset }) => (offset === null || isEmptyOffset(offset) ? [] : [offset]));
  const [only] = stored;
  if (only === undefined || stored.length > 1)
    throw new Refusal(
      "VER103",
      only === undefined
        ? `${connector} has no stored offset: it has delivered nothing that could be verified`
        : `${connector} has ${showCount(stored.length)} stored offsets, with different positions`,
      ["Check that the connector runs, and that this is the name of the new connector."],
    );
  const decoded = decodeOffset(only);
  if (!decoded.ok)
    throw new Refusal("VER103", `the stored offset of ${connector} cannot be read`, [
      { text: "Inspect it", command: "cdcctl admin offsets show" },
    ]);
  const { dbid, resetlogsScn, resumeScn } = decoded.offset;
  if (dbid !== database.dbid || resetlogsScn !== database.resetlogsScn)
    throw new Refusal(
      "OFF106",
      `the stored offset of ${connector} belongs to database ${dbid ?? "unknown"} (resetlogs ` +
        `${resetlogsScn ?? "unknown"}), but this is database ${database.dbid} (resetlogs ${database.resetlogsScn})`,
      ["Connect to the connector's own database."],
    );
  return resumeScn;
}
