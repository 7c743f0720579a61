import { documentText, joined, type Rendered } from "../rendered.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Report, Reports, Section } from "./model.ts";
import { renderHtml } from "./page.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

interface FormOptions extends TerminalOptions {
  /** Of the cdcctl that reports. */
  readonly version: string;
}

/** What stands above several reports, as one of its own. */
function above(sections: readonly Section[]): readonly Report[] {
  const shown = sections.filter(({ only }) => only !== "page");
  return shown.length === 0
    ? []
    : [{ heading: { title: "", outcome: undefined }, lead: [], sections: shown, next: [] }];
}

/** A format of reports, beside the JSON that is a subject's own document: a row here, and its renderer. */
export const FORMS = {
  text: ({ reports, sections = [], next = [] }, options) =>
    joined(
      [...above(sections), ...reports].map((report, at, all) =>
        renderTerminal(at === all.length - 1 ? { ...report, next: [...report.next, ...next] } : report, options),
      ),
      "\n",
    ),
  markdown: (reports) => renderMarkdown(reports),
  html: (reports, { version }) => documentText(renderHtml(reports, version)),
} as const satisfies { readonly [form: string]: (reports: Reports, options: FormOptions) => Rendered };
