import { suite } from "uvu";
import * as assert from "uvu/assert";
import { GO_ON, type RunReport } from "../../core/apply/context.ts";
import type { ConnectorKind } from "../../core/document/intent.ts";
import { rollbackIntent } from "../../core/kinds/connector/rollback.ts";
import { STOPPED } from "../../core/kinds/offset-change/testing/build-facts.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { offsetPlan } from "../../core/plan/testing/build-plan.ts";
import {
  buildRun,
  done,
  SIGNAL,
  signalled,
  signalPinned,
  untilApplied,
  untilPatched,
  untilRecorded,
  untilResumed,
  untilSucceeded,
} from "../../core/plan/testing/build-run.ts";
import { backward, hostile } from "../../core/plan/testing/example-plans.ts";
import { failedForNothing, pastGap, signalOnly } from "../../core/plan/testing/example-snapshots.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import { runsAfter } from "../../core/run/after.ts";
import { offsetStands, rollbackMode } from "../../core/run/change.ts";
import type { JournalEvent } from "../../core/run/journal.ts";
import { offsetSubject } from "../../core/run/subject.ts";
import { printJson } from "../../core/values/json.ts";
import { renderNothingToDo, renderRunReport } from "./attempt.ts";
import { renderTerminal } from "./report/terminal.ts";
import { runDocument, runListDocument } from "./run-json.ts";
import { nextFor, type RunView, readRun, statusSentence } from "./run-timeline.ts";
import { assertGolden } from "./testing/golden.ts";
import {
  asMarkdown,
  renderHistoryPage,
  renderHistoryText,
  renderRunMarkdown,
  renderRunText,
  renderStatusText,
} from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";
import { unreadableReport } from "./unreadable.ts";

const runs = suite("runs as text, Markdown and JSON");

function shownRun(events: readonly JournalEvent[], plan: Plan<ConnectorKind> = backward, tail?: string): RunView {
  const run = readRun(buildRun(plan, events, tail));
  if (run === undefined) throw new Error("a run without its beginning");
  return run;
}

const patching: readonly JournalEvent[] = [
  ...untilRecorded(backward),
  { type: "step-started", step: "patch-offset" },
  { type: "patch-sent", attempt: 1n },
  { type: "patch-unanswered", attempt: 1n, why: "no answer within 30 s" },
];

const REFUSAL = `the connector answered "rejected" to the signal ${SIGNAL}: a snapshot is running already`;

const refusedSignal: readonly JournalEvent[] = [
  { type: "step-started", step: "wait-for-ack" },
  { type: "step-failed", step: "wait-for-ack", error: REFUSAL, code: undefined },
];

