import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { planResnapshot } from "../../core/kinds/resnapshot/plan.ts";
import { facts, intent, PURGED } from "../../core/kinds/resnapshot/testing/build-facts.ts";
import type { Plan } from "../../core/plan/plan.ts";
import { anyPlan } from "../../core/plan/testing/any-plan.ts";
import { offsetPlan } from "../../core/plan/testing/build-plan.ts";
import { MIGRATION_EXAMPLES } from "../../core/plan/testing/example-migrations.ts";
import {
  backward,
  blockedByGap,
  EXAMPLES,
  enormous,
  forwardAllowed,
  forwardBlocked,
  hostile,
  initial,
  nothingToDo,
} from "../../core/plan/testing/example-plans.ts";
import {
  enormousSnapshot,
  failedForNothing,
  noScnAfterGap,
  pastGap,
  pastGapWhole,
  SNAPSHOT_EXAMPLES,
  signalOnly,
  tornWaited,
  unlistedBlocked,
} from "../../core/plan/testing/example-snapshots.ts";
import { parseJson, printJson } from "../../core/values/json.ts";
import { FORMS } from "../session/report-forms.ts";
import { planDocument, planReports } from "./plan.ts";
import { assertGolden } from "./testing/golden.ts";
import { renderPlansMarkdown, renderPlanText } from "./testing/plan-forms.ts";

const text = suite("a plan as text");

const next = ["cdcctl apply orders-replay.yaml"];
const nextOf = ({ outcome }: Plan) =>
  outcome.state === "ready" ? next : ["cdcctl plan orders-replay.yaml --full     # the whole plan"];

for (const [name, plan] of Object.entries(EXAMPLES)) {
  text(`${name} matches the expected text`, () =>
    assertGolden(
      renderPlanText(plan, { colour: false, width: 80, next: nextOf(plan), toExpect: true }),
      `plan/${name}.txt`,
    ),
  );
}

text("in full it matches the expected text", () => {
  for (const [name, plan] of Object.entries({ backward, "past-gap": pastGap, "unlisted-blocked": unlistedBlocked }))
    assertGolden(renderPlanText(plan, { colour: false, full: true, next, toExpect: true }), `plan/${name}-full.txt`);
});

/** Two lines: `plan` names `apply` and `--full`. */
const commands = [...next, "cdcctl plan orders-replay.yaml --full     # the whole plan"];

/** The lines of the first screen at 80 columns, without those of warnings. */
function lineCount(plan: Plan): number {
  const shown = plan.outcome.state === "ready" ? commands : nextOf(plan);
  return withoutWarnings(renderPlanText(plan, { colour: false, width: 80, next: shown, toExpect: true })).length;
}

function withoutWarnings(shown: string): readonly string[] {
  const isWarning = { now: false };
  return shown
    .trimEnd()
    .split("\n")
    .filter((line) => {
      const begins = /^ {2}[!✓] \S/.test(line);
      isWarning.now = begins || (isWarning.now && /^ {4}/.test(line));
      return !isWarning.now;
    });
}

const AT_MOST: readonly (readonly [lines: number, plans: Readonly<Record<string, Plan>>])[] = [
  [24, { backward, forwardAllowed, initial }],
  [32, { signalOnly, failedForNothing, pastGapWhole }],
  [48, { cutover: MIGRATION_EXAMPLES.cutover, retirement: MIGRATION_EXAMPLES.retirement }],
  [8, { forwardBlocked, blockedByGap }],
];

for (const [most, plans] of AT_MOST)
  for (const [name, plan] of Object.entries(plans))
    text(`the first screen of ${name} has at most ${most} lines at 80 columns`, () => {
      const count = lineCount(plan);
      assert.ok(count <= most, `${count} lines`);
    });

/** A terminal that shows several plans, named as in the sandbox's fleet. */
const several = (count: number, plan: Plan) =>
  FORMS.text(
    planReports(
      Array.from({ length: count }, (_, i) => {
        const { metadata, target } = plan.intent;
        const intent = {
          ...plan.intent,
          metadata: { ...metadata, name: `shop-${String(i).padStart(2, "0")}-replay` },
          target: { ...target, connector: `shop-${String(i).padStart(2, "0")}-cdc` },
        };
        return { ...plan, intent } as Plan;
      }),
      { next: commands, toExpect: true, full: false },
    ),
    { colour: false, width: 80, version: "0.1.0" },
  );

/** Ready, without a warning. */
const quiet = offsetPlan({ forgetReleased: "all" });

