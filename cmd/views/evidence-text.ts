import { escapeTerminal } from "../../core/values/escape.ts";
import { DOUBT_TEXT, FAILURE_TEXT } from "../../core/verification/evidence/table-outcome.ts";
import type { Doubt, Evidence, Failure, TableEvidence } from "../../schemas/generated/evidence.ts";
import { type Paint, painter, type Tone } from "./colour.ts";
import { differences, factsOf, keyText, OUTCOMES, recordText, subject } from "./evidence-sentences.ts";
import { clip, hanging, layoutWidth, pad } from "./layout.ts";
import { type Rendered, textOf } from "./rendered.ts";

const LABEL = 13;
/** More of them are in the evidence file. */
const KEYS_SHOWN = 20;

const TONES: Readonly<Record<Evidence["outcome"], Tone>> = { pass: "good", fail: "bad", inconclusive: "caution" };

/**
 * A verification for a person: what it came to, then every table with what was compared, what was left out and what is
 * wrong.
 */
export function renderEvidenceText(
  evidence: Evidence,
  options: { readonly colour: boolean; readonly width?: number },
): Rendered {
  const paint = painter(options.colour);
  const width = layoutWidth(options.width);
  const connector = typeof evidence.inputs["connector"] === "string" ? evidence.inputs["connector"] : "";
  const lines = [
    `${paint("strong", escapeTerminal(clip(connector)))}  cutover verification  ${outcome(evidence.outcome, paint)}`,
    ...hanging("", 0, subject(evidence), width),
    "",
    ...evidence.tables.flatMap((table) => [...tableLines(table, paint, width), ""]),
    `evidence  ${evidence.digest}`,
    `findings  ${evidence.findings}`,
  ];
  return textOf(lines);
}

function outcome(of: Evidence["outcome"], paint: Paint): string {
  return paint(TONES[of], OUTCOMES[of]);
}

function tableLines(table: TableEvidence, paint: Paint, width: number): readonly string[] {
  return [
    `${paint("strong", escapeTerminal(table.table))}  ${outcome(table.outcome, paint)}`,
    ...factsOf(table).flatMap(([label, text]) => hanging(`  ${pad(label, LABEL)}`, LABEL + 2, clip(text, 1000), width)),
    ...table.reasons.flatMap((reason) => hanging(`  ${paint(TONES[table.outcome], "!")} `, 4, reason, width)),
    ...keyLines(table.firstFailures, FAILURE_TEXT, width),
    ...keyLines(table.firstDoubts, DOUBT_TEXT, width),
  ];
}

function keyLines(
  found: readonly (Failure | Doubt)[],
  texts: Readonly<Record<string, string>>,
  width: number,
): readonly string[] {
  const shown = found
    .slice(0, KEYS_SHOWN)
    .flatMap((one) => [
      ...hanging("      ", 8, `${clip(keyText(one))}  ${texts[one.reason] ?? one.reason}${named(one)}`, width),
      ...(recordText(one) === "" ? [] : hanging("        ", 8, recordText(one), width)),
      ...differences(one as Failure).flatMap((text) => hanging("        ", 10, clip(text), width)),
    ]);
  const more = found.length - KEYS_SHOWN;
  return more > 0 ? [...shown, `      and ${more} more in the evidence (--output, --format json)`] : shown;
}

function named({ columns }: Failure | Doubt): string {
  return columns.length === 0 ? "" : `: ${columns.join(", ")}`;
}
