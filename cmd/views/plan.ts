import { WAIT_LIMITS, type WaitLimits } from "../../core/apply/context.ts";
import { lateCommitPossible } from "../../core/checks/connector.ts";
import type { Finding } from "../../core/checks/finding.ts";
import { changeKind, type Intent } from "../../core/document/intent.ts";
import { type ExpectedError, Refusal } from "../../core/errors.ts";
import { approvalSeen } from "../../core/plan/approval.ts";
import { asWritten, type Plan } from "../../core/plan/plan.ts";
import { decisionOf } from "../../core/plan/resolved-plan.ts";
import { describeStep, type PlannedStep } from "../../core/plan/steps.ts";
import { counted } from "../../core/values/amounts.ts";
import { type Advice, lineOf } from "../../core/values/remedy.ts";
import { errorDocument, placeOf } from "./error-text.ts";
import { documentOf, unlessEmpty } from "./json-text.ts";
import { viewOf } from "./kinds/catalogue.ts";
import { NOT_KNOWN, type PlanParts } from "./kinds/kind.ts";
import { showInstant, showMillis, trunc } from "./layout.ts";
import {
  code,
  type Findings,
  type Found,
  type Heading,
  items,
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
} from "./report/model.ts";

const partsOf = (plan: Plan): PlanParts => viewOf(changeKind(plan.intent)).plan(plan);

export interface PlanOptions {
  /** Commands to run next. */
  readonly next?: readonly string[];
  readonly limits?: WaitLimits | undefined;
  /** Of this plan. */
  readonly unsettled?: readonly Unsettled[];
  /** Whether to show what `--expect` compares. */
  readonly toExpect?: boolean;
  /** For a refused plan: only the reasons and remedies. */
  readonly brief?: boolean;
}

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
const MOST_CODES = 20;

const OUTCOMES: { readonly [state in Plan["outcome"]["state"]]: Outcome } = {
  ready: { word: "ready", mark: "good" },
  blocked: { word: "refused", mark: "bad" },
  "no-op": { word: "nothing to do", mark: "nothing" },
};

/**
 * The report of a plan: the change, its cost, every finding that did not pass, the steps, the digest, the next command.
 * A blocked plan begins with its refusals; a plan with nothing to do is one line.
 */
export function planReport(
  plan: Plan,
  { next = [], limits = WAIT_LIMITS, unsettled = [], toExpect = false, brief = false }: PlanOptions = {},
): Report {
  const { metadata } = plan.intent;
  const { outcome } = plan;
  const parts = partsOf(plan);
  const heading = headingOf(plan.intent, outcome.state);
  const lead = leadOf(subject(plan, parts.connectors), metadata);
  if (outcome.state === "no-op")
    return {
      heading,
      lead: [...lead, notice(`Nothing to do: ${trunc(outcome.why, 500)}`)],
      sections: decision(plan, toExpect),
      next,
      oneLine: `${trunc(metadata.name)}: nothing to do for ${trunc(parts.connectors)}: ${outcome.why}`,
    };
  const blocking = plan.findings.filter(({ effect }) => effect === "blocks");
  const blocked = blocking.length > 0;
  const urgent = [...inTheWay(unsettled), ...(blocked ? [...parts.before, ...refusals(blocking, parts)] : [])];
  if (brief && urgent.length > 0)
    return { heading, urgent, lead: lead.slice(0, 1), sections: parts.listed ?? [], next };
  return {
    heading,
    lead,
    urgent,
    sections: [
      ...(blocked ? [] : parts.before),
      ...parts.change,
      ...warnings(plan, parts),
      ...steps(plan, limits),
      ...decision(plan, toExpect),
    ],
    next,
  };
}

function headingOf({ kind, metadata }: Pick<Intent, "kind" | "metadata">, state: Plan["outcome"]["state"]): Heading {
  const { name, ticket } = metadata;
  const rest = [kind, ...(ticket === undefined ? [] : [trunc(ticket, 100)])];
  return { title: trunc(name), rest, outcome: OUTCOMES[state] };
}

