import type { SettingProblem } from "../../core/facts/connector.ts";
import type { TranslatedProperty, Translation } from "../../core/legacy/translation.ts";
import { escapeMarkdown, escapeTerminal } from "../../core/values/escape.ts";
import { painter } from "./colour.ts";
import { clip, hanging, layoutWidth } from "./layout.ts";
import { counted } from "./quantities.ts";

/** A translation for a pipeline. Printed with `printJson`. */
export interface TranslationDocument extends Omit<Translation, "config"> {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "Translation";
  readonly formatVersion: bigint;
  readonly config: Translation["config"];
  /** What a worker found wrong; left out where none was asked. */
  readonly problems?: readonly SettingProblem[];
}

const FORMAT = 1n;
/** What somebody has to do something about comes first. */
const ORDER: readonly TranslatedProperty["fate"][] = ["manual", "changed", "mapped", "dropped"];

export function translationDocument(
  translation: Translation,
  problems: readonly SettingProblem[] | undefined,
): TranslationDocument {
  return {
    apiVersion: "cdcctl/v1",
    kind: "Translation",
    formatVersion: FORMAT,
    ...translation,
    ...(problems === undefined ? {} : { problems }),
  };
}

/** What became of every property, in sentences: manual ones first. */
export function renderTranslationText(
  translation: Translation,
  problems: readonly SettingProblem[] | undefined,
  options: { readonly colour: boolean; readonly width?: number },
): string {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const lines = [
    paint("strong", `${escapeTerminal(clip(translation.name))}  translated from the legacy connector`),
    "",
    ...ORDER.flatMap((fate) => {
      const of = translation.properties.filter((one) => one.fate === fate);
      if (of.length === 0) return [];
      const tone = fate === "manual" ? "caution" : undefined;
      const head = `${fate}: ${counted(of.length, "property").replace("propertys", "properties")}`;
      return [
        tone === undefined ? head : paint(tone, head),
        ...of.flatMap((one) => hanging("  ", 4, `${one.name}  ${what(one)}`, width)),
        "",
      ];
    }),
    ...(translation.added.length === 0
      ? []
      : [
          "added",
          ...translation.added.flatMap(({ target, value, reason }) =>
            hanging("  ", 4, `${target} = ${value}  ${reason}`, width),
          ),
          "",
        ]),
    ...problemLines(problems).flatMap((line) => hanging("  ", 4, line, width)),
    "what is left to do",
    ...translation.followUps.flatMap((one) => hanging("  ", 4, one, width)),
  ];
  return `${lines.join("\n")}\n`;
}

export function renderTranslationMarkdown(
  translation: Translation,
  problems: readonly SettingProblem[] | undefined,
): string {
  const cell = (text: string) => escapeMarkdown(text).replaceAll("|", "\\|");
  const sorted = ORDER.flatMap((fate) => translation.properties.filter((one) => one.fate === fate));
  return `${[
    `## ${escapeMarkdown(translation.name)}`,
    "",
    "| Property | Fate | What becomes of it |",
    "| --- | --- | --- |",
    ...sorted.map((one) => `| ${cell(one.name)} | ${one.fate} | ${cell(what(one))} |`),
    "",
    "| Added | Value | Why |",
    "| --- | --- | --- |",
    ...translation.added.map(({ target, value, reason }) => `| ${cell(target)} | ${cell(value)} | ${cell(reason)} |`),
    "",
    ...problemLines(problems).map((line) => `- ${escapeMarkdown(line)}`),
    "### What is left to do",
    "",
    ...translation.followUps.map((one) => `- ${escapeMarkdown(one)}`),
  ].join("\n")}\n`;
}

function what(property: TranslatedProperty): string {
  switch (property.fate) {
    case "mapped":
      return `→ ${property.target} = ${clip(property.value)}`;
    case "changed":
      return `→ ${property.target} = ${clip(property.value)}: ${property.reason}`;
    case "dropped":
      return property.reason;
    case "manual":
      return `was ${clip(property.value)}: ${property.instruction}`;
  }
}

function problemLines(problems: readonly SettingProblem[] | undefined): readonly string[] {
  if (problems === undefined) return [];
  if (problems.length === 0) return ["a worker finds nothing wrong with it"];
  return problems.map(({ setting, errors }) => `${setting}: ${errors.join("; ")}`);
}
