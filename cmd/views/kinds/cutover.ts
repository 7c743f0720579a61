import { noWayBackWithoutAGap } from "../../../core/checks/cutover-rollback.ts";
import type { TranslatedProperty } from "../../../core/legacy/translation.ts";
import type { CutoverPlan, CutoverShown } from "../../../core/plan/migration-plan.ts";
import type { MigrationSubject } from "../../../core/run/subject.ts";
import { counted, showCount } from "../../../core/values/amounts.ts";
import { shellWord } from "../../../core/values/shell-word.ts";
import { clip, NO_BREAK } from "../layout.ts";
import { standingOf } from "../quantities.ts";
import { code, type Field, field, items, RANK, type Section, section, type Table } from "../report/model.ts";
import { lastDelivered, overlap, redoFrom, timed } from "../takeover.ts";
import { what } from "../translation.ts";
import type { KindView } from "./kind.ts";
import { changes, ofTwoConnectors, phaseParts } from "./migration.ts";

/** From the legacy connector to the new one. */
export const cutover: KindView<CutoverPlan, MigrationSubject> = {
  ...ofTwoConnectors,
  plan(plan) {
    const { migration: shown } = plan;
    const settings = settingsShown(plan, shown);
    return phaseParts(plan, aim(plan), cutoverFields(plan, shown, settings), {
      takeover: shown.takeover,
      more: [translationSection(plan, shown), ...configurationSection(settings)],
    });
  },
  changes: (subject, state, at) => changes(subject, state, at, subject.legacy),
  aim: ({ legacy: old }) => `cutover from ${clip(old, 60)}`,
  next: (run, then) => [
    ...then("verify", "to prove that tables and topics agree"),
    `cdcctl rollback ${shellWord(run)}     # to go back`,
  ],
};

function aim({ intent, migration: { takeover }, legacy: connector }: CutoverPlan): string {
  const [old, name] = [clip(intent.from.connector), clip(intent.to.name)];
  if (takeover === undefined) return `cutover: where ${old} stands, and ${name} would start, can't be told`;
  const where = connector?.state === "STOPPED" ? "where that one has stopped" : "as its offsets stand now";
  return `cutover: ${name} takes over from ${old} at ${takeover.startScn}, ${where}`;
}

function cutoverFields(plan: CutoverPlan, shown: CutoverShown, settings: readonly SettingShown[]): readonly Field[] {
  return [
    ...position(plan, shown),
    redoFrom(shown.redo),
    legacy(plan),
    next(plan, shown),
    preflight(shown),
    configuration(settings),
    wayBack(plan),
  ];
}

function position(plan: CutoverPlan, { takeover }: CutoverShown): readonly Field[] {
  if (takeover === undefined)
    return [field("cdc.start.scn", "can't be told: the stored offsets are no position", "bad")];
  const from = clip(plan.intent.from.connector);
  const moves =
    plan.legacy?.state === "STOPPED" && plan.legacy.tasks.length === 0
      ? `${from} is stopped, so that it stays`
      : `it moves while ${from} runs, and is fixed when that has stopped`;
  return [
    field("cdc.start.scn", `${timed(takeover.startScn, takeover.startedAt)}: the lowest scn; ${moves}`),
    lastDelivered(takeover),
    overlap(takeover),
    incarnation(plan, takeover.startScn),
  ];
}

/** Specification, "Takeover rules", 3. */
function incarnation({ world: { database } }: CutoverPlan, start: bigint): Field {
  const { resetlogsScn, currentScn } = database;
  if (start <= resetlogsScn)
    return field("incarnation", `opened with RESETLOGS at ${resetlogsScn}: the start lies before it`, "bad");
  if (start > currentScn)
    return field("incarnation", `the start is above the current SCN ${currentScn}: of another database?`, "bad");
  return field(
    "incarnation",
    `opened with RESETLOGS at ${resetlogsScn}, current SCN ${currentScn}; the start lies between`,
  );
}

