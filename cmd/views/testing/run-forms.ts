import { renderMarkdown } from "../report/markdown.ts";
import type { Report } from "../report/model.ts";
import { renderHtml } from "../report/page.ts";
import { renderTerminal, type TerminalOptions } from "../report/terminal.ts";
import { historyReport, runReport, statusReport } from "../run.ts";
import type { RunView } from "../run-timeline.ts";

/** A report in each format, and runs, as the commands show them. */

export function asMarkdown(...reports: readonly Report[]) {
  return renderMarkdown({ what: "report", reports });
}

/** A page without its style sheet, which is the same on every page. */
export function asPage(...reports: readonly Report[]): string {
  return renderHtml({ what: "report", reports }, "0.1.0").replace(/<style>[\s\S]*?<\/style>/, "<style></style>");
}

const READ = { runs: [], folders: [] };

export const renderRunText = (run: RunView, options: TerminalOptions) => renderTerminal(runReport(run), options);
export const renderRunMarkdown = (run: RunView) => asMarkdown(runReport(run));
export const renderHistoryPage = (shown: readonly RunView[]) => asPage(historyReport({ shown, unreadable: READ }));
export const renderStatusText = (shown: readonly RunView[], options: TerminalOptions, elsewhere?: []) =>
  renderTerminal(statusReport({ shown, unreadable: READ, elsewhere }), options);
export const renderHistoryText = (shown: readonly RunView[], options: TerminalOptions) =>
  renderTerminal(historyReport({ shown, unreadable: READ }), options);
