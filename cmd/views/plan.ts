import { WAIT_LIMITS, type WaitLimits } from "../../core/apply/context.ts";
import { lateCommitPossible } from "../../core/checks/connector.ts";
import type { Finding } from "../../core/checks/finding.ts";
import { MOST_UNLISTED } from "../../core/checks/snapshot-tables.ts";
import type { Intent } from "../../core/document/intent.ts";
import { type ExpectedError, Refusal } from "../../core/errors.ts";
import {
  asWritten,
  type ChangeRow,
  connectorsIn,
  type Diff,
  NOT_KNOWN,
  type Note,
  type Plan,
} from "../../core/plan/plan.ts";
import { approvalSeen, decisionOf } from "../../core/plan/resolved-plan.ts";
import { describeStep, type PlannedStep } from "../../core/plan/steps.ts";
import { counted } from "../../core/values/amounts.ts";
import { showMillis } from "../../core/values/duration.ts";
import { withoutScheme } from "../../core/values/escape.ts";
import { showInstant } from "../../core/values/instant.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import { errorDocument, placeOf } from "./error-text.ts";
import { documentOf, unlessEmpty } from "./json-text.ts";
import { trunc } from "./layout.ts";
import { diffTable } from "./offset.ts";
import {
  code,
  type Field,
  type Findings,
  type Found,
  field,
  fields,
  figure,
  type Heading,
  items,
  lines,
  list,
  type Notice,
  notice,
  type Outcome,
  type Part,
  RANK,
  type Report,
  type Reports,
  type Section,
  section,
  tableOf,
  verdictOf,
} from "./report/model.ts";

export interface PlanOptions {
  readonly next?: readonly string[];
  readonly limits?: WaitLimits | undefined;
  readonly unsettled?: readonly Unsettled[];
  /** Whether to show what `--expect` compares. */
  readonly toExpect?: boolean;
  /**
   * Whether a terminal shows the whole plan. Otherwise its first screen, and of a refused plan only reasons and
   * remedies.
   */
  readonly full?: boolean;
  /** The name above a short refusal, where there are others. */
  readonly named?: boolean;
}

type PlansOptions = Omit<PlanOptions, "named"> & { readonly unplanned?: readonly UnplannedView[] };

/** An unsettled run of a plan's connector on this machine, in the words of `apply`'s refusal. */
export interface Unsettled {
  readonly plan: Plan;
  readonly connector: string;
  readonly code: string;
  readonly seen: string;
  readonly remedies: readonly Advice[];
}

/** Default maximum age of a plan (`--max-age`). */
const GOOD_FOR = "24 h";

const OUTCOMES: { readonly [state in Plan["outcome"]["state"]]: Outcome } = {
  ready: { word: "ready", mark: "good" },
  blocked: { word: "refused", mark: "bad" },
  "no-op": { word: "nothing to do", mark: "nothing" },
};

/**
 * The report of a plan: what changes, what it costs, every finding that did not pass, the steps, the digest, the next
 * command; and, folded, everything else. A blocked plan begins with its refusals; one with nothing to do is one line.
 */
export function planReport(
  plan: Plan,
  { next = [], limits = WAIT_LIMITS, unsettled = [], toExpect = false, full = false, named = false }: PlanOptions = {},
): Report {
  const { metadata } = plan.intent;
  const { outcome } = plan;
  const heading = headingOf(plan.intent, outcomeOf(plan));
  const lead = [notice(plan.summary), notice(systems(plan), "quiet")];
  if (outcome.state === "no-op")
    return {
      ...{ heading, lead: [...lead, notice(`Nothing to do: ${trunc(outcome.why, 500)}`)], next, full },
      sections: decision(plan, toExpect),
      oneLine: `${trunc(metadata.name)}: nothing to do for ${trunc(connectorsIn(plan.intent))}: ${outcome.why}`,
    };
  const blocking = plan.findings.filter(({ effect }) => effect === "blocks");
  const blocked = blocking.length > 0;
  const covered = plan.first?.covers ?? [];
  const before = firstSections(plan);
  const urgent = [...inTheWay(unsettled), ...(blocked ? [...before, ...refusals(blocking, covered)] : [])];
  // A terminal shows the reasons first; the rest is in `--full`.
  if (!full && urgent.length > 0)
    return {
      heading: named ? heading : { ...heading, terminal: "no title" },
      urgent,
      sections: plan.diff.filter(({ shown: extent }) => extent === "always").flatMap(manyRows),
      next,
    };
  return {
    ...{ heading, lead, urgent, next, full },
    sections: [
      ...(blocked ? [] : before),
      ...plan.diff.flatMap(changed),
      ...consequences(plan.notes),
      ...warnings(plan, covered),
      ...steps(plan, limits),
      ...plan.diff.flatMap(unchanged),
      ...inDetail(plan),
      ...section(RANK.figure, figure(plan.timeline), { title: "The position", terminal: "no title", shown: "in full" }),
      ...decision(plan, toExpect),
    ],
  };
}

