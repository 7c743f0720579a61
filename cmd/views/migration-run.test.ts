import { suite } from "uvu";
import * as assert from "uvu/assert";
import { GO_ON, type RunReport } from "../../core/apply/context.ts";
import { phaseBack } from "../../core/kinds/cutover/plan.ts";
import type { Plan } from "../../core/plan/plan.ts";
import {
  applied,
  created,
  cutOver,
  goneBack,
  removed,
  retired,
  takenBack,
  takenOver,
  verified,
} from "../../core/plan/testing/build-migration-run.ts";
import { buildRun, done } from "../../core/plan/testing/build-run.ts";
import {
  cutover,
  goingBack,
  goingBackWhole,
  hostileCutover,
  retirement,
  verification,
} from "../../core/plan/testing/example-migrations.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import { runsAfter } from "../../core/run/after.ts";
import { changeStands, rollbackMode } from "../../core/run/change.ts";
import type { JournalEvent } from "../../core/run/journal.ts";
import { printJson } from "../../core/values/json.ts";
import { renderRunReport } from "./attempt.ts";
import { runDocument, runListDocument } from "./run-json.ts";
import { changes, nextFor, type RunView, readRun } from "./run-timeline.ts";
import { assertGolden } from "./testing/golden.ts";
import { renderHistoryText, renderRunMarkdown, renderRunText, renderStatusText } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const runs = suite("runs of migrations as text, Markdown and JSON");

function shownRun(plan: Plan<"Migration">, events: readonly JournalEvent[], tail?: string): RunView {
  const run = readRun(buildRun(plan, events, tail));
  if (run === undefined) throw new Error("a run without its beginning");
  return run;
}

const EXAMPLES: Readonly<Record<string, RunView>> = {
  "cutover-succeeded": shownRun(cutover, cutOver, "0001"),
  "cutover-in-doubt": shownRun(
    cutover,
    [
      ...takenOver,
      { type: "step-started", step: "create-connector" },
      { type: "call-sent", call: "POST connector orders-cdc" },
      { type: "call-unanswered", call: "POST connector orders-cdc", why: "no answer within 30 s" },
    ],
    "0002",
  ),
  "cutover-waiting": shownRun(cutover, [...created, { type: "step-started", step: "start-new" }], "0003"),
  "cutover-taken-back": shownRun(cutover, takenBack, "0004"),
  "verification-passed": shownRun(verification, verified(true), "0005"),
  "verification-failed": shownRun(verification, verified(false), "0006"),
  "gone-back": shownRun(goingBack, goneBack, "0007"),
  "topics-in-doubt": shownRun(
    goingBackWhole,
    [
      ...removed,
      ...done("resume-legacy", "orders-legacy is running again, from the offsets it stopped with"),
      { type: "step-started", step: "delete-topics" },
      ...applied("DELETE topic orders.ORCLPDB1.SALES.LINES"),
      { type: "call-sent", call: "DELETE topic orders.ORCLPDB1.SALES.ORDERS" },
      { type: "step-unclear", step: "delete-topics", why: "no definite answer within 2 min" },
    ],
    "0008",
  ),
  retired: shownRun(retirement, retired, "0009"),
  "hostile-migration": shownRun(
    hostileCutover,
    [
      ...takenOver,
      { type: "step-started", step: "create-connector" },
      { type: "call-sent", call: `POST connector ${HOSTILE}` },
      { type: "step-unclear", step: "create-connector", why: HOSTILE },
    ],
    "000a",
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
  assertGolden(renderStatusText(listed, { colour: false }), "run/migrations-status.txt");
  assertGolden(renderHistoryText(listed, { colour: false }), "run/migrations-history.txt");
});

const of = (name: string) => {
  const run = EXAMPLES[name];
  if (run === undefined) throw new Error(name);
  return run;
};

runs("the changes are derived from the calls, and one without an answer is unknown", () => {
  assert.equal(changes(of("cutover-succeeded")), [
    "orders-legacy was stopped",
    "orders-cdc was created",
    "orders-cdc is running",
  ]);
  assert.equal(changes(of("cutover-in-doubt")), [
    "orders-legacy was stopped",
    "whether POST connector orders-cdc took effect is unknown",
  ]);
  assert.equal(changes(of("cutover-taken-back")), [
    "orders-legacy was stopped",
    "orders-cdc was created",
    "orders-cdc was deleted",
    "orders-legacy was resumed again",
  ]);
  assert.equal(changes(of("gone-back")), [
    "orders-cdc was stopped",
    "the stored offsets of orders-cdc were deleted",
    "orders-cdc was deleted",
    "orders-legacy runs again",
  ]);
  assert.equal(changes(of("retired")), ["orders-legacy was deleted", "3 topics were deleted"]);
  assert.equal(changes(of("verification-passed")), []);
});