const EXAMPLES: Readonly<Record<string, RunView>> = {
  succeeded: shownRun(untilSucceeded(backward)),
  "in-doubt": shownRun(patching),
  interrupted: shownRun([...untilPatched(backward), { type: "recovery-started", operator: "ben" }]),
  "not-begun": shownRun([]),
  refused: shownRun([
    ...done("stop-connector", "orders-cdc stopped after 1 s"),
    { type: "step-started", step: "recheck" },
    {
      type: "step-failed",
      step: "recheck",
      error: "changed since planning: the direction was backward and is forward",
      code: "APL803",
    },
    { type: "backed-out", resumed: true },
    {
      type: "run-ended",
      outcome: "refused",
      message: "changed since planning: the direction was backward and is forward",
    },
  ]),
  rejected: shownRun([
    ...untilRecorded(backward),
    { type: "step-started", step: "patch-offset" },
    { type: "patch-sent", attempt: 1n },
    {
      type: "step-failed",
      step: "patch-offset",
      error: "Connect refused the offset (400): unknown field",
      code: "APL806",
    },
    { type: "backed-out", resumed: false },
    { type: "run-ended", outcome: "failed", message: "Connect refused the offset (400): unknown field" },
  ]),
  "signal-only": shownRun(
    [
      ...signalled(signalOnly),
      ...done("wait-for-ack", `the connector has accepted the signal ${SIGNAL}: 2 tables`),
      {
        type: "run-ended",
        outcome: "succeeded",
        message:
          `the connector has accepted the signal ${SIGNAL}, ` +
          "and the stored offset of orders-cdc was " +
          "left as it is",
      },
    ],
    signalOnly,
  ),
  "signal-rejected": shownRun(
    [...signalled(signalOnly), ...refusedSignal, { type: "run-ended", outcome: "rejected", message: REFUSAL }],
    signalOnly,
  ),
  "signal-in-doubt": shownRun(
    [
      { type: "step-started", step: "write-signal" },
      signalPinned,
      { type: "step-unclear", step: "write-signal", why: "whether the signal was written is unknown: timed out" },
    ],
    signalOnly,
  ),
  "past-gap-rejected": shownRun(
    [...untilResumed(pastGap), ...refusedSignal, { type: "run-ended", outcome: "rejected", message: REFUSAL }],
    pastGap,
  ),
  "past-gap-waiting": shownRun(
    [
      ...untilResumed(pastGap),
      { type: "step-started", step: "wait-for-ack" },
      {
        type: "step-unclear",
        step: "wait-for-ack",
        why: `orders-cdc has not answered the signal ${SIGNAL} within 5 min`,
      },
    ],
    pastGap,
  ),
  "failed-started": shownRun(
    [
      ...signalled(failedForNothing),
      ...done("stop-connector", "orders-cdc stopped after 1 s"),
      { type: "step-started", step: "start-connector" },
    ],
    failedForNothing,
  ),
  "abandoned-applied": shownRun([
    ...untilApplied(backward),
    { type: "step-started", step: "resume-connector" },
    { type: "step-unclear", step: "resume-connector", why: "no first commit of orders-cdc after 5 min" },
    { type: "recovery-started", operator: "ben" },
    {
      type: "run-ended",
      outcome: "abandoned",
      message: "abandoned by ben (self-asserted): the offset was patched, its first commit was not seen",
    },
  ]),
  "abandoned-in-doubt": shownRun([
    ...patching,
    { type: "recovery-started", operator: "ben" },
    {
      type: "run-ended",
      outcome: "abandoned",
      message: "abandoned by ben (self-asserted): whether the offset was changed is unknown",
    },
  ]),
  hostile: shownRun(
    [
      ...done("stop-connector", HOSTILE),
      { type: "step-started", step: "recheck" },
      { type: "step-failed", step: "recheck", error: HOSTILE, code: HOSTILE },
      { type: "run-ended", outcome: "refused", message: HOSTILE },
    ],
    hostile,
  ),
};

for (const [name, run] of Object.entries(EXAMPLES)) {
  runs(`${name} matches the expected text`, () => {
    assertGolden(renderRunText(run, { colour: false }), `run/${name}.txt`);
    assertGolden(renderRunMarkdown(run), `run/${name}.md`);
  });
}

runs("a list shows the status of each, and what to do next", () => {
  const listed = Object.values(EXAMPLES);
  assertGolden(renderStatusText(listed, { colour: false }, []), "run/status.txt");
  assertGolden(renderHistoryText(listed, { colour: false }), "run/history.txt");
  assertGolden(renderHistoryPage(listed), "run/history.html");
  assert.is(
    renderStatusText([], { colour: false }),
    "no runs here\n" +
      "runs on other machines were not looked up\n" +
      "next:  cdcctl connectors list --context CONTEXT     # includes runs on other machines\n",
  );
  assert.is(renderStatusText([], { colour: false }, []), "no runs here\n", "somebody looked, and there is nothing");
});

const LOST = {
  runs: [
    {
      key: { clusterId: "k", connector: "orders cdc", run: "2026-11-21T09-15-40Z-7f3a" },
      journal: { path: "/s/k/a.journal.jsonl", line: 3, why: "is damaged: its checksum does not match", known: [] },
    },
    {
      key: { clusterId: "k", connector: HOSTILE, run: HOSTILE },
      journal: {
        path: `/s/${HOSTILE}`,
        line: undefined,
        why: `can't be read: ${HOSTILE}`,
        writtenBy: HOSTILE,
        known: [],
      },
    },
  ],
  folders: [{ path: `/s/${HOSTILE}`, why: "can't be read: EACCES" }],
};

