import { suite } from "uvu";
import * as assert from "uvu/assert";
import { decodeOffset } from "../../core/facts/offset/stored-offset.ts";
import { readJournal } from "../../core/journal/read-journal.ts";
import { atOffsets, changeAt, type RecordParts, SERVER, topicOf } from "../../core/journal/testing/build-journal.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import { parseJson, printJson } from "../../core/values/json.ts";
import { type JournalView, journalDocument, journalReport } from "./journal.ts";
import { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { assertGolden } from "./testing/golden.ts";
import { asMarkdown, asPage } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const renderJournal = (of: JournalView, options: TerminalOptions) => renderTerminal(journalReport(of), options);
const renderJournalMarkdown = (of: JournalView) => asMarkdown(journalReport(of));

const view = suite("a transaction journal as text, Markdown and JSON");

const span = (first_scn: number, last_scn: number) => ({ first_scn, last_scn, first_captured_scn: first_scn });

const EVERY_VERDICT: readonly RecordParts[] = [
  { key: { generation: 6 }, value: { ...span(2_019_000, 2_031_120), events: 1200, client_id: "batch-7" } },
  {
    key: { chunk: 1 },
    value: { ...span(2_031_121, 2_044_600), events: 3, username: "APP", client_id: "batch-7" },
    frames: [
      { change: changeAt({ scn: 2_031_121n }) },
      { undo: { scn: 2_040_000n } },
      { change: changeAt({ scn: 2_044_510n }) },
      { change: changeAt({ scn: 2_044_600n }) },
    ],
  },
  { key: { xid: "5.2.802", generation: 9 }, value: { ...span(2_020_000, 2_020_010), username: null } },
  { key: { xid: "7.1.9" }, value: span(2_044_511, 2_044_700) },
  { key: { xid: "8.8.8" } },
  { key: { xid: "8.8.8" }, value: null },
  { key: { server: "billing" }, value: "garbage" },
];

const BROKEN: readonly RecordParts[] = [
  ...EVERY_VERDICT,
  { key: { xid: "9.9.9" }, value: span(2_001_000, 2_001_010) },
  { key: { xid: "9.9.9", chunk: 2 }, value: span(2_001_030, 2_001_040) },
  { key: "garbage" },
  { key: { xid: "6.6.6" }, value: { first_scn: "no number" } },
  { key: { xid: "6.6.7" }, value: { ...span(2_030_000, 2_030_010), payload: "AAAA" } },
];

async function shown(records: readonly RecordParts[], more: Partial<JournalView> = {}): Promise<JournalView> {
  const decoded = decodeOffset({ v: 1n, resume_scn: 2_044_511n, journal_generation: 7n });
  if (!decoded.ok) throw new Error("an offset that can't be decoded");
  const topic = "orders.cdc.txjournal";
  const reading = await readJournal(topicOf(atOffsets(records)) as unknown as KafkaPort, {
    topic,
    server: SERVER,
    form: "either",
    stored: decoded.offset,
  });
  return {
    connector: "orders-cdc",
    connectUrl: "http://connect.prod:8083",
    topic,
    cleanupPolicy: { known: true, value: "compact", source: topic, at: "2026-11-21T09:14:02Z" },
    form: "either",
    state: "STOPPED",
    reading,
    ...more,
  };
}

const deleting: Partial<JournalView> = {
  state: "RUNNING",
  cleanupPolicy: { known: true, value: "compact,delete", source: "orders.cdc.txjournal", at: "2026-11-21T09:14:02Z" },
};

view("every verdict, one transaction after the other", async () => {
  const every = await shown(EVERY_VERDICT);
  assertGolden(renderJournal(every, { colour: false }), "journal/verdicts.txt");
  assertGolden(renderJournal(every, { colour: true, width: 80 }), "journal/verdicts-80-colour.txt");
  assertGolden(renderJournalMarkdown(every), "journal/verdicts.md");
  assertGolden(asPage(journalReport(every)), "journal/verdicts.html");
  assertGolden(`${printJson(journalDocument(every))}\n`, "journal/verdicts.json");
});

view("what stops the task: each reason, the task's message, and the remedies", async () => {
  const broken = await shown(BROKEN, deleting);
  assertGolden(renderJournal(broken, { colour: false }), "journal/broken.txt");
  assertGolden(renderJournal(broken, { colour: false, width: 80 }), "journal/broken-80.txt");
  assertGolden(renderJournalMarkdown(broken), "journal/broken.md");
});

view("an empty journal, a missing topic and a missing stored offset are reported", async () => {
  assert.match(renderJournal(await shown([]), { colour: false }), "no transaction is journaled");
  const missing = await shown([], { cleanupPolicy: undefined });
  for (const text of [renderJournal(missing, { colour: false }), renderJournalMarkdown(missing)])
    assert.match(text, /no such topic/i);
  const { reading, ...rest } = await shown(EVERY_VERDICT);
  const none = { ...rest, reading: { ...reading, stored: undefined } };
  assert.match(
    renderJournal(none, { colour: false }),
    "none is stored; the task restores chunks of generation 0 and 1 that begin below its start SCN",
  );
});

view("the JSON matches its schema, whatever was read", async () => {
  const fits = schemaTester("journal.schema.json");
  for (const one of [
    await shown(EVERY_VERDICT),
    await shown(BROKEN, deleting),
    await shown([], { cleanupPolicy: undefined }),
  ])
    fits(printJson(journalDocument(one)));
  const far = 9_007_199_254_740_993n;
  const exact = await shown([{ value: { first_scn: far, last_scn: far } }]);
  const { transactions } = parseJson(printJson(journalDocument(exact))) as unknown as {
    transactions: { last_scn: bigint }[];
  };
  assert.is(transactions[0]?.last_scn, far);
});

view("names from outside cannot break out of their place", async () => {
  const value = { username: HOSTILE, client_id: HOSTILE };
  const hostile = await shown([{ value }, { key: { xid: HOSTILE } }], {
    connector: HOSTILE,
    connectUrl: HOSTILE,
    topic: HOSTILE,
    state: HOSTILE,
  });
  const text = renderJournal(hostile, { colour: false });
  assert.not.match(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  const markdown = renderJournalMarkdown(hostile);
  assert.not.match(markdown, /<img|<script|\[x\]\(/);
  assert.not.match(markdown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});

view("thousands of unreadable records are counted, and a comment holds what fits", async () => {
  const many = await shown(Array.from({ length: 3000 }, () => ({ key: HOSTILE })));
  assert.match(renderJournal(many, { colour: false }), "and 2,970 more problems");
  assert.ok(renderJournalMarkdown(many).length <= 65_535);
});

view.run();
