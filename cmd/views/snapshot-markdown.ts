import type { ConnectorPlan } from "../../core/plan/plan.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { NO_BREAK } from "./layout.ts";
import { fenceFor, inline, list, MOST_ITEMS, RANK } from "./markdown-blocks.ts";
import type { Block } from "./markdown-budget.ts";
import { wayBack } from "./snapshot-sentences.ts";
import { type UnlistedRow, unlistedShown } from "./unlisted-tables.ts";

/** Before anything that skips changes: what would bring the redo back. */
export function wayBackBlocks(plan: ConnectorPlan): readonly Block[] {
  const back = wayBack(plan);
  if (back === undefined) return [];
  const { before, commands, after } = back;
  const shown = commands.slice(0, MOST_ITEMS).map((command) => escapeTerminal(command));
  const fence = fenceFor(shown);
  const text = { rank: RANK.outcome, what: "lines", items: [], whole: true };
  return [
    { ...text, head: [`**${inline(before)}**`, ""] },
    ...list(
      RANK.wayBack,
      "commands",
      [`${fence}sql`],
      shown,
      (command) => command,
      [fence, ""],
      commands.length - shown.length,
    ),
    ...(after === undefined ? [] : [{ ...text, head: [inline(after), ""] }]),
  ];
}

/** Last in its plan, because it can be of any length; it gets what room the details leave. */
export function unlistedBlock(plan: ConnectorPlan): readonly Block[] {
  const shown = unlistedShown(plan, MOST_ITEMS);
  if (shown === undefined) return [];
  const { sentence, rows, all, unseen } = shown;
  const rowScns = rows.some(({ rowScn }) => rowScn !== undefined);
  return list(
    RANK.details,
    "tables",
    [
      `**Not named**: ${inline(sentence)}`,
      "",
      ...unseen.flatMap((why) => [inline(why), ""]),
      `| | Table | Last DDL | Modifications |${rowScns ? " Row SCN |" : ""}`,
      `| --- | --- | --- | --- |${rowScns ? " --- |" : ""}`,
    ],
    rows,
    unlistedRow,
    [""],
    all - rows.length,
  );
}

const SAYS: { readonly [says in UnlistedRow["says"]]: string } = {
  changed: "**!**",
  unknown: "?",
  "nothing seen": "",
};

function unlistedRow({ says, table, lastDdl, modifications, rowScn }: UnlistedRow): string {
  const cells = [
    SAYS[says],
    inline(table),
    ...[lastDdl, modifications].map((cell) => inline(cell.replaceAll(NO_BREAK, " "))),
  ];
  return `| ${[...cells, ...(rowScn === undefined ? [] : [rowScn])].join(" | ")} |`;
}