text("seven ready documents have at most 40 lines, five hundred at most 520", () => {
  assert.is(quiet.findings.filter(({ effect, code }) => effect === "warns" && code !== "CON304").length, 0);
  const seven = several(7, quiet);
  assert.ok(seven.split("\n").length <= 41, seven);
  assert.match(seven, /^approval sha256:[0-9a-f]{64}$/m);
  assert.is(seven.match(/^ {2}mined again/gm)?.length, 7, "what is delivered twice is never folded");
  const fleet = several(500, quiet).split("\n").length - 1;
  assert.ok(fleet <= 520, `${fleet}`);
  assert.match(several(30, backward), /^ {2}! OFF115/m, "warnings are never folded");
  assert.ok(withoutWarnings(several(7, backward)).length <= 40, several(7, backward));
  for (const count of [7, 30])
    assert.is(several(count, quiet).match(/^ {2}! CON304/gm)?.length, 1, "what every stop risks is said once");
});

text("at 80 columns no word is broken, and no line is wider than the terminal", () => {
  for (const [name, plan] of Object.entries({ ...EXAMPLES, ...SNAPSHOT_EXAMPLES, ...MIGRATION_EXAMPLES })) {
    if (name.startsWith("hostile")) continue;
    for (const full of [false, true]) {
      const shown = (width: number) => renderPlanText(plan, { colour: false, width, full, next: commands });
      const without = (of: string) => of.replace(/^ *SCN timeline[\s\S]*?\n\n/m, "").split(/\s+/);
      const words = new Set(without(shown(120)));
      for (const word of without(shown(80))) assert.ok(words.has(word), `${name}: ${word}`);
    }
  }
});

text("on a narrow terminal in colour it matches the expected text", () => {
  assertGolden(renderPlanText(backward, { colour: true, width: 80, next }), "plan/backward-80-colour.txt");
  assertGolden(renderPlanText(forwardBlocked, { colour: true, width: 80, next }), "plan/forward-blocked-80-colour.txt");
  assertGolden(renderPlanText(pastGap, { colour: true, width: 80, next }), "plan/past-gap-80-colour.txt");
  assertGolden(renderPlanText(unlistedBlocked, { colour: false, width: 80, next }), "plan/unlisted-blocked-80.txt");
});

/** Everything, as `--full` shows it. */
const whole = (plan: Plan, width = 120) => renderPlanText(plan, { colour: false, width, full: true });

text("a short refusal gives the reason and the remedies, and its list in full", () => {
  const brief = (plan: Plan) => renderPlanText(plan, { colour: false, width: 120, next });
  const lines = brief(forwardBlocked).trimEnd().split("\n");
  assert.ok(whole(forwardBlocked).startsWith(`${lines.slice(0, -1).join("\n")}\n`), "the whole plan goes on below");
  assert.not.match(brief(unlistedBlocked), "last DDL");
  const diff = unlistedBlocked.diff.map((one) => ({
    ...one,
    rows: Array.from({ length: 21 }, (_, at) => one.rows.map((row) => ({ ...row, label: `S.T${at}` }))).flat(),
  }));
  const many = brief({ ...unlistedBlocked, diff });
  assert.match(many, "last DDL");
});

text("the same plan gives the same bytes", () => {
  assert.is(
    renderPlanText(offsetPlan(), { colour: false }),
    renderPlanText(structuredClone(offsetPlan()), { colour: false }),
  );
});

text("a plan that was saved and read back prints the same", async () => {
  await fc.assert(
    fc.property(anyPlan, (plan) => {
      const readBack = parseJson(printJson(plan)) as unknown as Plan;
      assert.is(renderPlanText(readBack, { colour: false }), renderPlanText(plan, { colour: false }));
      assert.is(renderPlansMarkdown([readBack]), renderPlansMarkdown([plan]));
    }),
    { numRuns: 200 },
  );
});

text("a blocked plan begins with its refusal and shows no steps", () => {
  const shown = whole(forwardBlocked);
  assert.match(shown, /^refused: 2230000 is 25,489 SCNs ahead/);
  assert.match(shown, /spec\.allowSkip: true {3}\(skip-ahead\.yaml:10\)/);
  assert.match(shown, /✗ OFF103 {2}cdcctl explain OFF103/);
  assert.not.match(shown, /stop orders-cdc/);
});

text("a plan with nothing to do is one line", () => {
  assert.is(
    renderPlanText(nothingToDo, { colour: false }),
    "orders-replay: nothing to do for orders-cdc: the stored offset already has the requested content, field by " +
      "field\n",
  );
});

text("the approval is complete, to be copied into --expect", () => {
  assert.match(
    renderPlanText(backward, { colour: false, width: 80, toExpect: true }),
    /^approval sha256:[0-9a-f]{64}$/m,
  );
  assert.match(whole(backward, 80), new RegExp(`^decision ${backward.decision}$`, "m"));
});

