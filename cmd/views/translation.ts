import type { SettingProblem } from "../../core/facts/connector/connector.ts";
import type { TranslatedProperty, Translation } from "../../core/legacy/translation.ts";
import type { Tone } from "./colour.ts";
import { clip } from "./layout.ts";
import { counted } from "./quantities.ts";
import { list, type Outcome, plainOf, RANK, type Rank, type Report, section, type Words } from "./report/model.ts";

/** What the workers make of a translated configuration. */
export interface Validation {
  readonly worker: string;
  readonly problems: readonly SettingProblem[];
  /** Settings that are masked, and that the workers complain of: they saw no value. */
  readonly notJudged: readonly string[];
}

export interface TranslationReport {
  readonly translation: Translation;
  /** Left out where no worker was asked. */
  readonly validation?: Validation;
}

const FORMAT = 1n;
/** What somebody has to do something about comes first. */
const ORDER: readonly TranslatedProperty["fate"][] = ["manual", "changed", "mapped", "dropped"];

/** `migrate translate --format json` (`schemas/translation.schema.json`). Printed with `printJson`. */
export function translationDocument({ translation, validation }: TranslationReport) {
  return {
    apiVersion: "cdcctl/v1",
    kind: "Translation",
    formatVersion: FORMAT,
    ...translation,
    ...(validation === undefined ? {} : { validation }),
  };
}

/** What became of every property: manual ones first. @param input the file's name */
export function translationReport(of: TranslationReport, input: string): Report {
  const { translation, validation } = of;
  const { properties, added, followUps } = translation;
  const part = (title: string, lines: readonly Words[], rank: Rank, tone: Tone = "strong") =>
    section(rank, list(lines, "line", { sign: "" }), { title, tone });
  return {
    heading: { title: heading(translation, input), outcome: outcomeOf(of) },
    lead: [],
    sections: [
      ...ORDER.flatMap((fate) => {
        const some = properties.filter((one) => one.fate === fate);
        return part(
          `${fate}: ${counted(some.length, "property", "properties")}`,
          some.map((one) => [{ code: clip(one.name) }, "  ", ...outcome(one)]),
          fate === "manual" ? RANK.refusals : RANK.subject,
          fate === "manual" ? "caution" : "strong",
        );
      }),
      ...part(
        "added",
        added.map(({ target, value, reason }) => [{ code: `${target} = ${clip(value)}` }, `: ${reason}`]),
        RANK.consequences,
      ),
      ...(validation === undefined
        ? []
        : part(`validated by ${validation.worker}`, validationLines(validation), RANK.refusals)),
      ...part("what is left to do", followUps, RANK.refusals),
    ],
    next: [],
  };
}

function heading({ name, properties }: Translation, input: string): string {
  return (
    `${clip(name)}, translated from ${clip(input === "-" ? "standard input" : input)}: ` +
    `${counted(properties.length, "property", "properties")}`
  );
}

function outcomeOf({ translation, validation }: TranslationReport): Outcome {
  const manual = translation.properties.filter(({ fate }) => fate === "manual").length;
  const refused = validation?.problems.length ?? 0;
  if (refused > 0) return { word: `${counted(refused, "setting")} refused by the worker`, mark: "bad" };
  if (manual > 0) return { word: `${counted(manual, "property", "properties")} to decide by hand`, mark: "caution" };
  return { word: "every property is translated", mark: "good" };
}

/** What became of one property. */
export function what(property: TranslatedProperty): string {
  return plainOf(outcome(property));
}

function outcome(property: TranslatedProperty): Exclude<Words, string> {
  switch (property.fate) {
    case "mapped":
      return ["→ ", { code: `${property.target} = ${clip(property.value)}` }];
    case "changed":
      return ["→ ", { code: `${property.target} = ${clip(property.value)}` }, `: ${property.reason}`];
    case "dropped":
      return [property.reason];
    case "manual":
      return ["was ", property.value === "" ? "empty" : { code: clip(property.value) }, `: ${property.instruction}`];
  }
}

function validationLines({ problems, notJudged }: Validation): readonly string[] {
  return [
    ...(problems.length === 0 ? ["nothing is wrong with it"] : []),
    ...problems.map(({ setting, errors }) => `${setting}: ${errors.join("; ")}`),
    ...notJudged.map((setting) => `${setting} is masked: what the worker says of it does not count`),
  ];
}
