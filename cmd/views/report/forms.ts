import { documentText, joined, type Rendered } from "../rendered.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Reports } from "./model.ts";
import { renderHtml } from "./page.ts";
import { renderTerminal, type TerminalOptions } from "./terminal.ts";

interface FormOptions extends TerminalOptions {
  /** Of the cdcctl that reports. */
  readonly version: string;
}

/** A format of reports, beside the JSON that is a subject's own document: a row here, and its renderer. */
export const FORMS = {
  text: ({ reports, next = [] }, options) =>
    joined(
      reports.map((report, at) =>
        renderTerminal(at === reports.length - 1 ? { ...report, next: [...report.next, ...next] } : report, options),
      ),
      "\n",
    ),
  markdown: (reports) => renderMarkdown(reports),
  html: (reports, { version }) => documentText(renderHtml(reports, version)),
} as const satisfies { readonly [form: string]: (reports: Reports, options: FormOptions) => Rendered };
