import type { TranslatedProperty } from "../../core/legacy/translation.ts";
import { counted } from "../../core/values/amounts.ts";
import type { SettingProblem, Translation } from "../../schemas/generated/shared.ts";
import type { Tone } from "./colour.ts";
import { documentOf } from "./json-text.ts";
import { trunc } from "./layout.ts";
import {
  type Cell,
  code,
  items,
  list,
  type Outcome,
  plainOf,
  RANK,
  type Rank,
  type Report,
  type Row,
  section,
  type Table,
  tableOf,
  type Words,
} from "./report/model.ts";

/** The workers' validation of a translated configuration. */
export interface Validation {
  readonly worker: string;
  readonly problems: readonly SettingProblem[];
  /** Masked settings that the workers reject, because they saw no value. */
  readonly notJudged: readonly string[];
}

/** The legacy connector's configuration and its translation, both redacted: no table may show what another hides. */
export interface TranslationReport {
  readonly source: Readonly<Record<string, string>>;
  readonly translation: Translation;
  /** Not set if no worker was asked. */
  readonly validation?: Validation | undefined;
}

/** Properties that need action come first. */
const ORDER: readonly TranslatedProperty["fate"][] = ["manual", "changed", "mapped", "dropped"];

/** `migrate translate --format json` (`schemas/translation.schema.json`). Printed with `printJson`. */
export function translationDocument({ source, translation, validation }: TranslationReport) {
  return { ...documentOf("Translation"), source, ...translation, validation };
}

/** The report of every property's fate, manual ones first. @param input the file's name */
export function translationReport(report: TranslationReport, input: string): Report {
  const { translation, validation } = report;
  const { properties, added, followUps } = translation;
  const part = (title: string, shown: readonly Words[], rank: Rank, tone: Tone = "strong") =>
    section(rank, list(shown, "line", { sign: "" }), { title, tone });
  const lines = (...args: Parameters<typeof part>) =>
    part(...args).map((one) => ({ ...one, only: "terminal" as const }));
  return {
    heading: { title: heading(translation, input), outcome: outcomeOf(report) },
    sections: [
      ...section(RANK.subject, [propertyTable(report)], { title: "Fate of each property", only: "page" }),
      ...ORDER.flatMap((fate) => {
        const some = properties.filter((one) => one.fate === fate);
        return lines(
          `${fate}: ${counted(some.length, "property", "properties")}`,
          some.map((one) => [{ code: trunc(one.name) }, "  ", ...outcome(one)]),
          fate === "manual" ? RANK.refusals : RANK.subject,
          fate === "manual" ? "caution" : "strong",
        );
      }),
      ...lines(
        "added",
        added.map(({ target, value, reason }) => [{ code: `${target} = ${trunc(value)}` }, `: ${reason}`]),
        RANK.consequences,
      ),
      ...(validation === undefined
        ? []
        : part(`validated by ${validation.worker}`, validationLines(validation), RANK.refusals)),
      ...section(RANK.details, [configurationTable(translation)], { title: "The new configuration", only: "page" }),
      ...part("remaining steps", followUps, RANK.refusals),
    ],
  };
}

function heading({ name, properties }: Translation, input: string): string {
  return (
    `${trunc(name)}, translated from ${trunc(input === "-" ? "standard input" : input)}: ` +
    `${counted(properties.length, "property", "properties")}`
  );
}

function outcomeOf({ translation, validation }: TranslationReport): Outcome {
  const manual = translation.properties.filter(({ fate }) => fate === "manual").length;
  const refused = validation?.problems.length ?? 0;
  if (refused > 0) return { word: `${counted(refused, "setting")} refused by the worker`, mark: "bad" };
  if (manual > 0) return { word: `${counted(manual, "property", "properties")} to decide manually`, mark: "caution" };
  return { word: "every property is translated", mark: "good" };
}

export function what(property: TranslatedProperty): string {
  return plainOf(outcome(property));
}

function outcome(property: TranslatedProperty): Exclude<Words, string> {
  const said = saidOf(property);
  if ("target" in property) {
    const becomes = ["→ ", { code: `${property.target} = ${trunc(property.value)}` }];
    return said === "" ? becomes : [...becomes, `: ${said}`];
  }
  if (property.fate === "dropped") return [said];
  return ["was ", property.value === "" ? "empty" : { code: trunc(property.value) }, `: ${said}`];
}

/** Why it has its fate, or what to do. */
function saidOf(property: TranslatedProperty): string {
  return property.fate === "manual" ? property.instruction : "reason" in property ? property.reason : "";
}

/** Every property of the source and every added setting; those that need a decision first. */
function propertyTable({ source, translation: { properties, added } }: TranslationReport): Table {
  const sorted = ORDER.flatMap((fate) => properties.filter((one) => one.fate === fate));
  const rows: readonly Row[] = [
    ...sorted.map((one) => ({
      cells: [code(trunc(one.name)), valueCell(source[one.name]), ...cellsOf(one)],
      changed: isNews(one.fate),
    })),
    ...added.map(({ target, value, reason }) => ({
      cells: ["", "", "added", code(trunc(target)), code(trunc(value)), reason],
    })),
  ];
  return {
    is: "table",
    caption: "Values of the legacy and the new connector; secrets are masked",
    columns: ["Property", "Was", "Fate", "New setting", "Value", "Reason, or what to do"].map((title) => ({ title })),
    rows: items(rows, "property", (one) => one, "all"),
  };
}

function valueCell(value = ""): Cell {
  return value === "" ? "empty" : code(trunc(value));
}

function isNews(fate: TranslatedProperty["fate"]): boolean {
  return fate === "manual" || fate === "changed";
}

function cellsOf(property: TranslatedProperty): Row["cells"] {
  const fate = { text: property.fate, tone: isNews(property.fate) ? ("strong" as const) : undefined };
  if (!("target" in property)) return [fate, "", "", saidOf(property)];
  const value = code(trunc(property.value));
  const shown = property.fate === "changed" ? { ...value, tone: "strong" as const } : value;
  return [fate, code(trunc(property.target)), shown, saidOf(property)];
}

/** The whole configuration as written; settings that differ from the source are highlighted. */
function configurationTable({ config, properties }: Translation): Table {
  const same = new Set(properties.flatMap((one) => (one.fate === "mapped" ? [one.target] : [])));
  return tableOf(
    "Secrets are masked",
    Object.entries(config),
    { what: "setting", row: ([setting]) => ({ changed: !same.has(setting) }) },
    [
      ["Setting", ([setting]) => code(trunc(setting))],
      ["Value", ([, value]) => code(trunc(value))],
    ],
  );
}

function validationLines({ problems, notJudged }: Validation): readonly string[] {
  return [
    ...(problems.length === 0 ? ["the configuration is valid"] : []),
    ...problems.map(({ setting, errors }) => `${setting}: ${errors.join("; ")}`),
    ...notJudged.map((setting) => `${setting} is masked, so the worker's finding about it is ignored`),
  ];
}