function leadOf(sentence: string, { reason }: Intent["metadata"]): readonly Part[] {
  return [notice(sentence), ...(reason === "" ? [] : [notice(trunc(reason, 600))])];
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

/** Plans in the order of their documents, including documents that could not be planned: first a table, then each. */
export function planReports(
  plans: readonly Plan[],
  {
    next = [],
    unplanned = [],
    unsettled = [],
    limits,
    toExpect = false,
    brief = false,
  }: {
    readonly next?: readonly string[];
    readonly unplanned?: readonly UnplannedView[];
    readonly unsettled?: readonly Unsettled[];
    readonly limits?: WaitLimits;
    /** Whether to show what `--expect` compares. */
    readonly toExpect?: boolean;
    readonly brief?: boolean;
  } = {},
): Reports {
  const documents: (Plan | UnplannedView)[] = [...plans];
  for (const one of unplanned.toSorted((a, b) => a.at - b.at)) documents.splice(one.at, 0, one);
  const combined = toExpect && plans.length > 1 && unplanned.length === 0 ? approval(plans) : [];
  return {
    what: "plan",
    reports: documents.map((one) =>
      "error" in one
        ? unplannedReport(one)
        : planReport(one, {
            ...{ limits, brief, toExpect: toExpect && documents.length === 1 },
            unsettled: unsettled.filter(({ plan }) => plan === one),
          }),
    ),
    sections: [...notPlanned(unplanned), ...overview(documents), ...section(RANK.outcome, combined)],
    next,
  };
}

function notPlanned(unplanned: readonly UnplannedView[]): readonly Section[] {
  return section(
    RANK.outcome,
    list(
      unplanned.map(({ error }) => error.message),
      "document",
    ),
    { title: `${counted(unplanned.length, "document")} could not be planned`, only: "page" },
  );
}

/** A document that could not be planned, shown as a blocked plan: its change is unknown. */
function unplannedReport({ intent, own }: UnplannedView): Report {
  const { metadata, target, origin } = intent;
  const place = placeOf({ file: origin.file, line: lineOfTarget(origin) });
  const rows = items(failuresOf(own), "refusal", (one) => ({ effect: "refused" as const, place, ...one }), "many");
  return {
    heading: headingOf(intent, "blocked"),
    lead: leadOf(`${trunc(target.connector)} could not be observed: its change is unknown`, metadata),
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

/** Maximum number of refusal codes named in the table. */
const CODES_IN_TABLE = 3;

function overview(documents: readonly (Plan | UnplannedView)[]): readonly Section[] {
  if (documents.length < 2) return [];
  const rows = documents.map((one) => ({
    name: one.intent.metadata.name,
    ...("error" in one ? unknown(one) : inShort(one)),
  }));
  const table = tableOf("Result of each plan", rows, { what: "plan" }, [
    ["Plan", ({ name }) => trunc(name, 80)],
    ["Connector", ({ connectors }) => code(trunc(connectors, 80))],
    ["Outcome", ({ outcome: { word, mark } }) => ({ text: word, tone: mark === "bad" ? "bad" : undefined })],
    ["Direction", ({ direction }) => direction],
    ["Cost", ({ cost }) => cost],
    ["Findings", ({ codes, warnings }) => findingsInShort(codes, warnings)],
  ]);
  return section(RANK.outcome, [table], { title: counted(documents.length, "plan") });
}

function inShort(plan: Plan) {
  const { connectors, inShort: short } = partsOf(plan);
  const codes = plan.findings.filter(({ effect }) => effect === "blocks").map(({ code }) => trunc(code, 40));
  const warnings = plan.findings.filter((one) => one.effect === "warns" && !isOfStop(one)).length;
  const outcome = OUTCOMES[plan.outcome.state];
  if (plan.outcome.state === "no-op") return { connectors, direction: "none", cost: "none", codes, warnings, outcome };
  return { connectors, ...short, codes, warnings, outcome };
}

function unknown({ intent, own }: UnplannedView): ReturnType<typeof inShort> {
  const codes = failuresOf(own).map(({ code }) => trunc(code, 40));
  const connectors = intent.target.connector;
  return { connectors, direction: NOT_KNOWN, cost: NOT_KNOWN, codes, warnings: 0, outcome: OUTCOMES.blocked };
}

/** `OFF103, RED201; 1 warning`. */
function findingsInShort(codes: readonly string[], warnings: number): string {
  const all = [...new Set(codes)];
  const named = all.length > CODES_IN_TABLE ? `${all.slice(0, CODES_IN_TABLE).join(", ")}, …` : all.join(", ");
  const parts = [named, warnings === 0 ? "" : counted(warnings, "warning")].filter((part) => part !== "");
  return parts.length === 0 ? "none" : parts.join("; ");
}

/** `orders-cdc on connect.prod:8083, Kafka cluster …, database ORCLCDB (dbid 2914731, resetlogs 1)`. */
function subject({ world }: Plan, connectors: string): string {
  const { name, dbid, resetlogsScn } = world.database;
  const host = trunc(world.connectUrl.replace(/^https?:\/\//i, "").replace(/\/$/, ""));
  return (
    `${trunc(connectors)} on ${host}, Kafka cluster ${world.clusterId}, database ${name} (dbid ${dbid}, ` +
    `resetlogs ${resetlogsScn})`
  );
}

const REFUSED = { title: "Refusals", terminal: "no title", flush: true } as const;

function refusals(blocking: readonly Finding[], parts: PlanParts): readonly Section[] {
  const codes = new Set<string>();
  // Only the first ones are named.
  for (const { code } of blocking) if (codes.size <= MOST_CODES) codes.add(code);
  const named = [...codes].slice(0, MOST_CODES).map((code) => ({ code: trunc(code, 40) }));
  const text = [
    `Refused by ${counted(blocking.length, "finding")}: `,
    ...named.flatMap((one, at) => (at === 0 ? [one] : [", ", one])),
    ...(codes.size > MOST_CODES ? [", …"] : []),
  ];
  return [
    ...section(RANK.outcome, [notice(text)], { only: "page" }),
    ...section(RANK.refusals, found(blocking, "refusal", parts), REFUSED),
  ];
}

function warnings(plan: Plan, parts: PlanParts): readonly Section[] {
  const other = plan.findings.filter((one) => (one.effect === "warns" && !isOfStop(one)) || one.effect === "accepted");
  const passed = plan.findings.filter(({ effect }) => effect === "none").length;
  const checks = `${other.length === 0 ? "" : "other "}check`;
  return section(
    RANK.warnings,
    [...found(other, "finding", parts), ...(passed === 0 ? [] : [notice(`${counted(passed, checks)} passed`)])],
    { title: "Findings", terminal: "no title" },
  );
}

function found(findings: readonly Finding[], what: string, parts: PlanParts): readonly Findings[] {
  if (findings.length === 0) return [];
  return [{ is: "findings", rows: items(findings, what, (one) => foundOf(one, parts), "many") }];
}

/**
 * A finding and its remedies, except those already shown above. The place in the plan file follows the remedy that
 * names its path; `place` is used if no remedy does.
 */
function foundOf({ code, at, remedies: all, effect, seen, title }: Finding, { covered }: PlanParts): Found {
  const place = placeOf({ file: at?.file, line: at?.line });
  // An accepted finding needs no remedy.
  if (effect === "accepted")
    return { code, effect, text: `${seen ?? title} (accepted by the plan file)`, remedies: [], place };
  const above = new Set(covered.map(lineOf));
  const remedies = all.filter((remedy) => !above.has(lineOf(remedy)));
  const named = at === undefined || place === undefined ? -1 : remedies.findIndex((one) => decides(one, at.path));
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

/** The steps in order, with the maximum wait of each. */
function steps({ steps: planned, outcome, findings }: Plan, limits: WaitLimits): readonly Section[] {
  if (outcome.state !== "ready" || planned.length === 0) return [];
  const rows = planned.map((step) => {
    const limit = WAITS[step.step];
    const wait = limit === undefined ? "" : ` (at most ${showMillis(limits[limit])})`;
    return { text: `${describeStep(step)}${wait}${doubtOf(step, findings)}` };
  });
  return section(RANK.steps, [{ is: "steps", rows }], { title: "Steps", terminal: "no title" });
}

/** Every stop has this risk, whatever is planned: it is shown only at the stop. */
function isOfStop({ code }: Finding): boolean {
  return code === lateCommitPossible.code;
}

function doubtOf({ step }: PlannedStep, findings: readonly Finding[]): string {
  if (step !== "stop-connector" || !findings.some((one) => one.effect === "warns" && isOfStop(one))) return "";
  return `; ${lateCommitPossible.code}: a hung task could commit once more, so apply waits until nothing changes`;
}

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
  const where = toExpect ? approval([plan]) : [];
  const parts = [notice(["decision ", { code: digest }]), ...where, notice(`planned ${showInstant(plannedAt)}${how}`)];
  return section(RANK.outcome, parts, { flush: true });
}

/** What `--expect` compares. */
function approval(plans: readonly Plan[]): readonly Notice[] {
  const of = plans.length === 1 ? "decision and place" : "all decisions and places";
  return [notice(["approval ", { code: approvalSeen(plans) }, `, of ${of}`])];
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
    ...documentOf("PlanReport"),
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