/** What a refusal does not name in its sentence. */
function manyRows(diff: Diff): readonly Section[] {
  return diff.rows.length > MOST_UNLISTED ? changed(diff) : [];
}

const isShown = ({ shown }: Diff, { change }: ChangeRow) =>
  shown === "always" || (shown === undefined && change !== "unchanged");

/** What is deleted comes before a list that may be of any length. */
function rankOf({ shown, rows }: Diff): Section["rank"] {
  return shown === "always" && rows.every(({ change }) => change === "unchanged") ? RANK.details : RANK.subject;
}

/** The rows of a diff that are never folded, and how many others there are. */
function changed(diff: Diff): readonly Section[] {
  const { title, what, rows, about } = diff;
  const shown = rows.filter((row) => isShown(diff, row));
  if (shown.length === 0) return [];
  const left = rows.length - shown.length;
  const parts = [...(about === undefined ? [] : [notice(about)]), diffTable(diff, shown)];
  const others = left === 0 ? [] : [notice(`${counted(left, `other ${what}`)} unchanged; --full`, "quiet")];
  return [
    ...section(rankOf(diff), parts, { title, terminal: "no title" }),
    ...section(RANK.subject, others, { shown: "in short", only: "terminal", close: true }),
  ];
}

/** The rows of a diff that are folded. */
function unchanged(diff: Diff): readonly Section[] {
  const { title, rows } = diff;
  const folded = rows.filter((row) => !isShown(diff, row));
  if (folded.length === 0) return [];
  const of = folded.length === rows.length ? title : `${title}: unchanged`;
  return section(RANK.figure, [diffTable({ ...diff, title: of }, folded)], { title: of, shown: "in full" });
}

function fieldOf({ label, text, tone, list: of, shown }: Note): Field {
  const details = of && shown === "always" ? lines(of.items, of.what, "all") : undefined;
  return field(label, text, tone, details);
}

/** The consequences of a change, one labelled sentence each. */
function consequences(notes: readonly Note[]): readonly Section[] {
  const shown = notes.filter((one) => one.shown !== "in full");
  return section(RANK.consequences, fields(shown.map(fieldOf), { aligned: true }), {
    title: "What it means",
    terminal: "no title",
  });
}

/** The folded sentences, and what the others only count. */
function inDetail({ intent: { metadata }, notes }: Plan): readonly Section[] {
  const reason = metadata.reason === "" ? [] : [field("reason", trunc(metadata.reason, 600))];
  const rows = notes.flatMap(({ label, text, tone, list: of, shown }) => {
    if (of !== undefined && shown !== "always")
      return [field(label, `${counted(of.items.length, of.what)}:`, tone, lines(of.items, of.what, "some"))];
    return shown === "in full" ? [field(label, text, tone)] : [];
  });
  return section(RANK.figure, fields([...reason, ...rows], { aligned: true }), {
    title: "In detail",
    terminal: "no title",
    shown: "in full",
  });
}

function firstSections({ first }: Plan): readonly Section[] {
  if (first === undefined) return [];
  const { why, commands, after } = first;
  const parts: readonly Part[] = [
    notice(why, "bad"),
    ...(commands.length === 0 ? [] : [{ is: "code", language: "sql", lines: lines(commands, "command") } as const]),
    ...(after === undefined ? [] : [notice(after)]),
  ];
  const rank = commands.length === 0 ? RANK.outcome : RANK.refusals;
  return section(rank, parts, { title: "Try this first", terminal: "no title", flush: true });
}

