/**
 * Several documents: what is wrong with one says which, and hides none of the others. And one that comes by standard
 * input.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { access, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { inSequence } from "../../core/values/regexp.ts";
import { CONNECTOR, type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../providers/sandbox/scenario.ts";
import { schemaTester } from "../views/testing/schema.ts";
import { type Apart, runApart } from "./testing/run-apart.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const documents = suite("several documents");

interface Place {
  readonly sandbox: Sandbox;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly run: (...words: readonly string[]) => Promise<Apart>;
}

const GOOD = planFile("orders-replay", "replay", "scn: 2010000");
const LOST = planFile("lost-replay", "replay", "scn: 2010000").replace(CONNECTOR, "ordres-cdc");
const NOWHERE = planFile("far-replay", "replay", "scn: 2010000")
  .replace(CONNECTOR, "billing-cdc")
  .replace("context: sandbox", "context: moon");

function inSandbox(name: string, act: (place: Place) => Promise<void>): void {
  documents(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-several-"));
    const sandbox = await startSandbox({
      state: "STOPPED",
      more: ["stock", "shop"].map((prefix) => ({ name: `${prefix}-cdc`, prefix })),
      connect: { alterOffsets: ({ name }) => (name === "stock-cdc" ? "no offset may be altered" : true) },
    });
    try {
      const files = {
        "contexts.yaml": contexts(sandbox),
        "good.yaml": GOOD,
        "mixed.yaml": [LOST, NOWHERE, GOOD].join("---\n"),
        "lost.yaml": LOST,
        "usage.yaml": [NOWHERE, GOOD].join("---\n"),
      };
      for (const [file, text] of Object.entries(files)) await writeFile(join(folder, file), text, { mode: 0o600 });
      const env = { CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), HOME: folder };
      const run = (...words: readonly string[]) =>
        runApart(
          words.map((word) => (/\.(yaml|json)$/.test(word) ? join(folder, word) : word)),
          env,
        );
      await act({ sandbox, folder, env, run });
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

const flat = (text: string) => text.replaceAll(/\s+/g, " ");
const there = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

inSandbox(
  "plan shows those that can be planned, and names file and document of the others",
  async ({ folder, run }) => {
    const seen = await run("plan", "mixed.yaml", "--out", "plan.json");
    assert.is(seen.exit, 1, seen.stdout + seen.stderr);
    assert.match(seen.stdout, /^orders-replay {2}(?:Move|OffsetChange)/m);
    assert.not.match(seen.stdout, /^next:/m);
    assert.match(
      flat(seen.stderr),
      /failed: .*mixed\.yaml, lost-replay: .*no connector ordres-cdc; did you mean orders-cdc\?/,
    );
    assert.match(flat(seen.stderr), /mixed\.yaml, far-replay: .*moon/);
    assert.not.ok(await there(join(folder, "plan.json")));
    assert.match(seen.stderr, /not written: .*plan\.json/);
  },
);

inSandbox(
  "a document that could not be observed is a blocked plan among the others: table first, then each",
  async ({ run }) => {
    const { stdout } = await run("plan", "mixed.yaml");
    const [table = "", ...each] = stdout.split("\n\n");
    assert.match(table, /^3 plans\n/);
    assert.match(table, /^ +lost-replay +ordres-cdc +refused +not known +not known$/m);
    assert.match(table, /^ +far-replay +billing-cdc +refused +not known +not known$/m);
    assert.match(table, /^ +orders-replay +orders-cdc +ready, 1 warning +backward +3 logs, 1\.3 GB$/m);
    const shown = each.join("\n\n");
    assert.match(
      flat(shown),
      inSequence([
        /refused: the workers at \S+ have no connector ordres-cdc; did you mean orders-cdc\? .*/,
        /cdcctl connectors list --context sandbox ✗ APL820 .*mixed\.yaml:9 /,
      ]),
    );
    assert.ok(shown.indexOf("lost-replay") < shown.indexOf("far-replay"));
    assert.match(shown, /^orders-replay {2}Move orders-cdc/m, "a ready one in a line");
    assert.match(shown, /^ordres-cdc could not be observed/m);
  },
);