text("no control or format character of the world reaches the terminal", async () => {
  await fc.assert(
    fc.property(fc.oneof(anyPlan, fc.constant(hostile)), (plan) => {
      const shown = renderPlanText(plan, { colour: false });
      assert.not.match(shown.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      const painted = renderPlanText(plan, { colour: true });
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is taken out
      assert.is(painted.replace(/\u001b\[\d+m/g, ""), shown);
    }),
    { numRuns: 300 },
  );
});

/** What is to be copied stands in one line. */
const COPIED = /^ +(?:curl |cdcctl connectors |kafka-topics\.sh |spec\.|\[")/;

text("no line is wider than the terminal, except the digest and commands", async () => {
  await fc.assert(
    fc.property(anyPlan, fc.integer({ min: 80, max: 120 }), (plan, width) => {
      for (const line of [renderPlanText(plan, { colour: false, width }), whole(plan, width)].join("").split("\n")) {
        if (plan.outcome.state !== "no-op" && !COPIED.test(line))
          assert.ok([...line].length <= width, `${[...line].length} > ${width}: ${line}`);
      }
    }),
    { numRuns: 300 },
  );
});

text("a possible late commit is mentioned once, at the stop, and only where something is stopped", () => {
  const mentions = (plan: Plan) => whole(plan, 500).match(/.*CON304.*/g) ?? [];
  for (const plan of [backward, forwardAllowed, pastGap]) {
    assert.ok(
      plan.findings.some(({ code, effect }) => code === "CON304" && effect === "warns"),
      "the check found it",
    );
    const [line = "", ...more] = mentions(plan);
    assert.match(line, /^ +\d {2}stop orders-cdc, wait .*; CON304: a hung task could commit once more/);
    assert.equal(more, []);
    assert.match(renderPlanText(plan, { colour: false }), /^ {2}! CON304: a hung task could commit once more/m);
  }
  assert.equal(mentions(forwardBlocked), []);
  assert.ok(printJson(planDocument([backward])).includes("CON304"), "documents have it as a finding");
});

text("the rollback comes before anything that skips changes", () => {
  for (const plan of [pastGap, pastGapWhole, unlistedBlocked, tornWaited]) {
    const shown = whole(plan, 80);
    const back = shown.indexOf("RESTORE ARCHIVELOG FROM SEQUENCE 119 UNTIL SEQUENCE 120 THREAD 1;");
    assert.ok(back > 0);
    assert.ok(back < shown.search(/skipped|refused|skipGapForUnlistedTables|not named/));
    assert.is(shown.indexOf("RESTORE", back + 1), -1, "once is enough");
  }
});

text("no remedy repeats the rollback", () => {
  const shown = renderPlanText(noScnAfterGap, { colour: false });
  assert.is(shown.match(/RESTORE ARCHIVELOG FROM SEQUENCE 119/g)?.length, 1);
});

text("where only a signal is written no offset is shown, and nothing is stopped", () => {
  const shown = renderPlanText(signalOnly, { colour: false });
  assert.match(shown, /the offset stays at 2204511, nothing is skipped/);
  assert.match(shown, /it is not stopped/);
  assert.not.match(shown, /stored offset {2,}now|RESTORE|not named|undefined/);
});

text("in archive_only a move to redo that is not archived yet names no end below its own target", () => {
  const plan = planResnapshot(intent(), facts({ connector: { captureMode: "archive_only" }, catalogue: PURGED }));
  const shown = whole(plan).replaceAll(/\s+/g, " ");
  assert.match(
    shown,
    /after it 2220000\S*( \S+)*?: where redo that is not archived yet begins; archive_only mines it after/,
  );
  assert.not.match(shown, /every log up to the last that is archived/);
});

text("a failed connector whose redo is available again is reported to need no snapshot", () => {
  assert.match(whole(failedForNothing), /All redo is available again, so it can simply be restarted, without loss/);
  assert.not.match(whole(pastGap), /simply be restarted/);
});

text("unlisted tables with the strongest evidence come first, and evidence is not called proof", () => {
  const shown = renderPlanText(pastGap, { colour: false });
  const order = [
    "! ORCLPDB1.SALES.INVOICES ",
    "! ORCLPDB1.SALES.STAGING",
    "? ORCLPDB1.SALES.INVOICES_ARCHIVE",
    "  ORCLPDB1.SALES.ADDRESSES",
  ].map((name) => shown.indexOf(`\n${name}`));
  assert.ok(
    order.every((at, i) => at > (order[i - 1] ?? 0)),
    `${order}`,
  );
  assert.match(shown, /no proof: deletes leave no row/);
});

text("of very many tables a hundred are shown, those with the strongest evidence first", () => {
  const shown = whole(enormousSnapshot(100_000), 80);
  assert.match(shown, /and 99,900 more tables; --format json has them all/);
  assert.is(shown.match(/^! /gm)?.length, 100);
  assert.match(shown.replaceAll(/\s+/g, " "), /100,000 captured tables: 1,000 changed \(!\)/);
  assert.ok(shown.length < 25_000, `${shown.length}`);
});

text("a hundred thousand findings and transactions stay readable", () => {
  const plan = enormous(100_000);
  const shown = whole(plan);
  assert.ok(shown.length < 200_000, `${shown.length}`);
  assert.match(shown, /and 99,970 more transactions; --format json has them all/);
  assert.match(shown, /and 99,900 more refusals/);
  assert.match(shown, new RegExp(plan.decision));
});

text.run();
