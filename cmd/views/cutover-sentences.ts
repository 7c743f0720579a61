import { noWayBackWithoutAGap } from "../../core/checks/cutover-rollback.ts";
import type { TranslatedProperty } from "../../core/legacy/translation.ts";
import type { CutoverShown, MigrationPlan } from "../../core/plan/migration-plan.ts";
import { standingOf } from "./connector-standing.ts";
import { type Consequence, consequence, withDetails } from "./consequence.ts";
import { clip, NO_BREAK } from "./layout.ts";
import { counted, grouped } from "./quantities.ts";
import { lastDelivered, overlap, redoFrom, timed } from "./takeover-sentences.ts";
import { what } from "./translation.ts";

/** What a cutover means, in sentences. Not escaped. */

/** @param most details of each */
export function cutoverConsequences(plan: MigrationPlan, shown: CutoverShown, most: number): readonly Consequence[] {
  return [
    ...position(plan, shown),
    redoFrom(shown.redo, most),
    legacy(plan),
    next(plan, shown),
    preflight(shown, most),
    configuration(settingsShown(plan, shown), most),
    wayBack(plan),
  ];
}

function position(plan: MigrationPlan, { takeover }: CutoverShown): readonly Consequence[] {
  if (takeover === undefined)
    return [consequence("cdc.start.scn", "can't be told: the stored offsets are no position", "bad")];
  const from = clip(plan.intent.from.connector);
  const moves =
    plan.legacy?.state === "STOPPED" && plan.legacy.tasks.length === 0
      ? `${from} is stopped, so that it stays`
      : `it moves while ${from} runs, and is fixed when that has stopped`;
  return [
    consequence("cdc.start.scn", `${timed(takeover.startScn, takeover.startedAt)}: the lowest scn; ${moves}`),
    lastDelivered(takeover),
    overlap(takeover),
    incarnation(plan, takeover.startScn),
  ];
}

/** Specification, "Takeover rules", 3. */
function incarnation({ world: { database } }: MigrationPlan, start: bigint): Consequence {
  const { resetlogsScn, currentScn } = database;
  if (start <= resetlogsScn)
    return consequence("incarnation", `opened with RESETLOGS at ${resetlogsScn}: the start lies before it`, "bad");
  if (start > currentScn)
    return consequence("incarnation", `the start is above the current SCN ${currentScn}: of another database?`, "bad");
  return consequence(
    "incarnation",
    `opened with RESETLOGS at ${resetlogsScn}, current SCN ${currentScn}; the start lies between`,
  );
}

function legacy({ legacy: connector, intent, outcome }: MigrationPlan): Consequence {
  const name = clip(intent.from.connector);
  if (connector === undefined) return consequence("legacy", `${name} is not there`, "bad");
  const will =
    outcome.state !== "ready"
      ? "it is left as it is"
      : connector.state === "STOPPED"
        ? "it stays stopped"
        : "it will be stopped, and stays stopped";
  return consequence("legacy", `${name} ${standingOf(connector)}; ${will}`);
}

function next({ next: connector, intent, outcome }: MigrationPlan, { createdStopped }: CutoverShown): Consequence {
  const name = clip(intent.to.name);
  if (connector !== undefined)
    return consequence("new", `${name} is there already: ${standingOf(connector)}`, "caution");
  if (outcome.state !== "ready") return consequence("new", `${name} is not there yet`);
  return consequence(
    "new",
    createdStopped
      ? `${name} will be created STOPPED, its configuration read back and compared, and then started`
      : `${name} will be created, and runs at once: these workers can't create it STOPPED (Kafka Connect 3.7 can)`,
    createdStopped ? undefined : "caution",
  );
}

/** In short; what is wrong stands in a finding as well. */
function preflight({ preflight: { installed, problems, masked } }: CutoverShown, most: number): Consequence {
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
  return withDetails(
    consequence(
      "preflight",
      parts.join("; "),
      bad ? "bad" : installed && problems !== undefined ? undefined : "caution",
    ),
    [
      ...wrong.map(({ setting, errors }) => `${clip(setting)}: ${clip(errors.join("; "))}`),
      ...masked.map((setting) => `${clip(setting)} is ********`),
    ],
    most,
  );
}

/** A setting of the new configuration, and where its value comes from. */
export interface SettingShown {
  readonly setting: string;
  readonly value: string;
  readonly from: "translation" | "plan file" | "operator";
}

