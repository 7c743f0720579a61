import { writeJson } from "../../core/values/json.ts";
import { type Host, textOptions, VERSION } from "../host.ts";
import { jsonText } from "../views/json-text.ts";
import { documentText, joined, type Rendered } from "../views/rendered.ts";
import { renderMarkdown } from "../views/report/markdown.ts";
import type { Report, Reports, Section } from "../views/report/model.ts";
import { renderHtml } from "../views/report/page.ts";
import { renderTerminal, type TerminalOptions } from "../views/report/terminal.ts";
import { writeNewFile } from "./files.ts";

/** Sections above several reports, as a separate report. */
function above(sections: readonly Section[]): readonly Report[] {
  const shown = sections.filter(({ only }) => only !== "page");
  return shown.length === 0 ? [] : [{ sections: shown }];
}

/** The formats of reports, apart from JSON, which each subject defines. A new format is a row here and its renderer. */
export const FORMS = {
  text: ({ reports, terminal = reports, sections = [], next = [] }, options) =>
    joined(
      [...above(sections), ...terminal].map((report, at, all) =>
        renderTerminal(
          at === all.length - 1 ? { ...report, next: [...(report.next ?? []), ...next] } : report,
          options,
        ),
      ),
      "\n",
    ),
  markdown: (reports) => renderMarkdown(reports),
  html: (reports, { version }) => documentText(renderHtml(reports, version)),
} as const satisfies {
  readonly [form: string]: (reports: Reports, options: TerminalOptions & { readonly version: string }) => Rendered;
};

/** The reports of a command and its JSON document, each built on demand. */
export interface Reported {
  readonly reports: () => Reports;
  readonly json: () => unknown;
}

/** A command's only report and its document, of the same values. */
export function reported<Shown extends readonly unknown[]>(
  report: (...shown: Shown) => Report,
  json: (...shown: Shown) => unknown,
  ...shown: Shown
): Reported {
  return { reports: () => ({ what: "report", reports: [report(...shown)] }), json: () => json(...shown) };
}

/** Renders it in the form requested by `--format`. */
export function inForm(format: string, { reports, json }: Reported, { stdout }: Pick<Host, "stdout">): Rendered {
  const form = Object.hasOwn(FORMS, format) ? FORMS[format as keyof typeof FORMS] : undefined;
  return form === undefined ? jsonText(json()) : form(reports(), { ...textOptions(stdout), version: VERSION });
}

/** Writes it to standard output; JSON in pieces, because it may be long. */
export function writeInForm(format: string, shown: Reported, { stdout }: Pick<Host, "stdout">): void {
  if (format === "json") {
    writeJson(shown.json(), (piece) => stdout.write(documentText(piece)));
    stdout.write(documentText("\n"));
  } else stdout.write(inForm(format, shown, { stdout }));
}

/**
 * Writes it to a new file, in the format of its extension: JSON for `.json`, a page for `.html`, otherwise Markdown.
 */
export async function writeReport(path: string, shown: Reported, host: Pick<Host, "stdout">): Promise<void> {
  const [, ending = ""] = /\.(json|html)$/i.exec(path) ?? [];
  const format = ending === "" ? "markdown" : ending.toLowerCase();
  await writeNewFile(path, inForm(format, shown, host));
}
