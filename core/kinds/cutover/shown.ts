import type { Translation } from "../../../schemas/generated/shared.ts";
import type { CutoverReading } from "../../checks/readings.ts";
import { statusOf } from "../../facts/connector/connector.ts";
import { toReview } from "../../legacy/follow-ups.ts";
import { propertiesOf, redactTranslation, type TranslatedProperty } from "../../legacy/translation.ts";
import { type ChangeRow, type Diff, type Note, note, placeOf, type Said } from "../../plan/plan.ts";
import { configurationLines } from "../../plan/preconditions.ts";
import { counted, showCount } from "../../values/amounts.ts";
import { ascending } from "../../values/lists.ts";
import { truncate } from "../../values/truncate.ts";
import { redoNotes, UNCHANGED } from "../connector/shown.ts";
import type { Phase } from "../migration/plan.ts";
import {
  connectorOf,
  countsText,
  evidenceText,
  names,
  overlapText,
  partitionDiff,
  phaseSaid,
  redoCost,
  timed,
  timeIn,
} from "../migration/shown.ts";
import { topicsNote } from "./debezium/kept-topics.ts";

/** What a cutover says of itself. */
export function cutoverSaid(plan: Phase, reading: CutoverReading): Said {
  const { facts, open } = reading;
  const translated = redactTranslation(facts.translation);
  const { offsets, overlap } = reading.takeover;
  const timeOf = timeIn(facts);
  const redo = reading.takeover.redo?.known ? reading.takeover.redo.value : undefined;
  const [old, name] = names(plan);
  const itsOwn = facts.legacy.status.state === "STOPPED" ? "where it stopped" : "by its current offsets";
  const where = offsets?.given ? "given by the plan file" : itsOwn;
  const start = offsets === undefined ? "; its position is unknown" : ` at ${offsets.startScn}, ${where}`;
  const audit = facts.audit?.known ? facts.audit.value : undefined;
  const { cost, figures } = redoCost(redo);
  const gone = translated.properties.filter(({ fate }) => fate === "dropped").map(({ name: property }) => property);
  return phaseSaid(plan, {
    summary: `Cut over from ${old} to ${name} on ${placeOf(plan)}${start}`,
    asks: `Stop ${old} on ${placeOf(plan)} and start ${name} in its place`,
    cost,
    figures: {
      ...figures,
      targetScn: offsets?.startScn,
      overlapScns: offsets === undefined || offsets.lastUnknown ? undefined : (overlap?.scns ?? 0n),
      ...(audit?.writtenAt === undefined ? {} : { evidenceAt: audit.writtenAt }),
      ...(overlap?.millis === undefined ? {} : { overlapSeconds: overlap.millis / 1000n }),
      openProperties: open.map(({ name: property }) => property),
      droppedProperties: gone,
    },
    diff: [...partitionDiff(offsets, timeOf), configurationDiff(plan, translated)],
    notes: [
      ...(offsets === undefined
        ? [note("cdc.start.scn", "unknown: the stored offsets are not a valid position", "bad")]
        : [
            startNote(plan, timed(offsets.startScn, timeOf(offsets.startScn)), offsets.given, facts.legacy),
            note("overlap", overlapText(overlap, offsets, plan.decided.topicChoice ?? "new"), undefined, "always"),
          ]),
      ...topicsNote(plan, reading),
      ...(audit === undefined ? [] : [note("audit", `${evidenceText(audit)}${countsText(audit.counts)}`)]),
      ...redoNotes(redo),
      legacyNote(plan, facts.legacy),
      nextNote(plan, reading.createdStopped),
      translation(plan, translated, open.length),
      ...overridden(plan, translated),
      ...dropped(gone),
      ...review(toReview(plan.decided.configuration, propertiesOf(facts.legacy.config), plan.intent.to.topics)),
      rollback(plan),
    ],
  });
}

function review(steps: readonly string[]): readonly Note[] {
  if (steps.length === 0) return [];
  const text = `${counted(steps.length, "step")} that no check sees`;
  return [note("to review", text, undefined, undefined, steps, "step")];
}

function startNote(
  plan: Phase,
  start: string,
  given: true | undefined,
  { status }: CutoverReading["facts"]["legacy"],
): Note {
  if (given) return note("cdc.start.scn", `${start}: given by the plan file, so it is final`);
  const [from] = names(plan);
  const moves =
    status.state === "STOPPED" && status.tasks.length === 0
      ? `${from} is stopped, so it is final`
      : `it moves while ${from} runs, and is fixed once ${from} has stopped`;
  return note("cdc.start.scn", `${start}: the lowest scn; ${moves}`);
}

function legacyNote(plan: Phase, { status }: CutoverReading["facts"]["legacy"]): Note {
  const [name] = names(plan);
  const stays = status.state === "STOPPED" ? "it stays stopped" : "it will be stopped, and stays stopped";
  const will = plan.outcome.state === "ready" ? stays : UNCHANGED;
  return note("legacy", `${name} ${statusOf(status)}; ${will}`);
}

