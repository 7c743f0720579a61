/**
 * Nothing is loaded that a command does not use: the programs, run from pieces, against what esbuild put into each. And
 * what V8 compiled of them is used, but not needed.
 */
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Metafile } from "esbuild";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startSandbox } from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { bundle, bundlePieces, PROGRAMS } from "../dev/bundle.ts";
import { keepCompiled } from "../dev/compiled.ts";

const LOADED_FILES = fileURLToPath(new URL("./loaded-files.mjs", import.meta.url));
const COMPILED_ANEW = fileURLToPath(new URL("./compiled-anew.mjs", import.meta.url));
/** Large packages, the sandbox, and the clients of the three systems. */
const PARTS: Readonly<Record<string, RegExp>> = {
  yargs: /node_modules\/yargs\//,
  yaml: /node_modules\/yaml\//,
  kafkajs: /node_modules\/kafkajs\//,
  oracledb: /node_modules\/oracledb\//,
  "key stores": /node_modules\/(node-forge|jks-js|node-rsa)\//,
  proxies: /node_modules\/https?-proxy-agent\//,
  compression: /node_modules\/fzstd\/|providers\/kafka\/(lz4|snappy|zstd)\.ts/,
  sandbox: /^providers\/sandbox\//,
  "Connect client": /^providers\/connect\//,
};

const loading = suite("the modules that a command loads");
let folder = "";
let outputs: Metafile["outputs"] = {};

loading.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "cdcctl-loaded-"));
  outputs = await bundlePieces(join(folder, "pieces"));
  await writeFile(join(folder, "pieces", "run.mjs"), 'await (await import("./programs.js")).runProgram("cdcctl");\n');
  await bundle(join(folder, "dist"));
});
loading.after(() => rm(folder, { recursive: true, force: true }));

loading("are none for a version", async () => {
  await rename(join(folder, "dist", PROGRAMS), join(folder, "apart"));
  assert.match((await built("--version")).stdout, /^\d+\.\d+\.\d+\n$/);
  assert.ok(
    await built("history").then(
      () => false,
      () => true,
    ),
  );
  await rename(join(folder, "apart"), join(folder, "dist", PROGRAMS));
});

loading(
  "are taken as V8 compiled them for the build, and compiled again where that is of another version",
  async () => {
    const explained = await built("explain", "OFF103");
    assert.match(explained.stderr, /compiled anew/);
    await keepCompiled(join(folder, "dist"));
    const cache = join(folder, "dist", `${PROGRAMS}.cache`);
    assert.not.match(await readFile(cache, "latin1"), folder);
    assert.equal(await built("explain", "OFF103"), { stdout: explained.stdout, stderr: "as compiled\n" });
    const compiled = await readFile(cache);
    // V8 would take what another release of Node.js compiled with it, and crash.
    const last = process.version.length - 1;
    await writeFile(cache, compiled.fill("x", last, last + 1));
    assert.equal(await built("explain", "OFF103"), explained);
  },
);

loading("are of this package's own version, of what several packages use", () => {
  const inputs = Object.values(outputs).flatMap(({ inputs: from }) => Object.keys(from));
  assert.equal(
    [...new Set(inputs.filter((path) => path.endsWith("/string-width/index.js")))],
    ["node_modules/string-width/index.js"],
  );
});

loading("are those of the command line for what the program knows by itself", async () => {
  assert.equal(await partsOf("explain", "OFF103"), ["yargs"]);
  assert.equal(await partsOf("history"), ["yargs"]);
  assert.equal(await partsOf("plan", "--help"), ["yargs"]);
});

loading("include no client to complete a word, and the sandbox only to name its scenarios", async () => {
  const complete = (...words: readonly string[]) => partsOf("complete", "--", ...words);
  assert.equal(await complete("cdcctl", "pla"), []);
  assert.equal(await complete("cdc-admin", "offsets", "show", "--connector", ""), ["yaml"]);
  assert.equal(await complete("cdcctl", "rollback", ""), []);
  assert.equal(await complete("cdcctl", "explain", "OFF"), []);
  assert.equal(await complete("verify_cutover", "--context", ""), ["yaml"]);
  assert.ok((await complete("cdcctl", "sandbox", "--scenario", "")).includes("sandbox"));
});

loading("include no client where no system is asked", async () => {
  const scenario = scenarioNamed("orders");
  const sandbox = await startSandbox(scenario.options);
  try {
    for (const [name, text] of Object.entries(scenario.files(sandbox))) await writeFile(join(folder, name), text);
    assert.equal(await partsOf("validate", "orders-replay.yaml"), ["yargs", "yaml"]);
    assert.equal(await partsOf("plan", "orders-replay.yaml"), [
      "yargs",
      "yaml",
      "kafkajs",
      "oracledb",
      "Connect client",
    ]);
  } finally {
    await sandbox.close();
  }
});

loading.run();

/** Runs the built command, which says on stderr whether it was compiled anew. */
async function built(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const env = { ...process.env, CDCCTL_STATE: join(folder, "state") };
  const words = ["--import", COMPILED_ANEW, join(folder, "dist", "cdcctl.js"), ...args];
  return promisify(execFile)(process.execPath, words, { cwd: folder, env });
}

/** Runs a command. @returns the parts that are in the files it loaded */
async function partsOf(...args: readonly string[]): Promise<readonly string[]> {
  const child = spawn(process.execPath, ["--import", LOADED_FILES, join(folder, "pieces", "run.mjs"), ...args], {
    cwd: folder,
    env: { ...process.env, CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), CDCCTL_STATE: join(folder, "state") },
    stdio: ["ignore", "ignore", "inherit", "pipe"],
  });
  let printed = "";
  child.stdio[3]?.on("data", (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.is(code, 0, `cdcctl ${args.join(" ")}`);
  const loaded = new Set(printed.split("\n").map((url) => basename(url)));
  assert.ok(loaded.has("programs.js"));
  const inputs = Object.entries(outputs).flatMap(([file, { inputs: from }]) =>
    loaded.has(basename(file)) ? Object.keys(from) : [],
  );
  return Object.entries(PARTS).flatMap(([part, pattern]) =>
    inputs.some((input) => pattern.test(input)) ? [part] : [],
  );
}
