import { WAIT_LIMITS, type WaitLimits } from "../../core/apply/context.ts";
import { describeStep } from "../../core/apply/steps/catalogue.ts";
import type { Finding } from "../../core/checks/finding.ts";
import type { TornTransaction } from "../../core/facts/transactions.ts";
import { type ConnectorPlan, isMigration, onlyStarts, type Plan, type PlannedStep } from "../../core/plan/plan.ts";
import { standingOf } from "./connector-standing.ts";
import { type Consequence, consequence, withDetails } from "./consequence.ts";
import { clip } from "./layout.ts";
import { counted, isUtc, showBytes, showInstant, showMillis } from "./quantities.ts";
import { redoSentences } from "./redo-sentences.ts";
import { isWayBack, signalOnly, snapshotConsequences } from "./snapshot-sentences.ts";

/**
 * What a plan says, in sentences, for every form it is shown in. Not escaped: each view escapes for its own place.
 */

/** `orders-cdc on connect.prod:8083, Kafka cluster …, database ORCLCDB (dbid 2914731, resetlogs 1)`. */
export function subject(plan: Plan): string {
  const { world } = plan;
  const { name, dbid, resetlogsScn } = world.database;
  return (
    `${clip(subjectName(plan))} on ${hostOf(world.connectUrl)}, Kafka cluster ${world.clusterId}, database ${name} ` +
    `(dbid ${dbid}, resetlogs ${resetlogsScn})`
  );
}

/** The connector that a plan is of; of a migration both. */
export function subjectName(plan: Plan): string {
  if (!isMigration(plan)) return plan.connector.name;
  const { from, to } = plan.intent;
  return `${from.connector} to ${to.name}`;
}

