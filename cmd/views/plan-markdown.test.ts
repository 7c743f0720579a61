import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { anyPlan } from "../../core/plan/testing/any-plan.ts";
import { offsetPlan } from "../../core/plan/testing/build-plan.ts";
import { backward, EXAMPLES, enormous, forwardBlocked } from "../../core/plan/testing/example-plans.ts";
import { enormousSnapshot, pastGap, unlistedBlocked } from "../../core/plan/testing/example-snapshots.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import { printJson } from "../../core/values/json.ts";
import { LONGEST_COMMENT } from "./markdown-budget.ts";
import { planDocument } from "./plan.ts";
import { assertGolden } from "./testing/golden.ts";
import { renderPlansMarkdown } from "./testing/plan-forms.ts";

const markdown = suite("plans as Markdown");

const next = ["cdcctl apply orders-replay.yaml"];

for (const [name, plan] of Object.entries(EXAMPLES)) {
  markdown(`${name} matches the expected text`, () =>
    assertGolden(renderPlansMarkdown([plan], { next }), `plan/${name}.md`),
  );
}

markdown("several plans begin with an overview", () => {
  assertGolden(renderPlansMarkdown([backward, forwardBlocked], { next }), "plan/several.md");
});

/** Every table has rows of as many cells as its head; every fence that opens closes; no control characters. */
function assertWellFormed(text: string): void {
  assert.not.match(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  let cells = 0;
  let fence = "";
  for (const line of text.split("\n")) {
    if (fence !== "") {
      if (line === fence) fence = "";
      continue;
    }
    const opened = /^(`{3,})(?:sh|sql)?$/.exec(line)?.[1];
    if (opened !== undefined) {
      fence = opened;
      continue;
    }
    if (!line.startsWith("|")) {
      assert.not.match(line, /\|/);
      cells = 0;
      continue;
    }
    const count = line.split("|").length;
    if (cells === 0) cells = count;
    assert.is(count, cells, line);
    assert.ok(line.endsWith("|"), line);
  }
  assert.is(fence, "", "a fence is left open");
}

function assertFits(text: string, limit = LONGEST_COMMENT): void {
  assert.ok(text.length <= limit, `${text.length} UTF-16 units`);
  assert.ok(new TextEncoder().encode(text).length <= limit, "UTF-8 bytes");
}

markdown("any plans are well-formed, and fit any limit", async () => {
  await fc.assert(
    fc.property(
      fc.array(anyPlan, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 8000, max: 65_535 }),
      (plans, limit) => {
        const shown = renderPlansMarkdown(plans, { next: [`cdcctl apply ${HOSTILE} \`\`\`\``], limit });
        assertWellFormed(shown);
        assertFits(shown, limit);
        assert.ok(shown.includes(plans[0]?.decision ?? "none"), "the first decision is missing");
      },
    ),
    { numRuns: 200 },
  );
});

markdown("a short comment is not shortened", () => {
  assert.not.match(renderPlansMarkdown([backward, forwardBlocked], { next }), /left out|Truncated/);
});

markdown("a hundred thousand findings and torn transactions fit a comment, the important ones first", () => {
  const plan = enormous(100_000);
  const shown = renderPlansMarkdown([plan, backward], { next });
  assertFits(shown);
  assertWellFormed(shown);
  assert.ok(shown.includes(plan.decision) && shown.includes(backward.decision));
  assert.match(shown, /❌ orders-replay: refused/);
  assert.match(shown, /\*\*OFF0\*\* refusal 0: `2230000` is 25,489 SCNs ahead/);
  assert.match(shown, /\*\d+ more refusals left out\*/);
  assert.match(shown, /\*\d+ more transactions left out\*/);
  assert.match(shown, /\| resume SCN \| `2204511` /);
  assert.match(shown, /cdcctl apply orders-replay\.yaml/);
  assert.match(shown, /Truncated to fit a comment/);
  assert.ok(shown.length > 40_000, "the room is used");
});

markdown("a hundred thousand unlisted tables are shown as far as they fit, and are counted", () => {
  const plan = enormousSnapshot(100_000);
  const shown = renderPlansMarkdown([plan], { next });
  assertFits(shown);
  assertWellFormed(shown);
  assert.ok(shown.length > 64_000, `the room is used: ${shown.length}`);
  assert.match(shown, /RESTORE ARCHIVELOG FROM SEQUENCE 119/);
  assert.match(shown, /cdcctl apply orders-replay\.yaml/);
  const rows = shown.match(/PARTITIONED/g)?.length ?? 0;
  assert.ok(rows > 400, `${rows} tables`);
  const changed = shown.match(/^\| \*\*!\*\* \|/gm)?.length ?? 0;
  assert.is(changed, Math.min(rows, 1000), "what says that it was changed comes first");
  assert.match(shown, new RegExp(`\\*${100_000 - rows} more tables left out\\*`));
  assert.is(JSON.parse(printJson(planDocument([plan]))).plans[0].figures.unlistedTables.length, 100_000);
});

markdown("as many tables as fit are shown", () => {
  const shown = renderPlansMarkdown([enormousSnapshot(400)], { next });
  assert.is(shown.match(/PARTITIONED/g)?.length, 400);
  assert.not.match(shown, /left out|Truncated/);
});

markdown("the rollback comes before anything that skips changes", () => {
  for (const plan of [pastGap, unlistedBlocked]) {
    const shown = renderPlansMarkdown([plan], { next });
    const back = shown.indexOf("RESTORE ARCHIVELOG FROM SEQUENCE 119");
    assert.ok(back > 0 && back < shown.search(/skipped|SNP903\*\*|skipGapForUnlistedTables/));
  }
});

markdown("thousands of plans are listed as far as they fit", () => {
  const plans = Array.from({ length: 5000 }, (_, i) =>
    offsetPlan(
      { metadata: { name: `plan-${i}`, reason: "replay", ticket: undefined } },
      { connector: { name: `connector-${i}` } },
    ),
  );
  const shown = renderPlansMarkdown(plans, { next });
  assertFits(shown);
  assertWellFormed(shown);
  assert.match(shown, /## 5,000 plans/);
  assert.match(shown, /\*\d+ more plans left out\*/);
  assert.match(shown, /cdcctl apply orders-replay\.yaml/);
});

markdown("very long names leave the decision in place", () => {
  const plan = offsetPlan(
    { metadata: { name: "n".repeat(100_000), reason: "replay", ticket: undefined } },
    { connector: { name: "|".repeat(100_000) }, worker: { url: "x".repeat(100_000) } },
  );
  const shown = renderPlansMarkdown([plan], { next: [`cdcctl apply ${"f".repeat(100_000)}`] });
  assertFits(shown);
  assert.ok(shown.includes(plan.decision));
});

markdown.run();
