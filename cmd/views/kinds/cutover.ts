import { noRollbackWithoutAGap } from "../../../core/checks/cutover-rollback.ts";
import { toReview } from "../../../core/legacy/follow-ups.ts";
import type { TranslatedProperty } from "../../../core/legacy/translation.ts";
import type { CutoverPlan, CutoverShown } from "../../../core/plan/migration-plan.ts";
import { counted, showCount } from "../../../core/values/amounts.ts";
import { ascending } from "../../../core/values/lists.ts";
import { shellWord } from "../../../core/values/shell-word.ts";
import type { MigrationSubject } from "../../../schemas/generated/run-journal.ts";
import { NO_BREAK, statusOf, trunc } from "../layout.ts";
import { code, type Field, field, items, lines, RANK, type Section, section, tableOf } from "../report/model.ts";
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
  aim: ({ legacy: old }) => `cutover from ${trunc(old, 60)}`,
  next: (run, then) => [
    ...then("verify", "to prove that tables and topics agree"),
    `cdcctl rollback ${shellWord(run)}     # to roll back`,
  ],
};

function aim({ intent, migration: { takeover }, legacy: connector }: CutoverPlan): string {
  const [old, name] = [trunc(intent.from.connector), trunc(intent.to.name)];
  if (takeover === undefined) return `cutover: the position of ${old}, and the start of ${name}, are unknown`;
  const where = connector?.state === "STOPPED" ? "where the legacy connector stopped" : "by its current offsets";
  return `cutover: ${name} takes over from ${old} at ${takeover.startScn}, ${where}`;
}

function cutoverFields(plan: CutoverPlan, shown: CutoverShown, settings: readonly SettingView[]): readonly Field[] {
  return [
    ...position(plan, shown),
    redoFrom(shown.redo),
    legacy(plan),
    next(plan, shown),
    preflight(shown),
    configuration(settings),
    rollbackField(plan),
  ];
}

function position(plan: CutoverPlan, { takeover }: CutoverShown): readonly Field[] {
  if (takeover === undefined)
    return [field("cdc.start.scn", "unknown: the stored offsets are not a valid position", "bad")];
  const from = trunc(plan.intent.from.connector);
  const moves =
    plan.legacy?.state === "STOPPED" && plan.legacy.tasks.length === 0
      ? `${from} is stopped, so it is final`
      : `it moves while ${from} runs, and is fixed once ${from} has stopped`;
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
    return field(
      "incarnation",
      `the start is above the current SCN ${currentScn}, possibly from another database`,
      "bad",
    );
  return field(
    "incarnation",
    `opened with RESETLOGS at ${resetlogsScn}, current SCN ${currentScn}; the start lies between`,
  );
}

function legacy({ legacy: connector, intent, outcome }: CutoverPlan): Field {
  const name = trunc(intent.from.connector);
  if (connector === undefined) return field("legacy", `${name} does not exist`, "bad");
  const will =
    outcome.state !== "ready"
      ? "it is left unchanged"
      : connector.state === "STOPPED"
        ? "it stays stopped"
        : "it will be stopped, and stays stopped";
  return field("legacy", `${name} ${statusOf(connector)}; ${will}`);
}

function next({ next: connector, intent, outcome }: CutoverPlan, { createdStopped }: CutoverShown): Field {
  const name = trunc(intent.to.name);
  if (connector !== undefined) return field("new", `${name} already exists: ${statusOf(connector)}`, "caution");
  if (outcome.state !== "ready") return field("new", `${name} does not exist yet`);
  return field(
    "new",
    createdStopped
      ? `${name} will be created STOPPED, its configuration read back and compared, and then started`
      : `${name} will be created and start immediately: creating it STOPPED requires Kafka Connect 3.7`,
    createdStopped ? undefined : "caution",
  );
}

/** A summary; problems also appear in a finding. */
function preflight({ preflight: { installed, problems, masked } }: CutoverShown): Field {
  const wrong = problems ?? [];
  const parts = [
    installed === undefined
      ? "whether the workers have its class is unknown"
      : installed
        ? "the workers have its class"
        : "the workers do not have its class",
    problems === undefined
      ? "no worker has validated its configuration"
      : wrong.length === 0
        ? "they accept its configuration"
        : `they reject ${counted(wrong.length, "setting")}`,
    masked.length === 0
      ? "no value in it is masked"
      : `${counted(masked.length, "value")} in it ${masked.length === 1 ? "is" : "are"} still masked`,
  ];
  const bad = installed === false || wrong.length > 0 || masked.length > 0;
  const details = [
    ...wrong.map(({ setting, errors }) => `${trunc(setting)}: ${trunc(errors.join("; "))}`),
    ...masked.map((setting) => `${trunc(setting)} is ********`),
  ];
  return field(
    "preflight",
    parts.join("; "),
    bad ? "bad" : installed && problems !== undefined ? undefined : "caution",
    lines(details, "setting"),
  );
}