function legacy({ legacy: connector, intent, outcome }: CutoverPlan): Field {
  const name = clip(intent.from.connector);
  if (connector === undefined) return field("legacy", `${name} is not there`, "bad");
  const will =
    outcome.state !== "ready"
      ? "it is left as it is"
      : connector.state === "STOPPED"
        ? "it stays stopped"
        : "it will be stopped, and stays stopped";
  return field("legacy", `${name} ${standingOf(connector)}; ${will}`);
}

function next({ next: connector, intent, outcome }: CutoverPlan, { createdStopped }: CutoverShown): Field {
  const name = clip(intent.to.name);
  if (connector !== undefined) return field("new", `${name} is there already: ${standingOf(connector)}`, "caution");
  if (outcome.state !== "ready") return field("new", `${name} is not there yet`);
  return field(
    "new",
    createdStopped
      ? `${name} will be created STOPPED, its configuration read back and compared, and then started`
      : `${name} will be created, and runs at once: these workers can't create it STOPPED (Kafka Connect 3.7 can)`,
    createdStopped ? undefined : "caution",
  );
}

/** In short; what is wrong stands in a finding as well. */
function preflight({ preflight: { installed, problems, masked } }: CutoverShown): Field {
  const wrong = problems ?? [];
  const parts = [
    installed === undefined
      ? "whether the workers have its class can't be seen"
      : installed
        ? "the workers have its class"
        : "the workers do not have its class",
    problems === undefined
      ? "no worker has validated its configuration"
      : wrong.length === 0
        ? "they find nothing wrong with its configuration"
        : `they find ${counted(wrong.length, "setting")} wrong`,
    masked.length === 0
      ? "no value in it is masked"
      : `${counted(masked.length, "value")} in it ${masked.length === 1 ? "is" : "are"} still masked`,
  ];
  const bad = installed === false || wrong.length > 0 || masked.length > 0;
  const details = [
    ...wrong.map(({ setting, errors }) => `${clip(setting)}: ${clip(errors.join("; "))}`),
    ...masked.map((setting) => `${clip(setting)} is ********`),
  ];
  return field(
    "preflight",
    parts.join("; "),
    bad ? "bad" : installed && problems !== undefined ? undefined : "caution",
    items(details, "setting", (one) => one),
  );
}

/** A setting of the new configuration, and where its value comes from. */
interface SettingShown {
  readonly setting: string;
  readonly value: string;
  readonly from: "translation" | "plan file" | "operator";
}

/** Every setting that the connector is created with but its start, in order of their names. */
function settingsShown({ intent }: CutoverPlan, { configuration, translation }: CutoverShown): readonly SettingShown[] {
  return Object.entries(configuration)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([setting, value]) => ({
      setting,
      value,
      from: Object.hasOwn(intent.to.config, setting)
        ? "plan file"
        : own(translation.config, setting) === value
          ? "translation"
          : "operator",
    }));
}