function nextNote(plan: Phase, createdStopped: boolean): Note {
  const { outcome } = plan;
  const next = connectorOf(plan, "new");
  const [, name] = names(plan);
  if (next !== undefined) return note("new", `${name} already exists: ${statusOf(next)}`, "caution");
  if (outcome.state !== "ready") return note("new", `${name} does not exist yet`);
  return createdStopped
    ? note("new", `${name} will be created STOPPED, its configuration read back and compared, and then started`)
    : note(
        "new",
        `${name} will be created and start immediately: creating it STOPPED requires Kafka Connect 3.7`,
        "caution",
      );
}

const FATES = ["manual", "changed", "dropped", "mapped"] as const satisfies readonly TranslatedProperty["fate"][];

/** How many properties of the legacy connector have which fate; open manual ones are findings too. */
function translation({ outcome }: Phase, { properties }: Translation, open: number): Note {
  const counts = FATES.map((fate) => `${showCount(properties.filter((one) => one.fate === fate).length)} ${fate}`);
  const blocks = outcome.state === "blocked";
  const left =
    open === 0
      ? ""
      : open === 1
        ? `; 1 manual one is open${blocks ? ", and blocks" : ""}`
        : `; ${showCount(open)} manual ones are open${blocks ? ", and block" : ""}`;
  return note(
    "translation",
    `${counted(properties.length, "property", "properties")}: ${counts.join(", ")}${left}`,
    open === 0 ? undefined : "bad",
  );
}

/** What the plan file and the operator's file change of the translated settings. Secrets are redacted. */
function overridden({ decided }: Phase, { config }: Translation): readonly Note[] {
  const { name: _, ...translated } = config;
  const lines = configurationLines(translated, decided.configuration).map((line) => truncate(line, 300));
  if (lines.length === 0) return [];
  return [note("own settings", "they differ from the translation", undefined, "in full", lines, "changed line")];
}

/** What the new connector no longer has: never folded. */
function dropped(properties: readonly string[]): readonly Note[] {
  const gone = properties.map((name) => truncate(name, 200)).sort();
  return gone.length === 0 ? [] : [note("dropped", gone.join(", "), undefined, "always")];
}

const FROM = { "plan file": "spec.to.config", operator: "your file for the connector" } as const;

/**
 * The new connector's settings, each with the legacy property that it is translated from: those that need action first,
 * those only renamed last, then what is added. Secrets are redacted.
 */
function configurationDiff({ intent, decided }: Phase, translation: Translation): Diff {
  const { properties, added } = translation;
  const { configuration, legacyConfiguration: legacy = {} } = decided;
  const translated = FATES.flatMap((fate) =>
    properties.filter((one) => one.fate === fate).sort(ascending(({ name }) => name)),
  );
  const known = new Set([...added, ...translated.filter((one) => "target" in one)].map(({ target }) => target));
  const others = Object.entries(configuration)
    .filter(([name, value]) => !known.has(name) || translation.config[name] !== value)
    .sort(ascending(([name]) => name));
  return {
    title: "Configuration",
    what: "setting",
    rows: [
      ...translated.map((one) => propertyRow(one, legacy[one.name], intent.accept)),
      ...added.map(({ target, value, reason }) => settingRow(target, value, reason)),
      ...others.map(([name, value]) =>
        settingRow(name, value, FROM[Object.hasOwn(intent.to.config, name) ? "plan file" : "operator"]),
      ),
    ],
    shown: "in full",
  };
}

function propertyRow(property: TranslatedProperty, was: string | undefined, accept: readonly string[]): ChangeRow {
  const name = truncate(property.name, 200);
  const before = was === undefined ? undefined : valueText(was);
  const removed = { label: name, before, change: "removed" } as const;
  if (property.fate === "manual") {
    const state = accept.includes(property.name) ? "accepted" : "open";
    return { ...removed, note: `${state}; ${property.instruction}`, tone: "caution" };
  }
  if (property.fate === "dropped") return { ...removed, note: property.reason };
  const { target, value } = property;
  const why = property.fate === "changed" ? [property.reason] : [];
  const renamed = property.name === target ? [] : [`was ${name}`];
  return {
    label: truncate(target, 200),
    before,
    after: valueText(value),
    change: was === value ? "unchanged" : "changed",
    note: [...renamed, ...why].join("; "),
  };
}

function settingRow(name: string, value: string, why: string): ChangeRow {
  return { label: truncate(name, 200), after: valueText(value), change: "added", note: why };
}

function valueText(value: string): NonNullable<ChangeRow["before"]> {
  return { text: value === "" ? "empty" : truncate(value, 300) };
}

function rollback(plan: Phase): Note {
  const [old, name] = names(plan);
  return note(
    "rollback",
    `cdcctl rollback RUN: ${name} and its stored offsets are deleted, and ${old} resumes where it stopped; possible ` +
      "until it is retired",
  );
}
