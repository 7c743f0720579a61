import type { SettingProblem } from "../../core/facts/connector/connector.ts";
import type { TranslatedProperty, Translation } from "../../core/legacy/translation.ts";
import { painter } from "./colour.ts";
import { clip, hanging, layoutWidth, withoutEnd, wrap } from "./layout.ts";
import { EMPTY, inline, type Markdown, markdownOf, md, tableHead, tableRow } from "./markdown.ts";
import { counted } from "./quantities.ts";
import { type Rendered, textOf } from "./rendered.ts";

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

/** `migrate translate --format json` (`schemas/translation.schema.json`). Printed with `printJson`. */
export interface TranslationDocument extends Translation {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "Translation";
  readonly formatVersion: bigint;
  readonly validation?: Validation;
}

const FORMAT = 1n;
/** What somebody has to do something about comes first. */
const ORDER: readonly TranslatedProperty["fate"][] = ["manual", "changed", "mapped", "dropped"];

export function translationDocument({ translation, validation }: TranslationReport): TranslationDocument {
  return {
    apiVersion: "cdcctl/v1",
    kind: "Translation",
    formatVersion: FORMAT,
    ...translation,
    ...(validation === undefined ? {} : { validation }),
  };
}

/** What became of every property, in sentences: manual ones first. @param input the file's name */
export function renderTranslationText(
  { translation, validation }: TranslationReport,
  input: string,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const section = (title: string, lines: readonly string[], tone: "caution" | "strong" = "strong") =>
    lines.length === 0 ? [] : [paint(tone, title), ...lines.flatMap((line) => hanging("  ", 4, line, width)), ""];
  const lines = [
    ...wrap(heading(translation, input), width).map((line) => paint("strong", line)),
    "",
    ...ORDER.flatMap((fate) => {
      const of = translation.properties.filter((one) => one.fate === fate);
      return section(
        `${fate}: ${counted(of.length, "property", "properties")}`,
        of.map((one) => `${clip(one.name)}  ${what(one)}`),
        fate === "manual" ? "caution" : "strong",
      );
    }),
    ...section(
      "added",
      translation.added.map(({ target, value, reason }) => `${target} = ${clip(value)}: ${reason}`),
    ),
    ...(validation === undefined ? [] : section(`validated by ${validation.worker}`, validationLines(validation))),
    ...section("what is left to do", translation.followUps),
  ];
  return textOf(withoutEnd(lines));
}

/** The same as Markdown, for a ticket. */
export function renderTranslationMarkdown({ translation, validation }: TranslationReport, input: string): Markdown {
  const sorted = ORDER.flatMap((fate) => translation.properties.filter((one) => one.fate === fate));
  return markdownOf([
    md`## ${inline(heading(translation, input))}`,
    EMPTY,
    md`### What is left to do`,
    EMPTY,
    ...translation.followUps.map((one) => md`- ${inline(one, Infinity)}`),
    EMPTY,
    md`### What became of every property`,
    EMPTY,
    ...tableHead(["Property", "Fate", "What becomes of it"]),
    ...sorted.map((one) => tableRow([inline(one.name, 300), inline(one.fate), inline(what(one), Infinity)])),
    EMPTY,
    md`### Added`,
    EMPTY,
    ...tableHead(["Setting", "Value", "Why"]),
    ...translation.added.map(({ target, value, reason }) =>
      tableRow([inline(target), inline(value, 300), inline(reason, Infinity)]),
    ),
    ...(validation === undefined
      ? []
      : [
          EMPTY,
          md`### Validated by ${inline(validation.worker)}`,
          EMPTY,
          ...validationLines(validation).map((line) => md`- ${inline(line, Infinity)}`),
        ]),
  ]);
}

function heading({ name, properties }: Translation, input: string): string {
  return (
    `${clip(name)}, translated from ${clip(input === "-" ? "standard input" : input)}: ` +
    `${counted(properties.length, "property", "properties")}`
  );
}

/** What became of one property. Not escaped. */
export function what(property: TranslatedProperty): string {
  switch (property.fate) {
    case "mapped":
      return `→ ${property.target} = ${clip(property.value)}`;
    case "changed":
      return `→ ${property.target} = ${clip(property.value)}: ${property.reason}`;
    case "dropped":
      return property.reason;
    case "manual":
      return `was ${property.value === "" ? "empty" : clip(property.value)}: ${property.instruction}`;
  }
}

function validationLines({ problems, notJudged }: Validation): readonly string[] {
  return [
    ...(problems.length === 0 ? ["nothing is wrong with it"] : []),
    ...problems.map(({ setting, errors }) => `${setting}: ${errors.join("; ")}`),
    ...notJudged.map((setting) => `${setting} is masked: what the worker says of it does not count`),
  ];
}