function hostOf(url: string): string {
  return clip(url.replace(/^https?:\/\//i, "").replace(/\/$/, ""));
}

/** The change in one phrase: `backward by 35224 SCNs, 32 min 11 s`. Undefined where there is none to tell. */
export function direction(plan: ConnectorPlan): string | undefined {
  const { move, cost, intent } = plan;
  if (move === undefined) return signalOnly(plan) ?? startOnly(plan);
  const millis = cost === undefined || cost.kind === "none" ? undefined : cost.millis;
  const span = millis === undefined ? "" : `, ${showMillis(millis)}`;
  const restored =
    intent.kind === "OffsetChange" && intent.position.to === "restore"
      ? `; the offset as it was before run ${intent.position.run}, field by field`
      : "";
  switch (move.direction) {
    case "backward":
    case "forward":
      return `${move.direction} by ${move.distance} ${move.distance === 1n ? "SCN" : "SCNs"}${span}${restored}`;
    case "same":
      return `same: the resume SCN stays ${move.to}${restored}`;
    case "initial":
      return `initial: no offset is stored; mining starts at ${move.to}`;
  }
}

function startOnly({ steps, decided }: ConnectorPlan): string | undefined {
  if (!onlyStarts({ steps })) return undefined;
  return `a start only: the stored offset is already as wanted, at ${decided.scn}, and stays as it is`;
}

/** In which zone times are shown, where that may surprise. Undefined where the database server shows UTC itself. */
export function zoneNote({ world }: Plan): string | undefined {
  const { zone } = world.database;
  return isUtc(zone) ? undefined : `times are UTC; the database server's zone is ${clip(zone, 60)}`;
}

/**
 * What the change means: redo mined again, commits lost, transactions torn, the redo's state, the connector. Of a
 * resnapshot: the gap and what follows from it for each table.
 */
export function consequences(plan: ConnectorPlan, mostDetails: number): readonly Consequence[] {
  const { snapshot } = plan;
  return [
    ...(snapshot === undefined ? costs(plan) : snapshotConsequences(plan, snapshot, mostDetails)),
    ...torn(plan, mostDetails),
    ...(snapshot?.gap === undefined ? redo(plan, mostDetails) : []),
    connector(plan),
  ];
}

function costs({ cost, move }: ConnectorPlan): readonly Consequence[] {
  if (cost === undefined || move === undefined || cost.kind === "none") return [];
  if (cost.kind === "mined again") {
    const recognised =
      cost.recognisedUpTo === undefined
        ? "no last commit is stored, so what was delivered is delivered again"
        : `commits up to ${cost.recognisedUpTo} are recognised and not delivered twice`;
    const logs = `${counted(cost.archivedLogs, "archived log")}, ${showBytes(cost.bytes)}`;
    return [consequence("mined again", `${logs}; ${recognised}`)];
  }
  const span = cost.millis === undefined ? "" : ` (${showMillis(cost.millis)})`;
  return [
    consequence(
      "skipped",
      `every commit in between, from ${move.from} to ${move.to}${span}, is lost for all captured tables and not ` +
        "delivered later",
      "bad",
    ),
  ];
}

function torn({ torn: transactions, move, intent, snapshot }: ConnectorPlan, most: number): readonly Consequence[] {
  if (transactions.length === 0 || move === undefined) return [];
  const many = transactions.length > 1;
  const journaled = transactions.filter(({ seenIn }) => seenIn !== "GV$TRANSACTION").length;
  const kept =
    journaled === 0 || move.from === undefined
      ? ""
      : journaled === transactions.length
        ? ", but for what the journal holds, which is restored"
        : `, but for what the journal holds of ${journaled} of them, which is restored`;
  const one = consequence(
    "torn",
    `${counted(transactions.length, "open transaction")} began before ${move.to}: ${many ? "their" : "its"} ` +
      `changes before it are lost${kept}; those after it are ` +
      `delivered${tornTables(intent, many, (snapshot?.unlisted.length ?? 0) > 0)}`,
    "bad",
  );
  return [withDetails(one, transactions.slice(0, most).map(tornTransaction), most, transactions.length)];
}

/** Which tables that concerns, where some are snapshotted. Rule: reference: Oracle, "Torn transactions". */
function tornTables(intent: ConnectorPlan["intent"], many: boolean, unlisted: boolean): string {
  if (intent.kind !== "Resnapshot") return "";
  return intent.waitForTransactions === undefined
    ? `; so in the named tables too, unless ${many ? "they have" : "it has"} ended before the snapshot reads`
    : `; apply waits for ${many ? "their" : "its"} end (at most ` +
        `${showMillis(intent.waitForTransactions)})${unlisted ? ", which helps the named tables only" : ""}`;
}

function tornTransaction({ xid, startScn, startedAt, user, clientId, seenIn }: TornTransaction): string {
  const who = [user, clientId === undefined ? undefined : `client ${clientId}`].filter((part) => part !== undefined);
  const since = startedAt === undefined ? "" : `, ${showInstant(startedAt)}`;
  const where = seenIn === "both" ? "open, and in the journal" : seenIn === "journal" ? "in the journal" : "open";
  return (
    `${clip(xid, 60)}  from ${startScn}${since}${who.length === 0 ? "" : `, ${clip(who.join(", "), 120)}`}; ` +
    `${where}`
  );
}

function redo(plan: ConnectorPlan, most: number): readonly Consequence[] {
  const { move, snapshot } = plan;
  if (move === undefined && snapshot === undefined) return [];
  if (plan.redo === undefined) {
    const from = move?.to ?? "the stored position";
    return [consequence("redo", `whether it is all there from ${from} on can't be seen`, "caution")];
  }
  const { sentence, details } = redoSentences(plan.redo);
  return [withDetails(consequence("redo", sentence, plan.redo.complete ? undefined : "bad"), details, most)];
}

function connector({ connector: shown, steps, outcome }: ConnectorPlan): Consequence {
  return consequence("connector", `${standingOf(shown)}; ${whatHappens(shown.state, steps, outcome.state)}`);
}

function whatHappens(state: string, steps: readonly PlannedStep[], outcome: Plan["outcome"]["state"]): string {
  if (outcome !== "ready") return "it is left as it is";
  const will = (name: PlannedStep["step"]) => steps.some(({ step }) => step === name);
  if (will("start-connector")) return will("stop-connector") ? "it will be stopped and started" : "it will be started";
  if (!will("stop-connector")) return state === "RUNNING" ? "it is not stopped" : "it is left as it is";
  const resumed = will("resume-connector");
  if (state === "STOPPED") return resumed ? "it will be resumed" : "it stays stopped";
  return resumed ? "it will be stopped and resumed" : "it will be stopped and stays stopped";
}

/** The steps in order, with how long each may wait. */
export function stepSentences(steps: readonly PlannedStep[], limits: WaitLimits = WAIT_LIMITS): readonly string[] {
  return steps.map((planned) => {
    const limit = {
      "stop-connector": limits.stop,
      "resume-connector": limits.resume,
      "start-connector": limits.resume,
      "start-new": limits.resume,
      "resume-legacy": limits.resume,
    }[planned.step as string];
    return `${describeStep(planned)}${limit === undefined ? "" : ` (at most ${showMillis(limit)})`}`;
  });
}

export interface FindingsByWeight {
  readonly blocking: readonly Finding[];
  /** Warned of or accepted. */
  readonly other: readonly Finding[];
  readonly passed: number;
}

export function byWeight(findings: readonly Finding[]): FindingsByWeight {
  return {
    blocking: findings.filter(({ effect }) => effect === "blocks"),
    other: findings.filter(({ effect }) => effect === "warns" || effect === "accepted"),
    passed: findings.filter(({ effect }) => effect === "none").length,
  };
}

/** `skip-ahead.yaml:10`; undefined when no file decides it. */
export function placeOf({ at }: Finding): string | undefined {
  if (at?.file === undefined) return undefined;
  return `${at.file}${at.line === undefined ? "" : `:${at.line}`}`;
}

/**
 * What was seen and the ways out, but for those that stand above as the way back. The place in the plan file stands
 * behind the remedy that names its path; `place` is left for findings where none does.
 */
export function findingSentences(
  finding: Finding,
  plan: Plan,
): {
  readonly seen: string;
  readonly remedies: readonly string[];
  readonly place: string | undefined;
} {
  const place = placeOf(finding);
  const path = finding.at?.path;
  const remedies = finding.remedies.filter((remedy) => isMigration(plan) || !isWayBack(remedy, plan));
  const named = path === undefined ? -1 : remedies.findIndex((remedy) => remedy.includes(path));
  return {
    seen: sentence(finding),
    // What was accepted needs no way out.
    remedies:
      finding.effect === "accepted"
        ? []
        : remedies.map((remedy, i) => (i === named && place !== undefined ? `${remedy}   (${place})` : remedy)),
    place: named < 0 || finding.effect === "accepted" ? place : undefined,
  };
}

function sentence({ seen, title, effect }: Finding): string {
  return `${seen ?? title}${effect === "accepted" ? " (accepted by the plan file)" : ""}`;
}

/** How long a plan can be applied, as far as its age goes (`--max-age`). */
export const GOOD_FOR = "24 h";
