import { suite } from "uvu";
import * as assert from "uvu/assert";
import { explainLag, hasEnoughData } from "../../core/doctor/lag/explain-lag.ts";
import {
  BEHIND,
  buildLag,
  CURRENT,
  failedWith,
  type LagParts,
  metrics,
  openAt,
  PURGED,
  RUNNING,
  seen,
  unseen,
} from "../../core/doctor/lag/testing/build-lag.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import { parseJson, printJson } from "../../core/values/json.ts";
import { type LagView, lagReport } from "./lag.ts";
import { lagDocument } from "./lag-json.ts";
import { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { assertGolden } from "./testing/golden.ts";
import { asMarkdown, asPage } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const renderLag = (of: LagView, options: TerminalOptions) => renderTerminal(lagReport(of), options);
const renderLagMarkdown = (of: LagView) => asMarkdown(lagReport(of));

const view = suite("why a connector is behind, as text, Markdown and JSON");

function shown(parts: LagParts, metricsAsked = parts.metrics !== undefined): LagView {
  const explanation = explainLag(buildLag(parts));
  return { explanation, looked: hasEnoughData(explanation, metricsAsked) };
}

const moving: LagParts = {
  resume: [seen(BEHIND), seen(BEHIND + 1_100n)],
  current: [seen(CURRENT - 100n), seen(CURRENT)],
};
const busy = metrics({ QueueDepth: 7_911n, MillisBehindSource: 3_300_000n, SpilledBytes: undefined });
const NO_ROUTE = unseen("db.prod:1521: no route to host");
const blind: LagParts = {
  current: [NO_ROUTE],
  database: NO_ROUTE,
  redo: NO_ROUTE,
  transactions: NO_ROUTE,
  times: NO_ROUTE,
};

/** One for each form of the answer. */
const WORLDS: Readonly<Record<string, LagView>> = {
  "long-transaction": shown({ transactions: seen([openAt(BEHIND)]) }),
  failed: shown({ status: failedWith("CDC-1001 no answer\n\tat Poll.java:1\nCaused by: ORA-12170") }),
  "redo-gone": shown({ status: { ...RUNNING, state: "STOPPED", tasks: [] }, redo: seen(PURGED) }),
  kafka: shown({ ...moving, metrics: [busy] }),
  none: shown({ ...moving, metrics: [metrics({ MinedToScn: BEHIND }), metrics({ MinedToScn: BEHIND + 1_100n })] }),
  unclear: shown(moving),
  "not-behind": shown({ resume: [seen(CURRENT - 100n)] }),
  "could-not-look": shown(blind),
};

view("the answer comes first, then its evidence", () => {
  for (const [name, one] of Object.entries(WORLDS)) assertGolden(renderLag(one, { colour: false }), `lag/${name}.txt`);
});

view("without a cause, it says first what it did not check, then what it ruled out, each with its sign", () => {
  const lines = renderLag(shown(moving), { colour: false }).split("\n");
  const [answer, , unchecked, , ...rest] = lines;
  assert.is(answer, "orders-cdc: unclear; could not check 5 of 10 causes");
  assert.match(unchecked ?? "", "  ? not checked without --jmx-url: long-running transactions, Kafka, mining, large");
  assert.ok(rest.includes("  ✓ The connector and every task are RUNNING."));
});

view("what is ruled out is said by what is there, and never negates", () => {
  for (const one of Object.values(WORLDS)) {
    const facts = renderLag(one, { colour: false })
      .split("\n")
      .filter((line) => line.startsWith("  ✓ "));
    assert.ok(facts.length > 0);
    for (const fact of facts) {
      assert.match(fact, /^ {2}✓ [A-Z0-9]/);
      assert.not.match(fact, /\b(?:not|no|none|nothing|never)\b/i);
    }
  }
});

view("a narrow terminal has no longer lines, except for commands that cannot be broken", () => {
  for (const one of Object.values(WORLDS))
    for (const line of renderLag(one, { colour: false, width: 80 }).split("\n"))
      assert.ok(line.length <= 80 || /cdcctl|curl/.test(line), line);
});

view("a ticket gets the same", () => {
  assertGolden(renderLagMarkdown(shown({ ...moving, metrics: [busy] })), "lag/kafka.md");
  assertGolden(asPage(lagReport(shown({ ...moving, metrics: [busy] }))), "lag/kafka.html");
});

view("the JSON matches its schema, whatever was observed", () => {
  const fits = schemaTester("lag.schema.json");
  for (const one of Object.values(WORLDS)) fits(printJson(lagDocument(one)));
  const largest = [{ xid: "8.14.2207", events: 200_000n }];
  fits(printJson(lagDocument(shown({ metrics: [metrics({}, largest)] }))));
});

view("SCNs are exact", () => {
  const far = 9_007_199_254_740_993n;
  const document = lagDocument(
    shown({ resume: [seen(far)], current: [seen(far + 2n)], commit: far, times: unseen("no such SCN") }),
  );
  const { seen: facts } = parseJson(printJson(document)) as unknown as {
    readonly seen: Readonly<Record<string, { readonly value: bigint }>>;
  };
  assert.is(facts["resume_scn"]?.value, far);
  assert.is(facts["behind_scns"]?.value, 2n);
});

view("each reason is given once, and an unknown is never reported as passed", () => {
  const text = renderLag(shown(blind), { colour: false });
  assert.match(text, "not enough data to diagnose the lag");
  assert.match(text, /current SCN +unknown: db\.prod:1521: no route to host/);
  assert.match(text, /open +unknown, as above/);
  assert.not.match(text, /\b0 SCNs behind|no transaction is open|complete:/);
});

view("names and traces from outside cannot break out of their place", () => {
  const hostile = shown({
    status: failedWith(`${HOSTILE}\n${HOSTILE}`),
    connector: { name: HOSTILE, connectUrl: HOSTILE },
    transactions: seen([{ ...openAt(BEHIND), user: HOSTILE, clientId: HOSTILE }]),
    database: unseen(HOSTILE),
  });
  const text = renderLag(hostile, { colour: false });
  assert.not.match(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  const whole = renderLagMarkdown(hostile);
  // What stands in a fence is code.
  const markdown = whole.replaceAll(/^(`{3,})\n[\s\S]*?^\1$/gm, "");
  assert.ok(markdown.length < whole.length);
  assert.not.match(markdown, /<img|<script|\[x\]\(/);
  assert.not.match(markdown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
});

const paces: readonly (readonly [what: string, mined: bigint, written: bigint, said: string])[] = [
  ["nothing mined and nothing written", 0n, 0n, "nothing delays it, but it did not move between the two samples"],
  ["as much written as mined", 100n, 100n, "nothing delays it, but the database writes as fast as it mines"],
  ["more written than mined", 100n, 300n, "nothing delays it, but the database writes faster than it mines"],
  ["more mined than written", 300n, 100n, "nothing delays it, and it is catching up"],
];
for (const [what, mined, written, text] of paces)
  view(`the first line about the pace gives what was observed: ${what}`, () => {
    const samples = [metrics({ Steps: 1n }), metrics({ Steps: 2n, MinedToScn: BEHIND + mined })];
    const parts = { current: [seen(CURRENT - written), seen(CURRENT)], metrics: samples };
    assert.match(renderLag(shown(parts), { colour: false }).split("\n")[0] ?? "", text);
  });

view.run();