runs("unreadable runs are listed as in doubt, with file, line and remedy", () => {
  assertGolden(renderTerminal(unreadableReport(LOST), { colour: false }), "run/unreadable.txt");
  assertGolden(asMarkdown(unreadableReport(LOST)), "run/unreadable.md");
  assert.is(renderTerminal(unreadableReport({ runs: [], folders: [] }), { colour: false }), "");
  schemaTester("run.schema.json")(printJson(runListDocument({ unreadable: LOST })));
});

runs("a run in doubt names its step for the on-call operator: in doubt after step 4", () => {
  const run = shownRun(patching);
  assert.is(statusSentence(run), "in doubt after step 4 (patch the stored offset)");
  assert.equal(nextFor(run), [
    "cdcctl recover 2026-11-21T09-15-40Z-7f3a     # to finish it",
    "cdcctl recover 2026-11-21T09-15-40Z-7f3a --abandon     # to call it off, and change nothing more",
  ]);
});

runs("only a change that is in place can be rolled back", () => {
  const next = Object.fromEntries(
    Object.entries(EXAMPLES).map(([name, run]) => [name, nextFor(run)[0]?.split(" ")[1]]),
  );
  assert.equal(next, {
    succeeded: "rollback",
    "in-doubt": "recover",
    interrupted: "recover",
    "not-begun": "recover",
    refused: undefined,
    rejected: "connectors",
    "signal-only": undefined,
    "signal-rejected": undefined,
    "signal-in-doubt": "recover",
    "past-gap-rejected": "apply",
    "past-gap-waiting": "recover",
    "failed-started": "recover",
    "abandoned-applied": "rollback",
    "abandoned-in-doubt": undefined,
    hostile: undefined,
  });
});

runs("status, rollback and the outcome agree on whether a change is in place", () => {
  for (const [name, { state, key }] of Object.entries(EXAMPLES)) {
    const offered = nextFor(EXAMPLES[name] as RunView).some((next) => next.startsWith(`cdcctl rollback ${key.run}`));
    let refused = false;
    try {
      rollbackIntent(state, state.body?.entry.offset ?? null, { resume: undefined, moveBack: false });
    } catch {
      refused = true;
    }
    assert.is(offered, !refused, name);
  }
  const applied = EXAMPLES["abandoned-applied"] as RunView;
  assert.match(renderRunText(applied, { colour: false }), /the stored offset was set to 2169287/);
  const plan = {
    ...backward,
    intent: rollbackIntent(applied.state, applied.state.body?.entry.offset ?? null, { resume: true, moveBack: false }),
  };
  const back = shownRun(untilSucceeded(plan), plan, "0009");
  assert.equal([...runsAfter([applied.state, back.state]).keys()], [applied.key.run]);
});