/** Every setting that the connector is created with but its start, in order of their names. */
export function settingsShown(
  { intent }: MigrationPlan,
  { configuration, translation }: CutoverShown,
): readonly SettingShown[] {
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

export function originOf({ from }: SettingShown): string {
  return FROM[from];
}

/** How many settings; one by one those that do not follow from the translation, which is shown by itself. */
function configuration(all: readonly SettingShown[], most: number): Consequence {
  const besides = all.filter(({ from }) => from !== "translation");
  const sentence =
    besides.length === 0
      ? `${counted(all.length, "setting")}, all as translated`
      : `${counted(all.length, "setting")}; ` +
        `${besides.length === 1 ? "1 of them does" : `${grouped(BigInt(besides.length))} of them do`} not come ` +
        "from the translation:";
  return withDetails(
    consequence("configuration", sentence),
    besides.map((one) => `${clip(one.setting)} = ${shownValue(one.value)}  (${originOf(one)})`),
    most,
  );
}

export function shownValue(value: string): string {
  return value === "" ? "empty" : clip(value);
}

function wayBack({ intent: { from, to }, findings }: MigrationPlan): Consequence {
  const [old, name] = [clip(from.connector), clip(to.name)];
  if (findings.some(({ code, verdict }) => code === noWayBackWithoutAGap.code && verdict === "fail"))
    return consequence(
      "way back",
      `none without a gap: ${old} has start.from=force_current, and would start at the current SCN. Until that ` +
        "is changed a rollback is refused",
      "bad",
    );
  return consequence(
    "way back",
    `cdcctl rollback RUN, or a plan with phase: rollback: ${name} and its stored offsets are deleted, and ${old} ` +
      "goes on where it stopped. Until it is retired it keeps its configuration, its stored offsets and its topics",
  );
}

/**
 * The translation as far as it matters to a reader of a terminal: counts, then everything but what was only renamed,
 * then that in short.
 */
export function translationConsequences(
  { intent, outcome }: MigrationPlan,
  { translation: { properties, added } }: CutoverShown,
  most: number,
): readonly Consequence[] {
  const open = openOf(properties, intent.accept);
  const of = (fate: TranslatedProperty["fate"]) => ofFate(properties, fate);
  const counts = FATES.map((fate) => `${grouped(BigInt(of(fate).length))} ${fate}`).join(", ");
  const block = outcome.state === "blocked";
  return [
    consequence(
      "translation",
      `${counted(properties.length, "property", "properties")} of ${clip(intent.from.connector)}: ${counts}${
        open.length === 0
          ? ""
          : open.length === 1
            ? `; 1 manual one is open${block ? ", and blocks" : ""}`
            : `; ${grouped(BigInt(open.length))} manual ones are open${block ? ", and block" : ""}`
      }`,
      open.length === 0 ? undefined : "bad",
    ),
    ...FATES.filter((fate) => fate !== "mapped").flatMap((fate) => {
      const some = of(fate);
      if (some.length === 0) return [];
      return [
        listed(
          fate,
          some.map((one) => `${clip(one.name)}  ${whatBecame(one, intent.accept)}`),
          most,
          fate === "manual" && open.length > 0 ? "caution" : undefined,
        ),
      ];
    }),
    ...(of("mapped").length === 0 ? [] : [consequence("mapped", inShort(of("mapped"), most))]),
    ...(added.length === 0
      ? []
      : [
          listed(
            "added",
            added.map(({ target, value, reason }) => `${target} = ${shownValue(value)}: ${reason}`),
            most,
          ),
        ]),
  ];
}

/** What somebody has to do something about comes first, what was only renamed last. */
export const FATES = [
  "manual",
  "changed",
  "dropped",
  "mapped",
] as const satisfies readonly TranslatedProperty["fate"][];

/** In order of their names: Connect's own order says nothing. */
export function ofFate(
  properties: readonly TranslatedProperty[],
  fate: TranslatedProperty["fate"],
): readonly TranslatedProperty[] {
  return properties.filter((one) => one.fate === fate).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** Manual properties that the plan file does not accept. */
export function openOf(
  properties: readonly TranslatedProperty[],
  accept: readonly string[],
): readonly TranslatedProperty[] {
  return properties.filter(({ fate, name }) => fate === "manual" && !accept.includes(name));
}

/** What became of a property; of a manual one also whether the plan file accepts it. */
export function whatBecame(property: TranslatedProperty, accept: readonly string[]): string {
  if (property.fate !== "manual") return what(property);
  return `${accept.includes(property.name) ? "accepted" : "open"}; ${what(property)}`;
}

/** The first detail stands behind the label. */
function listed(label: string, details: readonly string[], most: number, tone?: Consequence["tone"]): Consequence {
  const [first = "", ...rest] = details;
  return withDetails(consequence(label, first, tone), rest, Math.max(0, most - 1), details.length - 1);
}

/** `oracle.server → cdc.database.host, …`: a pair is not torn apart where it fits into a line. */
function inShort(properties: readonly TranslatedProperty[], most: number): string {
  const shown = properties.slice(0, most * 3);
  const pairs = shown.flatMap((one) =>
    one.fate !== "mapped"
      ? []
      : [
          one.name === one.target
            ? clip(one.name, 200)
            : `${clip(one.name, 200)}${NO_BREAK}→${NO_BREAK}${clip(one.target, 200)}`,
        ],
  );
  const left = properties.length - shown.length;
  return `${pairs.join(", ")}${left === 0 ? "" : `, and ${grouped(BigInt(left))} more`}`;
}