function outcomeOf(plan: Plan): Outcome {
  const { outcome } = plan;
  const count = warningsIn(plan);
  const also = count === 0 || outcome.state === "no-op" ? "" : `, ${counted(count, "warning")}`;
  return { ...OUTCOMES[outcome.state], also, shown: true };
}

function headingOf({ kind, metadata }: Pick<Intent, "kind" | "metadata">, outcome: Outcome): Heading {
  const { name, ticket } = metadata;
  return { title: trunc(name), rest: [kind, ...(ticket === undefined ? [] : [trunc(ticket, 100)])], outcome };
}

/** Runs of this machine to settle first: `apply` refuses until then. */
function inTheWay(unsettled: readonly Unsettled[]): readonly Section[] {
  const rows = items(unsettled, "run", ({ code, seen, remedies }) => ({
    code,
    text: `apply would be refused: ${seen}`,
    effect: "refused" as const,
    remedies,
  }));
  return section(RANK.refusals, unsettled.length === 0 ? [] : [{ is: "findings", rows }]);
}

/** The number of documents beyond which a terminal gives lines of their own only to those that need attention. */
const MOST_LINES = 20;

/**
 * Plans in the order of their documents, including documents that could not be planned: first a table, then each. A
 * terminal shows a ready one in a line, with what is never folded.
 */
export function planReports(
  plans: readonly Plan[],
  { next = [], unplanned = [], unsettled = [], limits, toExpect = false, full = true }: PlansOptions = {},
): Reports {
  const documents: (Plan | UnplannedView)[] = [...plans];
  for (const one of unplanned.toSorted((a, b) => a.at - b.at)) documents.splice(one.at, 0, one);
  const several = documents.length > 1;
  const options = (plan: Plan) => ({
    ...{ limits, full, named: several, toExpect: toExpect && !several },
    unsettled: unsettled.filter((one) => one.plan === plan),
  });
  const combined = toExpect && plans.length > 1 && unplanned.length === 0 ? approval(plans) : [];
  const reportOf = (one: Plan | UnplannedView) =>
    "error" in one ? unplannedReport(one) : planReport(one, options(one));
  const isInLines = (one: Plan | UnplannedView): one is Plan =>
    !("error" in one) && one.outcome.state !== "blocked" && options(one).unsettled.length === 0;
  const ready = documents.filter(isInLines);
  const last = [
    ...section(RANK.outcome, ready.map(doubts).find((parts) => parts.length > 0) ?? []),
    ...section(RANK.outcome, combined, { flush: true }),
  ];
  return {
    what: "plan",
    reports: documents.map(reportOf),
    ...(full || !several
      ? {}
      : {
          terminal: [
            ...inLines(ready.length > MOST_LINES ? ready.filter(needsAttention) : ready),
            ...documents.filter((one) => !isInLines(one)).map(reportOf),
            ...(last.length === 0 ? [] : [{ sections: last }]),
          ],
        }),
    sections: [...overview(documents), ...section(RANK.outcome, combined, full ? {} : { only: "page" })],
    next,
  };
}

/** Whether a plan says more than its row in the table of plans: warnings, losses, deletions. */
function needsAttention(plan: Plan): boolean {
  const { diff, notes } = plan;
  return (
    warningsIn(plan) > 0 ||
    notes.some(({ shown, tone }) => shown === "always" && tone !== undefined) ||
    diff.some(({ shown }) => shown === "always")
  );
}

/** A line for each plan, and below it what is never folded. */
function inLines(plans: readonly Plan[]): readonly Report[] {
  if (plans.length === 0) return [];
  const sections = plans.flatMap((plan) => {
    const { outcome, summary, notes, diff, first } = plan;
    const line = (what: string) =>
      section(RANK.outcome, [notice(`${trunc(plan.intent.metadata.name, 80)}  ${what}`)], { flush: true, close: true });
    if (outcome.state === "no-op") return line(`nothing to do: ${trunc(outcome.why, 500)}`);
    const never = notes.filter((one) => one.shown === "always");
    const rows = diff.filter((one) => one.shown === "always").flatMap(changed);
    const found = warnings(plan, first?.covers ?? []).flatMap(({ parts }) =>
      parts.filter(({ is }) => is === "findings"),
    );
    return [
      ...line(summary),
      ...section(RANK.outcome, fields(never.map(fieldOf), { aligned: true }), { close: true }),
      ...rows.map((one) => ({ ...one, close: true as const })),
      ...section(RANK.outcome, found, { close: true }),
    ];
  });
  return [{ sections }];
}