runs("every prefix of a journal is shown in every form, and matches the published schema", () => {
  const fits = schemaTester("run.schema.json");
  for (const plan of [backward, pastGap]) {
    const whole = buildRun(plan, untilSucceeded(plan));
    for (let length = 1; length <= whole.entries.length; length++) {
      const run = readRun({ ...whole, entries: whole.entries.slice(0, length) });
      assert.ok(run);
      assert.match(renderRunText(run, { colour: false }), /^run 2026-11-21T09-15-40Z-7f3a\n/);
      assert.match(renderRunMarkdown(run), /^### /);
      fits(printJson(runDocument(run)));
    }
  }
  fits(printJson(runListDocument({ shown: Object.values(EXAMPLES) })));
  for (const run of Object.values(EXAMPLES)) fits(printJson(runDocument(run)));
  assert.throws(() => fits(printJson({ ...runListDocument({}), runs: [{}] })), /must/);
});

runs("a journal without its first entry is not a run", () => {
  assert.is(readRun({ ...buildRun(backward, []), entries: [] }), undefined);
});

runs("a run taken over from the ops topic has the steps from the PATCH on", () => {
  const { key, entries } = buildRun(backward, []);
  const run = readRun({
    key,
    entries: entries.map((entry) =>
      entry.type === "run-started" ? { ...entry, plan: null, subject: { ...entry.subject, by: "ops topic" } } : entry,
    ),
  });
  assert.ok(run);
  assert.match(renderRunText(run, { colour: false }), /taken over from the ops topic.*2 {4}patch the stored offset/s);
  schemaTester("run.schema.json")(printJson(runDocument(run)));
});

const report: RunReport = {
  run: "2026-11-21T09-15-40Z-7f3a",
  kind: "OffsetChange",
  outcome: "succeeded",
  message: "the stored offset of orders-cdc was set to 2169287, as planned; the connector is resumed",
  remedies: [],
  code: undefined,
  changed: true,
  moved: true,
  rollbackMode: "move back",
  patched: false,
  signal: undefined,
};

runs("a command that could not find the ops topic reports that the offset was already changed", () => {
  const unfinished = {
    ...report,
    outcome: "unfinished",
    patched: true,
    message: "could not find the topic orders.cdc.ops",
  } as const;
  assert.match(
    renderRunReport(unfinished, { colour: false }),
    /not finished: could not find the topic orders\.cdc\.ops\n {2}the stored offset was changed before that\n/,
  );
});

runs("a finished command ends with its outcome and what to do next", () => {
  const reports: readonly RunReport[] = [
    report,
    {
      ...report,
      outcome: "refused",
      rollbackMode: "none",
      message: "it is no longer as planned",
      remedies: ["Plan again and review the difference."],
      code: "APL803",
      changed: false,
    },
    {
      ...report,
      outcome: "unfinished",
      message: "whether the offset was changed is unknown",
      remedies: [{ text: "When the workers answer again", command: "cdcctl recover" }, GO_ON],
    },
    { ...report, outcome: "failed", rollbackMode: "none", message: HOSTILE, remedies: [HOSTILE], code: HOSTILE },
    { ...report, outcome: "rejected", message: REFUSAL, remedies: ["Mend what it names."], signal: SIGNAL },
    { ...report, outcome: "rejected", message: REFUSAL, signal: SIGNAL, changed: false, moved: false },
    {
      ...report,
      outcome: "unfinished",
      message: "interrupted",
      remedies: [GO_ON],
      signal: SIGNAL,
      changed: false,
      moved: false,
    },
    { ...report, message: `the signal ${SIGNAL} is written`, signal: SIGNAL, moved: false },
  ];
  assertGolden(reports.map((one) => renderRunReport(one, { colour: false })).join("--\n"), "run/reports.txt");
});

runs(
  "a run that moved no offset offers no way back; where the signal was refused after the move, the snapshot " +
    "comes first",
  () => {
    const nextOf = (one: Partial<RunReport>) => /^next: .*/ms.exec(renderRunReport({ ...report, ...one }))?.[0];
    const after = (file: string | undefined) =>
      nextOf({ outcome: "rejected", ...(file === undefined ? {} : { file }) })?.match(/cdcctl \w+/g);
    assert.equal(after("gap.yaml"), ["cdcctl apply", "cdcctl rollback"]);
    assert.equal(after("-"), ["cdcctl rollback"], "standard input can't be read again");
    assert.equal(after(undefined), ["cdcctl rollback"]);
    assert.match(nextOf({ outcome: "rejected", file: "it's.yaml" }) ?? "", /apply 'it'\\''s.yaml'/);
    const stays = { moved: false, rollbackMode: "none", signal: SIGNAL } as const;
    assert.is(nextOf({ outcome: "rejected", ...stays }), undefined);
    assert.is(nextOf(stays), undefined);
    assert.match(nextOf({ rollbackMode: "restore" }) ?? "", /cdcctl rollback \S+ {5}# to roll back\n/);
    assert.match(nextOf({ rollbackMode: "move back" }) ?? "", /cdcctl rollback \S+ --move-back {5}# to roll back\n/);
  },
);

runs("a run whose plan asked for a pause ends with the command that undoes it, as show and status offer it", () => {
  const command = "kubectl -n kafka annotate kafkaconnector orders-cdc strimzi.io/pause-reconciliation-     # again";
  const text = renderRunReport({ ...report, afterwards: [command] }, { colour: false, width: 200 });
  assert.match(text, /\nnext: {2}kubectl .*reconciliation- {5}# again\n {7}cdcctl rollback/);
  const unfinished = { ...report, outcome: "unfinished", afterwards: [command] } as const;
  assert.not.match(renderRunReport(unfinished, { colour: false }), "kubectl");
  const { key, entries } = buildRun(backward, untilSucceeded(backward));
  const accepting = (effect: "accepted" | "warns" | "blocks"): readonly string[] => {
    const run = readRun({
      key,
      entries: entries.map((entry) => {
        if (entry.type !== "run-started" || entry.plan === null) return entry;
        const [first, ...others] = entry.plan.findings;
        assert.ok(first);
        return { ...entry, plan: { ...entry.plan, findings: [{ ...first, effect, afterwards: command }, ...others] } };
      }),
    });
    assert.ok(run);
    return nextFor(run);
  };
  assert.is(accepting("accepted")[0], command);
  assert.is(accepting("warns")[0], command);
  assert.not.ok(accepting("blocks").includes(command));
});

runs("an abandoned run shows what it leaves and how to undo it, as status does from its journal", () => {
  for (const name of ["abandoned-applied", "abandoned-in-doubt"]) {
    const run = EXAMPLES[name] as RunView;
    const { state, key } = run;
    const text = renderRunReport(
      {
        ...report,
        run: key.run,
        outcome: "abandoned",
        message: state.ended?.message ?? "",
        stands: offsetStands(state),
        rollbackMode: rollbackMode(state),
      },
      { colour: false, width: 200 },
    );
    const offered = /^next: +(cdcctl rollback \S+(?: --move-back)?)/m.exec(text)?.[1];
    assert.is(offered, nextFor(run)[0], name);
    assert.match(
      text,
      offsetStands(state) ? /the new offset stays stored/ : /whether the new offset is stored is unknown/,
    );
  }
});

runs("a signal that was sent is named, and reported to stay", () => {
  const shown = (name: string) => renderRunText(EXAMPLES[name] as RunView, { colour: false, width: 120 });
  assert.match(shown("signal-only"), new RegExp(`the signal ${SIGNAL} was written`));
  assert.match(shown("past-gap-rejected").replaceAll("\n", " "), /cannot be withdrawn/);
  assert.match(shown("signal-in-doubt").replaceAll("\n", " "), /whether the signal .* was written .* is unknown/);
  assert.not.match(shown("signal-only"), /undefined|offset was set/);
  for (const run of Object.values(EXAMPLES)) {
    const scn = offsetSubject(run.state.started.subject)?.scn;
    for (const text of [
      renderRunText(run, { colour: false }),
      renderHistoryText([run], { colour: false }),
      renderStatusText([run], { colour: false }),
      renderRunMarkdown(run),
    ])
      if (scn === undefined) assert.not.match(text, /undefined/);
  }
});

runs("a plan with nothing to do ends with the reason", () => {
  assert.is(
    renderNothingToDo("orders-replay", "the stored offset is already as wanted", { colour: false }),
    "orders-replay: nothing to do: the stored offset is already as wanted\n",
  );
});

runs("colours change nothing but colours", () => {
  for (const run of Object.values(EXAMPLES)) {
    for (const render of [renderRunText, (one: RunView, o: { colour: boolean }) => renderStatusText([one], o)]) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out
      assert.is(render(run, { colour: true }).replace(/\u001b\[\d+m/g, ""), render(run, { colour: false }));
    }
  }
});

runs("no external text is printed unescaped", () => {
  const run = EXAMPLES["hostile"];
  assert.ok(run);
  for (const text of [
    renderRunText(run, { colour: false }),
    renderStatusText([run], { colour: false }),
    renderHistoryText([run], { colour: false }),
    renderRunMarkdown(run),
  ])
    assert.not.match(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  const unfenced = renderRunMarkdown(run).replaceAll(/^(`{3,})\n[\s\S]*?^\1$/gm, "");
  for (const line of unfenced.split("\n")) assert.ok(!line.includes("|") || /^\|.*\|$/.test(line), line);
});

runs("a connector that was already stopped is not reported as stopped by the run", () => {
  const plan = offsetPlan({}, { connector: { status: STOPPED } });
  assert.not.match(renderRunText(shownRun(untilPatched(plan), plan), { colour: false }), /was stopped;/);
});

runs.run();
