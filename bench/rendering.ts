import { planDocument } from "../cmd/views/plan.ts";
import { renderPlansMarkdown, renderPlanText } from "../cmd/views/testing/plan-forms.ts";
import type { Plan } from "../core/plan/plan.ts";
import { enormousSnapshot } from "../core/plan/testing/example-snapshots.ts";
import { printJson } from "../core/values/json.ts";
import { median, type Result } from "./result.ts";

/**
 * A resnapshot that leaves very many captured tables out, in each form. Beside it the same plan through
 * `JSON.stringify`.
 */
const TABLES = 100_000;
/** What a comment on GitHub holds, characters. */
const LONGEST_COMMENT = 65_535;
const WARM_UP = 2;
const ROUNDS = 7;

export function benchRendering(): readonly Result[] {
  const plan = enormousSnapshot(TABLES);
  const peer = timeOf(() => JSON.stringify(plan, (_key, value) => (typeof value === "bigint" ? `${value}` : value), 2));
  return Object.entries(FORMS).map(([form, render]): Result => {
    const shown = timeOf(() => render(plan));
    return {
      what: `rendering: ${form}`,
      input: `${TABLES} unlisted tables`,
      measured: `${shown.seconds.toFixed(3)} s, ${shown.text.length} characters`,
      peer: `JSON.stringify: ${peer.seconds.toFixed(3)} s, ${peer.text.length} characters`,
      ratio: `${(shown.seconds / peer.seconds).toFixed(2)} x`,
      ...(form === "Markdown"
        ? { bar: { text: `${LONGEST_COMMENT} characters`, holds: shown.text.length <= LONGEST_COMMENT } }
        : {}),
    };
  });
}

const FORMS: Readonly<Record<string, (plan: Plan) => string>> = {
  Markdown: (plan) => renderPlansMarkdown([plan]),
  text: (plan) => renderPlanText(plan, { colour: false, width: 80 }),
  JSON: (plan) => printJson(planDocument([plan])),
};

function timeOf(render: () => string): { readonly seconds: number; readonly text: string } {
  const times: number[] = [];
  let text = "";
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const start = process.hrtime.bigint();
    text = render();
    if (round >= WARM_UP) times.push(Number(process.hrtime.bigint() - start) / 1e9);
  }
  return { seconds: median(times), text };
}