/** A document that could not be planned, shown as a blocked plan: its change is unknown. */
function unplannedReport({ intent, own }: UnplannedView): Report {
  const { target, origin } = intent;
  const place = placeOf({ file: origin.file, line: lineOfTarget(origin) });
  const rows = items(failuresOf(own), "refusal", (one) => ({ effect: "refused" as const, place, ...one }), "many");
  return {
    heading: headingOf(intent, { ...OUTCOMES.blocked, shown: true }),
    lead: [notice(`${trunc(target.connector)} could not be observed: its change is unknown`)],
    urgent: section(RANK.refusals, [{ is: "findings", rows }], REFUSED),
    sections: [],
  };
}

function lineOfTarget({ lines }: Intent["origin"]): bigint | undefined {
  return lines["target.connector"] ?? lines["target"];
}

/** Shown in place of a finding's code for a failure or wrong settings. */
const NOT_OBSERVED = "APL820";

function failuresOf(error: ExpectedError): readonly Pick<Found, "code" | "text" | "remedies">[] {
  if (!("problems" in error)) {
    const { message: text, remedies } = error;
    return [{ code: error instanceof Refusal ? error.code : NOT_OBSERVED, text, remedies }];
  }
  return error.problems.map((problem) => {
    const where = placeOf(problem);
    return {
      code: NOT_OBSERVED,
      text: where === undefined ? problem.message : `${where}: ${problem.message}`,
      remedies: problem.remedy === undefined ? [] : [problem.remedy],
    };
  });
}

function overview(documents: readonly (Plan | UnplannedView)[]): readonly Section[] {
  if (documents.length < 2) return [];
  const rows = documents.map((one) => ({
    name: one.intent.metadata.name,
    ...("error" in one ? unknown(one) : inShort(one)),
  }));
  const table = tableOf("Result of each plan", rows, { what: "plan" }, [
    ["Plan", ({ name }) => trunc(name, 80)],
    ["Connector", ({ connectors }) => code(trunc(connectors, 80))],
    ["Outcome", ({ outcome }) => ({ text: verdictOf(outcome), tone: outcome.mark === "bad" ? "bad" : undefined })],
    ["Change", ({ change }) => change],
    ["Cost", ({ cost }) => cost, { wraps: true }],
  ]);
  return section(RANK.outcome, [table], { title: counted(documents.length, "plan") });
}

function inShort(plan: Plan) {
  const isNoOp = plan.outcome.state === "no-op";
  return {
    connectors: connectorsIn(plan.intent),
    outcome: outcomeOf(plan),
    ...(isNoOp ? { change: "none", cost: "none" } : plan.inShort),
  };
}

function unknown({ intent: { target } }: UnplannedView): ReturnType<typeof inShort> {
  return { connectors: target.connector, change: NOT_KNOWN, cost: NOT_KNOWN, outcome: OUTCOMES.blocked };
}

/** `connect.prod:8083, Kafka cluster …, ORCLCDB (dbid 2914731)`. */
function systems({ world }: Plan): string {
  const { name, dbid } = world.database;
  return `${trunc(withoutScheme(world.connectUrl))}, Kafka ${world.clusterId}, ${name} (dbid ${dbid})`;
}

const REFUSED = { title: "Refusals", terminal: "no title", flush: true } as const;

function refusals(blocking: readonly Finding[], covered: readonly string[]): readonly Section[] {
  return section(RANK.refusals, found(blocking, "refusal", covered), REFUSED);
}

function warnings(plan: Plan, covered: readonly string[]): readonly Section[] {
  const other = plan.findings.filter((one) => (one.effect === "warns" && !isOfStop(one)) || one.effect === "accepted");
  const passed = plan.findings.filter(({ effect }) => effect === "none").length;
  const checks = `${other.length === 0 ? "" : "other "}check`;
  return section(
    RANK.warnings,
    [...found(other, "finding", covered), ...(passed === 0 ? [] : [notice(`${counted(passed, checks)} passed`)])],
    { title: "Findings", terminal: "no title" },
  );
}