inSandbox("its JSON and Markdown name them too, and match the schema", async ({ run }) => {
  const { exit, stdout } = await run("plan", "mixed.yaml", "--format", "json");
  assert.is(exit, 1);
  schemaTester("plan.schema.json")(stdout);
  const report = JSON.parse(stdout) as {
    plans: unknown[];
    next: unknown[];
    unplanned: { name: string; connector: string; line: number }[];
    summary: Record<string, number>;
  };
  assert.equal(report.summary, { ready: 1, blocked: 2, noOp: 0 });
  assert.equal(
    report.unplanned.map(({ line }) => line),
    [9, 21],
  );
  assert.is(report.plans.length, 1);
  assert.equal(report.next, []);
  assert.equal(
    report.unplanned.map(({ name, connector }) => [name, connector]),
    [
      ["lost-replay", "ordres-cdc"],
      ["far-replay", "billing-cdc"],
    ],
  );
  const markdown = await run("plan", "mixed.yaml", "--format", "markdown");
  assert.match(markdown.stdout, /### ❌ lost-replay: refused[\s\S]*mixed\.yaml[\s\S]*### ❌ far-replay: refused/);
});

inSandbox("only wrong input is exit 64; a single document is reported as before", async ({ run }) => {
  const usage = await run("plan", "usage.yaml");
  assert.is(usage.exit, 64, usage.stderr);
  assert.match(usage.stdout, /^orders-replay {2}(?:Move|OffsetChange)/m);
  const single = await run("plan", "lost.yaml");
  assert.is(single.exit, 1);
  assert.match(single.stderr, /^failed: (?!.*lost\.yaml)/);
  const files = await run("plan", "good.yaml", "lost.yaml");
  assert.match(flat(files.stderr), /lost\.yaml, lost-replay: /);
});

inSandbox("apply and observe do not act on a subset of them", async ({ sandbox, folder, run }) => {
  const applied = await run("apply", "mixed.yaml", "--yes");
  assert.is(applied.exit, 1, applied.stdout + applied.stderr);
  assert.match(applied.stdout, /^orders-replay {2}(?:Move|OffsetChange)/m);
  assert.match(flat(applied.stderr), /mixed\.yaml, far-replay: .* not applied: 2 of 3 documents could not be planned/);
  assert.equal(
    sandbox.connect.requests.filter(({ method }) => method !== "GET"),
    [],
  );
  const observed = await run("observe", "mixed.yaml", "--out", "facts.json");
  assert.is(observed.exit, 1);
  assert.match(flat(observed.stderr), /mixed\.yaml, lost-replay: /);
  assert.not.ok(await there(join(folder, "facts.json")));
});

inSandbox(
  "apply takes the approval of all, and reports which documents were applied, refused and not reached",
  async ({ folder, run }) => {
    const more = (name: string, connector: string) =>
      planFile(name, "replay", "scn: 2010000").replace(CONNECTOR, connector);
    const three = [GOOD, more("stock-replay", "stock-cdc"), more("shop-replay", "shop-cdc")].join("---\n");
    await writeFile(join(folder, "three.yaml"), three, { mode: 0o600 });
    const planned = await run("plan", "three.yaml");
    const [, approval = ""] = /^approval (sha256:\w+)$/m.exec(planned.stdout) ?? [];
    const { exit, stdout, stderr } = await run("apply", "three.yaml", "--expect", approval);
    assert.is(exit, 3, stdout + stderr);
    const end = stdout.slice(stdout.lastIndexOf("3 documents: "));
    assert.match(end, /^3 documents: 1 applied, 1 failed, 1 not reached\n/);
    assert.match(end, /^ +orders-replay +orders-cdc +applied +\S+Z-\S+$/m);
    assert.match(end, /^ +stock-replay +stock-cdc +failed +\S+Z-\S+$/m);
    assert.match(end, /^ +shop-replay +shop-cdc +not reached$/m);
  },
);

inSandbox("a document whose run fails, and whose lock cannot be released then, is named as well", async (place) => {
  const { sandbox, folder, run } = place;
  const second = planFile("stock-replay", "replay", "scn: 2010000").replace(CONNECTOR, "stock-cdc");
  await writeFile(join(folder, "two.yaml"), `${GOOD}---\n${second}`, { mode: 0o600 });
  // The worker refuses the very first request under that lock, which is a folder by then.
  sandbox.connect.fail(() => {
    const [cluster = ""] = existsSync(join(folder, "state")) ? readdirSync(join(folder, "state")) : [];
    const lock = join(folder, "state", cluster, "stock-cdc", "lock");
    if (!existsSync(lock)) return undefined;
    if (statSync(lock).isFile()) {
      rmSync(lock);
      mkdirSync(lock);
    }
    return { says: "not today", status: 403 };
  });
  const { exit, stdout, stderr } = await run("apply", "two.yaml", "--yes");
  assert.is(exit, 3, stdout + stderr);
  assert.match(flat(stderr), /failed: \S+two\.yaml, stock-replay: .*\/stock-cdc\/lock/);
  assert.match(stderr, /earlier documents were applied; this one and those after it were not/);
  assert.match(stdout, /^2 documents: 1 applied, 1 failed\n/m);
});

inSandbox(
  "a blocked plan among several is never applied, and neither are the others",
  async ({ sandbox, folder, run }) => {
    const skip = planFile("skip-ahead", "the backlog is not wanted", "scn: 2044900").replace(CONNECTOR, "shop-cdc");
    await writeFile(join(folder, "skip.yaml"), `${GOOD}---\n${skip}`, { mode: 0o600 });
    const { exit, stdout, stderr } = await run("apply", "skip.yaml", "--yes");
    assert.is(exit, 1, stdout + stderr);
    assert.match(stdout, /^2 documents: 1 refused, 1 not reached\n/m);
    assert.match(stdout, /^ +orders-replay +orders-cdc +not reached$/m);
    assert.match(stdout, /^ +skip-ahead +shop-cdc +refused$/m);
    assert.match(stderr, /not applied: 1 of 2 plans are refused/);
    assert.equal(
      sandbox.connect.requests.filter(({ method }) => method !== "GET"),
      [],
    );
  },
);

inSandbox("a plan file of standard input is read once, by plan and by apply", async ({ sandbox, env }) => {
  const planned = await piped(["plan", "-"], GOOD, env);
  assert.is(planned.exit, 0, planned.output);
  const applied = await piped(["apply", "-", "--yes"], GOOD, env);
  assert.is(applied.exit, 0, applied.output);
  assert.is(String(sandbox.stored()?.["resume_scn"]), "2010000");
});

for (const command of [["plan"], ["apply", "--yes"]])
  inSandbox(
    `${command.join(" ")} - - is refused, since standard input can be read only once`,
    async ({ sandbox, env }) => {
      const { exit, output } = await piped([...command, "-", "-"], "", env);
      assert.is(exit, 64, output);
      assert.match(output, /- is given twice/);
      assert.equal(sandbox.connect.requests, []);
    },
  );

documents.run();

function piped(
  words: readonly string[],
  input: string,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly exit: number | null; readonly output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--import", "tsx", "cmd/bin/cdcctl.ts", ...words], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      timeout: 60_000,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.once("error", reject);
    child.once("close", (exit) => resolve({ exit, output }));
    child.stdin.end(input);
  });
}
