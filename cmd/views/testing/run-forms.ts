import { renderMarkdown } from "../report/markdown.ts";
import type { Report } from "../report/model.ts";
import { renderTerminal, type TerminalOptions } from "../report/terminal.ts";
import { historyReport, runReport, statusReport } from "../run.ts";
import type { RunShown } from "../run-timeline.ts";

/** A report in each form, and runs, as the commands show them. */

export function asMarkdown(...reports: readonly Report[]) {
  return renderMarkdown({ what: "report", reports });
}

const READ = { runs: [], folders: [] };

export const renderRunText = (run: RunShown, options: TerminalOptions) => renderTerminal(runReport(run), options);
export const renderRunMarkdown = (run: RunShown) => asMarkdown(runReport(run));
export const renderStatusText = (shown: readonly RunShown[], options: TerminalOptions) =>
  renderTerminal(statusReport({ shown, unreadable: READ }), options);
export const renderHistoryText = (shown: readonly RunShown[], options: TerminalOptions) =>
  renderTerminal(historyReport({ shown, unreadable: READ }), options);