function found(findings: readonly Finding[], what: string, covered: readonly string[]): readonly Findings[] {
  if (findings.length === 0) return [];
  return [{ is: "findings", rows: items(findings, what, (one) => foundOf(one, covered), "many") }];
}

/**
 * A finding and its remedies, except those already shown above. The place in the plan file follows the remedy that
 * names its path; `place` is used if no remedy does.
 */
function foundOf({ code, at: spot, remedies: all, effect, seen, title }: Finding, covered: readonly string[]): Found {
  const place = placeOf({ file: spot?.file, line: spot?.line });
  // An accepted finding needs no remedy.
  if (effect === "accepted")
    return { code, effect, text: `${seen ?? title} (accepted by the plan file)`, remedies: [], place };
  const above = new Set(covered);
  const remedies = all.filter((remedy) => !above.has(lineOf(remedy)));
  const named = spot === undefined || place === undefined ? -1 : remedies.findIndex((one) => decides(one, spot.path));
  return {
    code,
    effect: effect === "blocks" ? "refused" : "warns",
    text: seen ?? title,
    remedies: remedies.map((one, i) => (i === named && typeof one !== "string" ? { ...one, note: `(${place})` } : one)),
    place: named < 0 ? place : undefined,
  };
}

/** Whether a remedy sets the plan file's value at a path. */
function decides(remedy: Advice, path: string): boolean {
  return typeof remedy !== "string" && remedy.setting?.startsWith(path) === true;
}

/** The steps: in a line, and folded one by one with the maximum wait of each. */
function steps(plan: Plan, limits: WaitLimits): readonly Section[] {
  const { steps: planned, outcome, findings } = plan;
  if (outcome.state !== "ready" || planned.length === 0) return [];
  const waits = planned.map((step) => ownWait(step, limits));
  const rows = planned.map((step, at) => {
    const limit = WAITS[step.step] === undefined ? 0n : (waits[at] ?? 0n);
    const wait = limit === 0n ? "" : ` (at most ${showMillis(limit)})`;
    return { text: `${describeStep(step)}${wait}${isDoubtful(step, findings) ? `; ${DOUBT}` : ""}` };
  });
  const most = waits.reduce((sum, one) => sum + one, 0n);
  const words = planned.map(wordsOf).join(" → ");
  const parts = [notice(`${words}${most === 0n ? "" : `, at most ${showMillis(most)}`}`), ...doubts(plan)];
  return [
    ...section(RANK.steps, parts, { title: "Steps", terminal: "no title", shown: "in short" }),
    ...section(RANK.steps, [{ is: "steps", rows }], { title: "Steps", terminal: "no title", shown: "in full" }),
  ];
}

/** What is doubtful of every stop, below the steps in a line. */
function doubts({ steps: planned, outcome, findings }: Plan): readonly Part[] {
  const isDoubted = outcome.state === "ready" && planned.some((step) => isDoubtful(step, findings));
  return list(isDoubted ? [DOUBT] : [], "warning", { sign: "!", tone: "caution" });
}

/** A word or two: `stop`, `wait for transactions`. */
function wordsOf({ step }: PlannedStep): string {
  if (step === "recheck") return "check again";
  return step.replace(/^(stop|patch|record|resume|start|create)-.*$/, "$1").replaceAll("-", " ");
}

/** How long a step may wait, milliseconds. */
function ownWait(step: PlannedStep, limits: WaitLimits): bigint {
  const limit = WAITS[step.step];
  if (limit !== undefined) return BigInt(limits[limit]);
  return "millis" in step ? step.millis : 0n;
}

/** Every stop has this risk, whatever is planned: it is shown only at the stop. */
function isOfStop({ code }: Finding): boolean {
  return code === lateCommitPossible.code;
}

function isDoubtful({ step }: PlannedStep, findings: readonly Finding[]): boolean {
  return step === "stop-connector" && findings.some((one) => one.effect === "warns" && isOfStop(one));
}

