import type { ConnectorPlan } from "../../core/plan/plan.ts";
import { NO_BREAK } from "./layout.ts";
import { EMPTY, fenced, inline, type Markdown, md, tableHead, tableRow } from "./markdown.ts";
import { list, MOST_ITEMS, RANK } from "./markdown-blocks.ts";
import type { Block } from "./markdown-budget.ts";
import { wayBack } from "./snapshot-sentences.ts";
import { type UnlistedRow, unlistedShown } from "./unlisted-tables.ts";

/** Before anything that skips changes: what would bring the redo back. */
export function wayBackBlocks(plan: ConnectorPlan): readonly Block[] {
  const back = wayBack(plan);
  if (back === undefined) return [];
  const { before, commands, after } = back;
  const { open, lines: shown, close } = fenced(commands.slice(0, MOST_ITEMS), "sql");
  const text = { rank: RANK.outcome, what: "lines", items: [], whole: true };
  return [
    { ...text, head: [md`**${inline(before)}**`, EMPTY] },
    ...list(
      RANK.wayBack,
      "commands",
      [open],
      shown,
      (command) => command,
      [close, EMPTY],
      commands.length - shown.length,
    ),
    ...(after === undefined ? [] : [{ ...text, head: [inline(after), EMPTY] }]),
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
      md`**Not named**: ${inline(sentence)}`,
      EMPTY,
      ...unseen.flatMap((why) => [inline(why), EMPTY]),
      ...tableHead(["", "Table", "Last DDL", "Modifications", ...(rowScns ? ["Row SCN"] : [])]),
    ],
    rows,
    unlistedRow,
    [EMPTY],
    all - rows.length,
  );
}

const SAYS: { readonly [says in UnlistedRow["says"]]: Markdown } = {
  changed: md`**!**`,
  unknown: md`?`,
  "nothing seen": EMPTY,
};

function unlistedRow({ says, table, lastDdl, modifications, rowScn }: UnlistedRow): Markdown {
  const cells = [
    SAYS[says],
    inline(table),
    ...[lastDdl, modifications].map((cell) => inline(cell.replaceAll(NO_BREAK, " "))),
  ];
  return tableRow([...cells, ...(rowScn === undefined ? [] : [inline(rowScn)])]);
}
