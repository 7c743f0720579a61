import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { planDocument } from "../cmd/views/plan.ts";
import { renderPlansMarkdown, renderPlanText } from "../cmd/views/testing/plan-forms.ts";
import type { Plan } from "../core/plan/plan.ts";
import { backward } from "../core/plan/testing/example-plans.ts";
import { enormousSnapshot } from "../core/plan/testing/example-snapshots.ts";
import { printJson } from "../core/values/json.ts";
import { startSandbox } from "../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../providers/sandbox/scenarios.ts";
import { type Built, wallMillis } from "./command.ts";
import { median, type Result } from "./result.ts";

/**
 * Measures the reports of a resnapshot with very many unlisted tables, in each format. The peer is `JSON.stringify` of
 * the same plan.
 */
const TABLES = 100_000;
/** Maximum size of a comment on GitHub, in characters. */
const LONGEST_COMMENT = 65_535;
const WARM_UP = 2;
const ROUNDS = 7;

/** Share of a plan's wall time, in percent. */
const MODEL_BAR = 5;
const RUNS = 7;

/**
 * Cost of an ordinary plan's report, model and text, the first time that a process renders one; compared with the
 * command as an operator runs it, against systems on the same machine.
 */
export async function benchModel(built: Built): Promise<readonly Result[]> {
  const start = process.hrtime.bigint();
  const text = renderPlanText(backward, { colour: false, width: 120 });
  const millis = Number(process.hrtime.bigint() - start) / 1e6;
  const { options, files } = scenarioNamed("orders");
  const sandbox = await startSandbox(options);
  const folder = join(built.folder, "model");
  await mkdir(folder);
  try {
    for (const [name, content] of Object.entries(files(sandbox))) await writeFile(join(folder, name), content);
    const env = { ...built.env, CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
    const walls: number[] = [];
    for (let run = 0; run < RUNS; run++)
      walls.push(await wallMillis([built.program, "plan", "orders-replay.yaml"], { ...built, folder, env }));
    const percent = (100 * millis) / median(walls);
    return [
      {
        what: "rendering: model of a plan, first time",
        input: `one plan, ${text.length} characters`,
        measured: `${millis.toFixed(1)} ms`,
        peer: `cdcctl plan: ${median(walls).toFixed(0)} ms`,
        ratio: `${percent.toFixed(1)} %`,
        bar: { text: `${MODEL_BAR} %`, holds: percent <= MODEL_BAR },
      },
    ];
  } finally {
    await sandbox.close();
  }
}

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