/** A setting of the new configuration, and where its value comes from. */
interface SettingView {
  readonly setting: string;
  readonly value: string;
  readonly from: "translation" | "plan file" | "operator";
}

/** Every setting that the connector is created with except its start, in order of name. */
function settingsShown({ intent }: CutoverPlan, { configuration, translation }: CutoverShown): readonly SettingView[] {
  return Object.entries(configuration)
    .sort(ascending(([name]) => name))
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

const FROM: { readonly [from in SettingView["from"]]: string } = {
  translation: "translation",
  "plan file": "spec.to.config",
  operator: "your file for the connector",
};

/** The number of settings, and those that do not come from the translation, which is shown separately. */
function configuration(all: readonly SettingView[]): Field {
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
    items(besides, "setting", (one) => `${trunc(one.setting)} = ${shownValue(one.value)}  (${FROM[one.from]})`),
  );
}

function shownValue(value: string): string {
  return value === "" ? "empty" : trunc(value);
}

function rollbackField({ intent: { from, to }, findings }: CutoverPlan): Field {
  const [old, name] = [trunc(from.connector), trunc(to.name)];
  if (findings.some(({ code, verdict }) => code === noRollbackWithoutAGap.code && verdict === "fail"))
    return field(
      "rollback",
      `none without a gap: ${old} has start.from=force_current and would start at the current SCN. Until that ` +
        "is changed, a rollback is refused",
      "bad",
    );
  return field(
    "rollback",
    `cdcctl rollback RUN, or a plan with phase: rollback: ${name} and its stored offsets are deleted, and ${old} ` +
      "resumes where it stopped. Until it is retired, it keeps its configuration, stored offsets and topics",
  );
}

/** The fate of every property: those that need action first, those only renamed last. */
function translationSection(
  { intent, outcome }: CutoverPlan,
  { translation: { properties, added }, configuration: whole }: CutoverShown,
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
  const count = counted(properties.length, "property", "properties");
  const sentence = `${count} of ${trunc(intent.from.connector)}: ${counts}${left}`;
  const label = (one: TranslatedProperty) =>
    one.fate === "mapped" ? renamed(one.name, one.target) : `${trunc(one.name)}  ${whatBecame(one, intent.accept)}`;
  const groups = byFate.map(({ fate, of }) => {
    const rows = items(of, "property", label);
    return fate === "mapped" ? ({ label: fate, rows, inShort: true } as const) : { label: fate, rows };
  });
  const all = byFate.flatMap(({ of }) => of);
  const fates = tableOf("Fate of every property", all, { what: "property", extent: "some", groups }, [
    ["Property", ({ name }) => code(trunc(name))],
    ["Fate", ({ fate }) => fate],
    ["Fate", (one) => whatBecame(one, intent.accept)],
  ]);
  const also = items(added, "setting", (one) => `${trunc(one.target)} = ${shownValue(one.value)}: ${one.reason}`);
  const look = { what: "setting", extent: "some", groups: [{ label: "added", rows: also }] } as const;
  const settings = tableOf("Added settings", added, look, [
    ["Added", ({ target }) => code(trunc(target))],
    ["Value", ({ value }) => code(shownValue(value))],
    ["Why", ({ reason }) => reason],
  ]);
  return {
    title: "Translation",
    terminal: "no title",
    rank: RANK.consequences,
    parts: [
      {
        is: "fields",
        aligned: true,
        rows: [
          field("translation", sentence, open === 0 ? undefined : "bad"),
          field("to review", "what no check sees:", undefined, lines(toReview(whole), "step")),
        ],
      },
      fates,
      settings,
    ],
  };
}

/** Keeps a pair together if it fits into one line. */
function renamed(name: string, target: string): string {
  return name === target ? trunc(name, 200) : `${trunc(name, 200)}${NO_BREAK}→${NO_BREAK}${trunc(target, 200)}`;
}

/** Every setting except the start; not shown on terminals. */
function configurationSection(settings: readonly SettingView[]): readonly Section[] {
  const table = tableOf("Without its start; secrets are masked", settings, { what: "setting", extent: "some" }, [
    ["Setting", ({ setting }) => code(trunc(setting))],
    ["Value", ({ value }) => code(shownValue(value))],
    ["From", ({ from }) => FROM[from]],
  ]);
  return section(RANK.details, [table], { title: "Configuration, without its start", only: "page" });
}

const FATES = ["manual", "changed", "dropped", "mapped"] as const satisfies readonly TranslatedProperty["fate"][];

/** In order of name: Connect's own order has no meaning. */
function ofFate(properties: readonly TranslatedProperty[], fate: TranslatedProperty["fate"]) {
  return properties.filter((one) => one.fate === fate).sort(ascending(({ name }) => name));
}

/** The fate of a property; for a manual one, also whether the plan file accepts it. */
function whatBecame(property: TranslatedProperty, accept: readonly string[]): string {
  if (property.fate !== "manual") return what(property);
  return `${accept.includes(property.name) ? "accepted" : "open"}; ${what(property)}`;
}