runs(
  "a cutover leads to its verification or rollback, a verification to the retirement, and a retirement to nothing",
  () => {
    const next = Object.fromEntries(
      Object.entries(EXAMPLES).map(([name, run]) => [name, nextFor(run).map((command) => command.split("     ")[0])]),
    );
    assert.equal(next, {
      "cutover-succeeded": [
        "cdcctl plan orders-to-cdc.yaml --phase verify",
        "cdcctl rollback 2026-11-21T09-15-40Z-0001",
      ],
      "cutover-in-doubt": [
        "cdcctl recover 2026-11-21T09-15-40Z-0002",
        "cdcctl recover 2026-11-21T09-15-40Z-0002 --abandon",
      ],
      "cutover-waiting": [
        "cdcctl recover 2026-11-21T09-15-40Z-0003",
        "cdcctl recover 2026-11-21T09-15-40Z-0003 --abandon",
      ],
      "cutover-taken-back": [],
      "verification-passed": ["cdcctl plan orders-to-cdc.yaml --phase retire"],
      "verification-failed": [],
      "gone-back": ["cdcctl plan orders-to-cdc.yaml --phase cutover"],
      "topics-in-doubt": [
        "cdcctl recover 2026-11-21T09-15-40Z-0008",
        "cdcctl recover 2026-11-21T09-15-40Z-0008 --abandon",
      ],
      retired: [],
      "hostile-migration": [
        "cdcctl recover 2026-11-21T09-15-40Z-000a",
        "cdcctl recover 2026-11-21T09-15-40Z-000a --abandon",
      ],
    });
    assert.match(nextFor(of("verification-passed"))[0] ?? "", /--phase retire {5}# once/);
  },
);

runs("a cutover that was abandoned can be rolled back once it has pinned its takeover SCN, and not twice", () => {
  const ended = { type: "run-ended", outcome: "abandoned", message: "abandoned by ana (self-asserted)" } as const;
  const over = shownRun(cutover, [...created, ended], "0011");
  assert.equal(nextFor(over), [`cdcctl rollback ${over.key.run}`]);
  assert.equal(runDocument(over).next, [`cdcctl rollback ${over.key.run}`]);
  assert.equal(phaseBack(over.state).phase, "rollback");
  assert.match(reportOf(over), new RegExp(`next: +cdcctl rollback ${over.key.run}`), "as status does");
  const after = runsAfter([over.state, of("gone-back").state]).get(over.key.run);
  assert.ok(after);
  assert.equal(nextFor({ ...over, after }), []);
  const nothing = shownRun(cutover, [{ type: "step-started", step: "stop-connector" }, ended], "0012");
  assert.equal(nextFor(nothing), []);
  assert.throws(() => phaseBack(nothing.state), /nothing of it is in effect/);
  assert.not.match(reportOf(nothing), /rollback/);
  assert.is(runsAfter([nothing.state, of("gone-back").state]).size, 0, "there was nothing to roll back");
});

runs("the evidence of a verification is named with its digest, passed or not", () => {
  for (const [name, text] of [
    [
      "verification-passed",
      "ORCLPDB1.SALES.ORDERS, ORCLPDB1.SALES.LINES: passed; 14 rows, 6 compared, 8 by the legacy topic, " +
        "not compared; evidence orders-to-cdc.evidence.json, sha256:5d1c",
    ],
    ["verification-failed", "ORCLPDB1.SALES.LINES: not all passed"],
  ] as const)
    assert.match(renderRunText(of(name), { colour: false }).replaceAll(/\s+/g, " "), text);
});

runs("a cutover that was rolled back names the rollback's run, and offers no rollback", () => {
  const state = ({ state }: RunView) => state;
  const [over, back, again] = [of("cutover-succeeded"), of("gone-back"), shownRun(cutover, cutOver, "0009")];
  const after = runsAfter([over, back, again].map(state));
  assert.equal([...after.keys()], [over.key.run]);
  const ended = after.get(over.key.run);
  assert.ok(ended);
  const shown = { ...over, after: ended };
  assert.equal(nextFor(shown), []);
  assert.ok(nextFor(again).some((command) => command.includes("cdcctl rollback")));
  for (const text of [renderRunText(shown, { colour: false }), renderRunMarkdown(shown)]) {
    assert.match(
      text.replaceAll(/\s+/g, " ").replaceAll("`", ""),
      `it was rolled back by run ${back.key.run} (2026-11-21`,
    );
    assert.not.match(text, "cdcctl rollback");
  }
  const document = runDocument(shown);
  schemaTester("run.schema.json")(printJson(document));
  assert.equal(document.after, { phase: "rollback", run: back.key.run, at: back.state.ended?.at });
});

runs("a cutover is not rolled back by a run of other connectors, an earlier run, or a failed one", () => {
  const [over, back] = [of("cutover-succeeded"), of("gone-back")].map(({ state }) => state);
  assert.ok(over && back?.ended && back.started.subject.command === "migrate");
  const { started, ended } = back;
  const others = { ...started, subject: { ...started.subject, legacy: "another-legacy" } } as typeof started;
  for (const states of [
    [back, over],
    [over, { ...back, ended: { ...ended, outcome: "failed" as const } }],
    [over, { ...back, started: others }],
  ])
    assert.is(runsAfter(states).size, 0);
});

runs("a cutover whose legacy connector was retired offers no rollback", () => {
  const [over, gone] = [of("cutover-succeeded"), shownRun(retirement, retired, "0010")];
  const after = runsAfter([over.state, gone.state]).get(over.key.run);
  assert.ok(after);
  assert.match(renderRunText({ ...over, after }, { colour: false }), `retired by run ${gone.key.run}`);
  assert.equal(nextFor({ ...over, after }), []);
});

runs("every prefix of a journal is shown in every form, and matches the published schema", () => {
  const fits = schemaTester("run.schema.json");
  for (const [plan, events] of [
    [cutover, cutOver],
    [cutover, takenBack],
    [verification, verified(true)],
    [verification, verified(false)],
    [goingBack, goneBack],
    [retirement, retired],
  ] as const) {
    const whole = buildRun(plan, events);
    for (let length = 1; length <= whole.entries.length; length++) {
      const run = readRun({ ...whole, entries: whole.entries.slice(0, length) });
      assert.ok(run);
      for (const shown of [
        renderRunText(run, { colour: false }),
        renderRunMarkdown(run),
        renderStatusText([run], { colour: false }),
        renderHistoryText([run], { colour: false }),
      ])
        assert.not.match(shown, /undefined|NaN|\[object/);
      fits(printJson(runDocument(run)));
    }
  }
  for (const run of Object.values(EXAMPLES)) fits(printJson(runDocument(run)));
  fits(printJson(runListDocument({ shown: Object.values(EXAMPLES) })));
  const document = runDocument(of("cutover-succeeded"));
  for (const wrong of [
    { ...document, subject: { ...document.subject, phase: "elsewhere" } },
    { ...document, calls: [{ call: "POST", state: "rejected" }] },
    { ...document, takeover: { ...document.takeover, startScn: "1" } },
  ])
    assert.throws(() => fits(printJson(wrong)), /must/);
});

runs("no secret and no external text is printed unescaped", () => {
  for (const run of Object.values(EXAMPLES)) {
    for (const shown of [
      renderRunText(run, { colour: false }),
      renderStatusText([run], { colour: false }),
      renderHistoryText([run], { colour: false }),
      renderRunMarkdown(run),
    ])
      assert.not.match(shown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    assert.not.match(printJson(runDocument(run)), /hunter2/);
  }
});

/** The report of `recover --abandon`. */
function reportOf({ key: { run }, state }: RunView): string {
  if (state.ended === undefined) throw new Error("a run without its end");
  const { outcome, message } = state.ended;
  return renderRunReport({
    ...report,
    run,
    outcome,
    message,
    stands: changeStands(state),
    rollbackMode: rollbackMode(state),
  });
}

const report: RunReport = {
  run: "2026-11-21T09-15-40Z-0001",
  outcome: "succeeded",
  message: "orders-cdc has taken over from orders-legacy at 2169300: it is running, and orders-legacy is stopped",
  remedies: [],
  code: undefined,
  changed: true,
  moved: false,
  rollbackMode: "restore",
  patched: false,
  signal: undefined,
  kind: "cutover",
  file: "orders-to-cdc.yaml",
};

runs("a finished command ends with its outcome and what to do next", () => {
  const reports: readonly RunReport[] = [
    report,
    {
      ...report,
      message: "2 tables and their topics agree",
      changed: false,
      kind: "verify",
      file: "it's mine.yaml",
    },
    {
      ...report,
      outcome: "failed",
      rollbackMode: "none",
      message: "1 of 2 tables does not pass; evidence orders-to-cdc.evidence.json, sha256:5d1c",
      remedies: [
        { text: "See which keys", command: "cdcctl migrate verify --check-evidence orders-to-cdc.evidence.json" },
      ],
      code: "APL816",
      changed: false,
      kind: "verify",
    },
    { ...report, message: "orders-legacy runs again", kind: "rollback" },
    {
      ...report,
      message: "orders-legacy and its topics are deleted; orders-cdc remains",
      kind: "retire",
    },
    {
      ...report,
      outcome: "refused",
      rollbackMode: "none",
      message: "it is no longer as planned",
      code: "APL803",
      changed: false,
    },
    { ...report, outcome: "unfinished", message: "interrupted", remedies: [GO_ON] },
  ];
  assertGolden(reports.map((one) => renderRunReport(one, { colour: false })).join("--\n"), "run/migration-reports.txt");
});

runs.run();