function own(of: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

const FROM: { readonly [from in SettingShown["from"]]: string } = {
  translation: "translation",
  "plan file": "spec.to.config",
  operator: "your file for the connector",
};

/** How many settings; one by one those that do not follow from the translation, which is shown by itself. */
function configuration(all: readonly SettingShown[]): Field {
  const besides = all.filter(({ from }) => from !== "translation");
  const sentence =
    besides.length === 0
      ? `${counted(all.length, "setting")}, all as translated`
      : `${counted(all.length, "setting")}; ` +
        `${besides.length === 1 ? "1 of them does" : `${showCount(besides.length)} of them do`} not come ` +
        "from the translation:";
  return field(
    "configuration",
    sentence,
    undefined,
    items(besides, "setting", (one) => `${clip(one.setting)} = ${shownValue(one.value)}  (${FROM[one.from]})`),
  );
}

function shownValue(value: string): string {
  return value === "" ? "empty" : clip(value);
}

function wayBack({ intent: { from, to }, findings }: CutoverPlan): Field {
  const [old, name] = [clip(from.connector), clip(to.name)];
  if (findings.some(({ code, verdict }) => code === noWayBackWithoutAGap.code && verdict === "fail"))
    return field(
      "way back",
      `none without a gap: ${old} has start.from=force_current, and would start at the current SCN. Until that ` +
        "is changed a rollback is refused",
      "bad",
    );
  return field(
    "way back",
    `cdcctl rollback RUN, or a plan with phase: rollback: ${name} and its stored offsets are deleted, and ${old} ` +
      "goes on where it stopped. Until it is retired it keeps its configuration, its stored offsets and its topics",
  );
}

/** What becomes of every property: what somebody has to do something about first, what was only renamed last. */
function translationSection(
  { intent, outcome }: CutoverPlan,
  { translation: { properties, added } }: CutoverShown,
): Section {
  const byFate = FATES.map((fate) => ({ fate, of: ofFate(properties, fate) }));
  const open = properties.filter(({ fate, name }) => fate === "manual" && !intent.accept.includes(name)).length;
  const counts = byFate.map(({ fate, of }) => `${showCount(of.length)} ${fate}`).join(", ");
  const blocks = outcome.state === "blocked";
  const left =
    open === 0
      ? ""
      : open === 1
        ? `; 1 manual one is open${blocks ? ", and blocks" : ""}`
        : `; ${showCount(open)} manual ones are open${blocks ? ", and block" : ""}`;
  const sentence = `${counted(properties.length, "property", "properties")} of ${clip(intent.from.connector)}: ${counts}${left}`;
  const fates: Table = {
    is: "table",
    caption: "What becomes of every property",
    columns: [{ title: "Property" }, { title: "Fate" }, { title: "What becomes of it" }],
    groups: byFate.map(({ fate, of }) => ({
      label: fate,
      rows: items(of, "property", (one) =>
        one.fate === "mapped" ? renamed(one.name, one.target) : `${clip(one.name)}  ${whatBecame(one, intent.accept)}`,
      ),
      ...(fate === "mapped" ? { inShort: true as const } : {}),
    })),
    rows: items(
      byFate.flatMap(({ of }) => of),
      "property",
      (one) => ({ cells: [code(clip(one.name)), one.fate, whatBecame(one, intent.accept)] }),
    ),
  };
  const settings: Table = {
    is: "table",
    caption: "What is added",
    columns: [{ title: "Added" }, { title: "Value" }, { title: "Why" }],
    groups: [
      {
        label: "added",
        rows: items(
          added,
          "setting",
          ({ target, value, reason }) => `${clip(target)} = ${shownValue(value)}: ${reason}`,
        ),
      },
    ],
    rows: items(added, "setting", ({ target, value, reason }) => ({
      cells: [code(clip(target)), code(shownValue(value)), reason],
    })),
  };
  return {
    title: "Translation",
    terminal: "no title",
    rank: RANK.consequences,
    parts: [
      { is: "fields", aligned: true, rows: [field("translation", sentence, open === 0 ? undefined : "bad")] },
      fates,
      settings,
    ],
  };
}

/** A pair is not torn apart where it fits into a line. */
function renamed(name: string, target: string): string {
  return name === target ? clip(name, 200) : `${clip(name, 200)}${NO_BREAK}→${NO_BREAK}${clip(target, 200)}`;
}

/** Every setting but the start, which no terminal has room for. */
function configurationSection(settings: readonly SettingShown[]): readonly Section[] {
  const table: Table = {
    is: "table",
    caption: "Without its start; secrets are masked",
    columns: [{ title: "Setting" }, { title: "Value" }, { title: "From" }],
    rows: items(settings, "setting", ({ setting, value, from }) => ({
      cells: [code(clip(setting)), code(shownValue(value)), FROM[from]],
    })),
  };
  return section(RANK.details, [table], { title: "Configuration, without its start", only: "page" });
}

const FATES = ["manual", "changed", "dropped", "mapped"] as const satisfies readonly TranslatedProperty["fate"][];

/** In order of their names: Connect's own order says nothing. */
function ofFate(properties: readonly TranslatedProperty[], fate: TranslatedProperty["fate"]) {
  return properties.filter((one) => one.fate === fate).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** What became of a property; of a manual one also whether the plan file accepts it. */
function whatBecame(property: TranslatedProperty, accept: readonly string[]): string {
  if (property.fate !== "manual") return what(property);
  return `${accept.includes(property.name) ? "accepted" : "open"}; ${what(property)}`;
}