const DOUBT = `${lateCommitPossible.code}: a hung task could commit once more, so apply waits until nothing changes`;

const WAITS: { readonly [step in PlannedStep["step"]]?: keyof WaitLimits } = {
  "stop-connector": "stop",
  "resume-connector": "resume",
  "start-connector": "resume",
  "start-new": "resume",
  "resume-legacy": "resume",
};

function decision(plan: Plan, toExpect: boolean): readonly Section[] {
  const { decision: digest, plannedAt, outcome } = plan;
  const how = { ready: `, good for ${GOOD_FOR}`, blocked: ", blocked", "no-op": "" }[outcome.state];
  const planned = `planned ${showInstant(plannedAt)}${how}`;
  const parts = [notice(["decision ", { code: digest }]), notice(planned)];
  const brief = notice(`decision ${digest.slice(0, SHORT_DIGEST)}…  ${planned}`);
  return [
    ...section(RANK.outcome, [brief], { flush: true, shown: "in short" }),
    ...section(RANK.outcome, parts, { flush: true, shown: "in full" }),
    ...section(RANK.outcome, toExpect ? approval([plan]) : [], { flush: true, close: true }),
  ];
}

const SHORT_DIGEST = "sha256:".length + 12;

/** The question before plans are applied: what is about to be done, and the answer that consents. */
export function questionOf(plans: readonly Plan[]): { readonly question: string; readonly answer: string } {
  const warned = plans.reduce((sum, plan) => sum + warningsIn(plan), 0);
  const [only, ...others] = plans;
  const about = warned === 0 ? "" : ` (${counted(warned, "warning")})`;
  // What is deleted for good is named by whoever deletes it.
  const deleted = plans.flatMap(({ intent }) =>
    intent.kind === "Migration" && intent.phase === "retire" ? [intent.from.connector] : [],
  );
  const answer = deleted.length === 0 ? "yes" : deleted.join(" ");
  const how = deleted.length === 0 ? `Type "yes": ` : `Type ${trunc(answer)}: `;
  const does = only === undefined || others.length > 0 ? `Apply ${counted(plans.length, "plan")}` : only.asks;
  return { question: `${does}${about}? ${how}`, answer };
}

function warningsIn({ findings }: Plan): number {
  return findings.filter((one) => one.effect === "warns" && !isOfStop(one)).length;
}

/** What `--expect` compares. */
function approval(plans: readonly Plan[]): readonly Notice[] {
  return [notice(["approval ", { code: approvalSeen(plans) }])];
}

/** A document that could not be planned, and why. */
export interface UnplannedView {
  readonly intent: Pick<Intent, "kind" | "metadata" | "target" | "origin">;
  /** Its place among the documents, from 0. */
  readonly at: number;
  /** The original error. */
  readonly own: ExpectedError;
  /** The same error, with file and document before its message. */
  readonly error: ExpectedError;
}

/**
 * Plans for a pipeline (`schemas/plan.schema.json`): the content of a resolved plan, without its protection against
 * edits; it cannot be applied. SCNs are JSON integers: print it with `printJson`, and read it with a parser that keeps
 * integers beyond 2^53.
 */
export function planDocument(
  plans: readonly Plan[],
  next: readonly string[] = [],
  unplanned: readonly UnplannedView[] = [],
  unsettled: readonly Unsettled[] = [],
) {
  const count = (state: Plan["outcome"]["state"]) => plans.filter(({ outcome }) => outcome.state === state).length;
  return {
    ...documentOf("PlanReport", 2n),
    summary: { ready: count("ready"), blocked: count("blocked") + unplanned.length, noOp: count("no-op") },
    plans: plans.map(asWritten),
    decision: decisionOf(plans),
    approval: approvalSeen(plans),
    next,
    unsettled: unlessEmpty(
      unsettled.map(({ connector, code, seen, remedies }) => ({
        ...{ connector, code, seen },
        remedies: remedies.map(lineOf),
      })),
    ),
    unplanned: unlessEmpty(
      unplanned.map(({ intent: { origin, metadata, target }, error }) => ({
        file: origin.file,
        line: lineOfTarget(origin),
        name: metadata.name,
        connector: target.connector,
        error: errorDocument(error),
      })),
    ),
  };
}
