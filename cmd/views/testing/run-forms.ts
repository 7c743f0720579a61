import { renderMarkdown } from "../report/markdown.ts";
import type { Report } from "../report/model.ts";
import { renderHtml } from "../report/page.ts";
import { renderTerminal, type TerminalOptions } from "../report/terminal.ts";
import { historyReport, runReport, statusReport } from "../run.ts";
import type { RunShown } from "../run-timeline.ts";

/** A report in each form, and runs, as the commands show them. */

export function asMarkdown(...reports: readonly Report[]) {
  return renderMarkdown({ what: "report", reports });
}

/** A page without its style sheet, which is the same on each. */
export function asPage(...reports: readonly Report[]): string {
  return renderHtml({ what: "report", reports }, "0.1.0").replace(/<style>[\s\S]*?<\/style>/, "<style></style>");
}

const READ = { runs: [], folders: [] };

export const renderRunText = (run: RunShown, options: TerminalOptions) => renderTerminal(runReport(run), options);
export const renderRunMarkdown = (run: RunShown) => asMarkdown(runReport(run));
export const renderHistoryPage = (shown: readonly RunShown[]) => asPage(historyReport({ shown, unreadable: READ }));
export const renderStatusText = (shown: readonly RunShown[], options: TerminalOptions) =>
  renderTerminal(statusReport({ shown, unreadable: READ }), options);
export const renderHistoryText = (shown: readonly RunShown[], options: TerminalOptions) =>
  renderTerminal(historyReport({ shown, unreadable: READ }), options);
