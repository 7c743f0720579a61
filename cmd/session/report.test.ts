import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { purge } from "../../providers/sandbox/faults.ts";
import { journaledChunk } from "../../providers/sandbox/journal-records.ts";
import { positionedIn } from "../../providers/sandbox/resnapshot-scenarios.ts";
import { CONNECTOR, PREFIX, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { afterPurge, contexts, planFile } from "../../providers/sandbox/scenario.ts";
import { runHere } from "../behaviour/run-command.ts";

const report = suite("report, over the wire");

const CHUNK = { xid: "2.30.918", chunk: 0, generation: 7n, from: 2_025_000n, to: 2_031_000n, user: "APP" };
const GONE: SandboxOptions = { ...positionedIn(119n), oracle: (world) => purge(world, 119n, 120n) };

/** What is reported on: a connector, or a plan file. */
const SUBJECTS: readonly (readonly [what: string, plan: string | undefined, options: SandboxOptions])[] = [
  ["a connector", undefined, {}],
  ["a plan that moves the offset forward", planFile("skip-ahead", "not wanted", "scn: 2044900"), {}],
  ["a plan that moves past a gap", afterPurge("tables: [ORCLPDB1.SALES.ORDERS]"), GONE],
];

for (const [what, plan, options] of SUBJECTS)
  report(`${what}: a transaction that only the journal knows has its wall-clock time`, async () => {
    const journal = { records: [journaledChunk(PREFIX, CHUNK)] };
    const sandbox = await startSandbox({ state: "STOPPED", journal, ...options });
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-report-"));
    const [out, file, config] = ["page.html", "plan.yaml", "contexts.yaml"].map((name) => join(folder, name));
    try {
      await writeFile(`${config}`, contexts(sandbox), { mode: 0o600 });
      await writeFile(`${file}`, plan ?? "");
      const subject = plan === undefined ? [CONNECTOR, "--connect-url", sandbox.connect.url] : [`${file}`];
      const env = { HOME: "/nonexistent", CDCCTL_CONTEXTS: `${config}` };
      const { exit, output } = await runHere(["report", ...subject, "--out", `${out}`], { env });
      assert.is(exit, 0, output);
      const page = (await readFile(`${out}`, "utf8")).replace(/<[^>]*>/g, " ");
      const [, time] = /journaled 3:2\.30\.918, APP\s+2025000\s+(\S+ \S+)/.exec(page) ?? [];
      assert.match(time ?? "no row", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
      for (const form of ["text", "json", "markdown", "html"]) {
        const printed = await runHere(["report", ...subject, "--format", form], { env });
        assert.is(printed.exit, 0, printed.output);
        assert.match(printed.stdout, form === "json" ? /"kind": "(Offsets|PlanReport)"/ : /2025000/, form);
      }
      const both = await runHere(["report", ...subject, "--out", `${out}`, "--format", "json"], { env });
      assert.is(both.exit, 64, both.output);
      assert.match(both.output, "--out writes a page");
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true });
    }
  });

report.run();
