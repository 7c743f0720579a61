import { documentText, joined, type Rendered } from "../rendered.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Report, Reports, Section } from "./model.ts";
import { renderHtml } from "./page.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

interface FormOptions extends TerminalOptions {
  readonly version: string;
}

/** Sections above several reports, as a separate report. */
function above(sections: readonly Section[]): readonly Report[] {
  const shown = sections.filter(({ only }) => only !== "page");
  return shown.length === 0 ? [] : [{ heading: { title: "", outcome: undefined }, sections: shown }];
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
} as const satisfies { readonly [form: string]: (reports: Reports, options: FormOptions) => Rendered };
