import { suite } from "uvu";
import * as assert from "uvu/assert";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import { listTransactions, type TransactionsSeen } from "../../core/transactions/inspect.ts";
import {
  AT,
  buffered,
  database,
  inJournal,
  inTask,
  journaled,
  known,
  open,
  STATUS,
  seen,
  unknown,
} from "../../core/transactions/testing/build-transactions.ts";
import { parseJson, printJson } from "../../core/values/json.ts";
import { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { assertGolden } from "./testing/golden.ts";
import { asMarkdown, asPage } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";
import { isComplete, type TransactionsView, transactionsDocument, transactionsReport } from "./transactions.ts";

const renderTransactions = (of: TransactionsView, options: TerminalOptions) =>
  renderTerminal(transactionsReport(of), options);
const renderTransactionsMarkdown = (of: TransactionsView) => asMarkdown(transactionsReport(of));

const view = suite("open transactions as text, Markdown and JSON");

function shown(change: Partial<TransactionsSeen> = {}): TransactionsView {
  const observed = seen(change);
  return { seen: observed, transactions: listTransactions(observed) };
}

const EVERY: Partial<TransactionsSeen> = {
  buffered: {
    ...inTask(
      buffered("8.14.2207", {
        journaled: true,
        events: 1_204_311n,
        heapBytes: 268_435_456n,
        spilledBytes: 1_342_177_280n,
        user: "BATCH",
        clientId: "nightly-load",
      }),
      buffered("5.21.4410", { firstScn: 2_032_400n, ageMillis: 95_000n }),
      buffered("6.6.606", { firstScn: 2_033_000n, journaled: true, user: undefined }),
      buffered("7.7.7", { firstScn: 2_034_000n }),
    ),
    remarks: ["connect-2 gives out 10.0.0.7:40001 for itself, which is unreachable from here"],
  },
  journaled: inJournal(journaled("3:8.14.2207"), journaled("3:2.30.918", { firstScn: 999_000n, clientId: "r-1" })),
  database: known(
    database(open("3:8.14.2207"), open("3:7.7.7", { startScn: 2_033_999n }), open("4:7.7.7", { startScn: 2_033_998n })),
  ),
  times: known({
    now: AT,
    times: [
      { scn: 2_020_000n, at: "2026-11-21T08:31:02Z" },
      { scn: 999_000n, at: undefined },
    ],
  }),
};

const NOTHING_SEEN: Partial<TransactionsSeen> = {
  status: unknown("no answer from connect-1:8083 in 30 s"),
  buffered: {
    ...inTask(),
    transactions: unknown(
      "the JVM at connect-1:9999 runs no task for the topic prefix orders; it runs tasks for billing",
      "Use the JMX URL of the worker that runs the task; the connector's status names it.",
    ),
  },
  journaled: unknown(
    "no connection to kafka-1:9092: connection refused",
    "Check that the broker runs, and host and port.",
  ),
  database: undefined,
  times: undefined,
};

view("every kind: where it is held, its age, and whether the database still has it", () => {
  const every = shown(EVERY);
  assertGolden(renderTransactions(every, { colour: false }), "transactions/every.txt");
  assertGolden(renderTransactions(every, { colour: true, width: 80 }), "transactions/every-80-colour.txt");
  assertGolden(renderTransactionsMarkdown(every), "transactions/every.md");
  assertGolden(asPage(transactionsReport(every)), "transactions/every.html");
  assertGolden(`${printJson(transactionsDocument(every))}\n`, "transactions/every.json");
  assert.ok(isComplete(every));
});

view("no line is wider than the terminal has columns", () => {
  for (const change of [EVERY, NOTHING_SEEN, { buffered: undefined }])
    for (const line of renderTransactions(shown(change), { colour: false, width: 80 }).split("\n"))
      assert.ok([...line].length <= 80, line);
});

view("a source that cannot be inspected is named with its reason, and never reported as empty", () => {
  const failed = shown(NOTHING_SEEN);
  assert.not(isComplete(failed));
  assertGolden(renderTransactions(failed, { colour: false, width: 80 }), "transactions/nothing-seen-80.txt");
  assertGolden(renderTransactionsMarkdown(failed), "transactions/nothing-seen.md");
  assert.match(renderTransactions(failed, { colour: false }), "none seen");
});

const troubles: readonly (readonly [string, Partial<TransactionsSeen>, boolean, RegExp])[] = [
  ["nothing is open", {}, true, /^ {2}none$/m],
  [
    "the location of the task's JVM is not given",
    { buffered: undefined },
    true,
    /not read; task 0 is RUNNING on the worker connect-2:8083/,
  ],
  [
    "there is no task",
    { buffered: undefined, status: known({ ...STATUS, state: "STOPPED", tasks: [] }) },
    true,
    /is STOPPED and has no task, so nothing is buffered/,
  ],
  [
    "there is no journal topic",
    { journaled: known({ topic: "orders.cdc.txjournal", exists: false, parts: [], unreadable: 0 }) },
    true,
    /topic orders\.cdc\.txjournal does not exist: nothing was ever journaled/,
  ],
  [
    "records of the journal can't be read",
    { journaled: known({ topic: "orders.cdc.txjournal", exists: true, parts: [], unreadable: 3 }) },
    false,
    /! journaled .*3 records cannot be read, and their content is missing here/,
  ],
  ["GV$TRANSACTION can't be read", { ...EVERY, database: unknown("no grant") }, false, /! GV\$TRANSACTION .*no grant/],
  [
    "a PDB is hidden",
    {
      ...EVERY,
      database: known({ ...database(), hidden: { why: "this login does not see ORCLPDB1", remedy: "ALTER USER" } }),
    },
    false,
    /! GV\$TRANSACTION .*partially visible: this login does not see ORCLPDB1/,
  ],
  [
    "the ages can't be read",
    { ...EVERY, times: unknown("no DBMS_FLASHBACK") },
    false,
    /! SCN_TO_TIMESTAMP .*no DBMS_FLASHBACK/,
  ],
  [
    "there are twenty",
    { buffered: inTask(...Array.from({ length: 20 }, (_, sqn) => buffered(`1.1.${sqn}`))) },
    true,
    /the 20 largest by bytes, and there may be more/,
  ],
];
for (const [title, change, done, says] of troubles)
  view(`${title}: it says so, and ${done ? "the listing is complete" : "it counts as failed"}`, () => {
    const one = shown(change);
    assert.match(renderTransactions(one, { colour: false }).replace(/\n {20}/g, " "), says);
    assert.is(isComplete(one), done);
  });

view("the age of a transaction that is only buffered needs no time of an SCN", () => {
  const { buffered: task } = EVERY;
  assert.ok(isComplete(shown({ ...(task === undefined ? {} : { buffered: task }), times: unknown("no grant") })));
});

view("the JSON matches its schema, whatever was observed", () => {
  const fits = schemaTester("transactions.schema.json");
  for (const change of [EVERY, NOTHING_SEEN, ...troubles.map(([, one]) => one)])
    fits(printJson(transactionsDocument(shown(change))));
  const far = 9_007_199_254_740_993n;
  const exact = shown({ buffered: inTask(buffered("1.1.1", { firstScn: far, events: far })) });
  const { transactions } = parseJson(printJson(transactionsDocument(exact))) as unknown as {
    transactions: { first_scn: bigint; changes: bigint }[];
  };
  assert.equal([transactions[0]?.first_scn, transactions[0]?.changes], [far, far]);
});

view("names from outside cannot break out of their place", () => {
  const names = { user: HOSTILE, clientId: HOSTILE };
  const one = shown({
    connector: HOSTILE,
    status: known({ ...STATUS, tasks: [{ id: 0n, state: HOSTILE, worker: HOSTILE }] }),
    buffered: { address: HOSTILE, transactions: known([buffered(HOSTILE, names)]), remarks: [HOSTILE] },
    journaled: inJournal(journaled("3:2.2.2", names)),
    database: unknown(HOSTILE, HOSTILE),
  });
  for (const hostile of [
    one,
    shown({ buffered: undefined, journaled: unknown(HOSTILE, HOSTILE), connector: HOSTILE }),
  ]) {
    const text = renderTransactions(hostile, { colour: false });
    assert.not.match(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    const markdown = renderTransactionsMarkdown(hostile);
    assert.not.match(markdown.replaceAll(/`[^`]*`/g, ""), /<img|<script|\[x\]\(/);
    assert.not.match(markdown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  }
});

view("thousands of journaled transactions fit into a comment", () => {
  const parts = Array.from({ length: 5000 }, (_, sqn) => journaled(`3:1.1.${sqn}`, { clientId: "x".repeat(60) }));
  assert.ok(renderTransactionsMarkdown(shown({ journaled: inJournal(...parts) })).length <= 65_535);
});

view.run();
