/** The package as users get it: packed, installed from the tarball into an empty folder, and used from there. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { anyOf } from "../../core/values/regexp.ts";
import { programOf } from "../../providers/real/debian-program.ts";
import { BINARIES } from "../dev/bundle.ts";

const EXPECTED = anyOf([
  /^(package\.json|LICENSE|README\.md|CHANGELOG\.md)$/,
  /^dist\/[^/]+\.(c?js|txt|cjs\.cache)$/,
  /^dist\/schemas\/[^/]+\.json$/,
  /^dist\/man\/[^/]+\.1$/,
  /^dist\/spark\/verify_spark\.py$/,
  /^(docs|examples)\/.+$/,
]);

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const NPM = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
/** A third of it is what V8 compiled of the programs. */
const MOST_BYTES = 4.25 * 1024 * 1024;
const DEADLINE_MILLIS = 120_000;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string; readonly mode: number }[];
}

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
  readonly dependencies?: object;
}

const run = promisify(execFile);
const installed = suite("The package");
let folder = "";
let packed: Packed;
let manifest: Manifest;
let sandbox: ChildProcess | undefined;

installed.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "cdcctl-package-"));
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder, ...NPM], { cwd: ROOT });
  // What the build says comes first.
  const [only] = JSON.parse(stdout.slice(stdout.search(/^\[$/m))) as readonly Packed[];
  if (only === undefined) throw new Error("nothing was packed");
  packed = only;
  // Nothing is fetched: everything that runs is in the tarball.
  await run("npm", ["install", "--prefix", folder, "--offline", ...NPM, join(folder, packed.filename)], {
    cwd: folder,
  });
  manifest = JSON.parse(await readFile(inPackage("package.json"), "utf8")) as Manifest;
});

installed.after(async () => {
  if (sandbox?.exitCode === null) {
    const closed = new Promise((resolve) => sandbox?.once("close", resolve));
    sandbox.kill("SIGTERM");
    await closed;
  }
  await rm(folder, { recursive: true, force: true });
});

installed("is small, and holds the commands, their licences and documentation: no sources, no tests", () => {
  const paths = packed.files.map(({ path }) => path);
  const unexpected = paths.filter(
    (path) => !EXPECTED.test(path) || /\.test\.|testdata|\.map$|(^|\/)\.(env|npmrc)/.test(path),
  );
  assert.equal(unexpected, []);
  for (const name of BINARIES) assert.ok(paths.includes(`dist/${name}.js`));
  assert.ok(paths.includes("dist/THIRD-PARTY.txt"));
  assert.ok(packed.size < MOST_BYTES, `${packed.size} bytes`);
});

installed("names no folder of the machine that built it, and no secret of its user", async () => {
  const secrets = Object.entries(process.env).flatMap(([name, value = ""]) =>
    /TOKEN|SECRET|PASSWORD|CREDENTIAL|API_?KEY/i.test(name) && value.length >= 12 ? [value] : [],
  );
  const home = homedir();
  const folders = [ROOT, tmpdir(), ...(home.length > 1 ? [home] : [])].map((path) => `${path.replace(/\/$/, "")}/`);
  for (const { path } of packed.files) {
    const text = await readFile(inPackage(path), "utf8");
    // A folder for temporary files has a name that documents may mention.
    const found = [
      ...folders.filter((one) => !(one === "/tmp/" && /^(docs|examples)\//.test(path))),
      ...secrets,
    ].filter((one) => text.includes(one));
    assert.is(found.length, 0, `${path} names a folder or a secret of this machine`);
    assert.not.match(
      text,
      /-----BEGIN [A-Z ]*PRIVATE KEY-----\s*[A-Za-z0-9+/=]{20}|\bnpm_\w{36}\b|\bgh[pousr]_\w{36}\b|_authToken=/,
    );
  }
});

installed("installs no other package, on every Node version that it declares", async () => {
  assert.is(manifest.dependencies, undefined);
  const names = (await readdir(join(folder, "node_modules"))).filter((name) => !name.startsWith("."));
  assert.equal(names, ["cdcctl"]);
  assert.is(manifest.engines.node, ">=20.19");
});

installed("names the licence of every package in it", async () => {
  const notice = await readFile(inPackage("dist/THIRD-PARTY.txt"), "utf8");
  for (const name of ["oracledb", "kafkajs", "yargs", "yaml", "node-forge"])
    assert.match(notice, new RegExp(`^={80}\n${name} \\d+\\.\\d+\\.\\d+\n\\S`, "m"));
});

installed("has commands, each of which prints its version and its help", async () => {
  assert.is((await npx("cdcctl", "--version")).trim(), manifest.version);
  for (const name of BINARIES) {
    assert.is((await command(name, "--version")).trim(), manifest.version);
    assert.match(await command(name, "--help"), new RegExp(`^${name} (?:<command>|\\[options\\])`));
  }
});

installed("installs from a checkout as the README describes: by npm pack, under a custom prefix", async () => {
  const readme = await readFile(join(ROOT, "README.md"), "utf8");
  const install = /npm pack .*\n(npm install -g \.\/cdcctl-\*\.tgz) /.exec(readme)?.[1] ?? "";
  const prefix = join(folder, "prefix");
  await run("bash", ["-c", `${install} ${NPM.join(" ")} --offline`], {
    cwd: folder,
    env: { ...environment(), npm_config_prefix: prefix },
  });
  for (const name of BINARIES)
    assert.is((await run(join(prefix, "bin", name), ["--version"])).stdout.trim(), manifest.version);
  const man = await programOf({ names: ["man"], package: "man-db" });
  for (const page of [...BINARIES, "cdcctl-apply", "srcdb-cdc-doctor-check"]) {
    const { stdout } = await run(man, ["-M", join(prefix, "share", "man"), "-w", page], { env: environment() });
    assert.is(await realpath(stdout.trim()), await realpath(join(prefix, "share", "man", "man1", `${page}.1`)));
  }
  // What init writes leads to a schema that is there, and needs no other file.
  const wrote = (await run(join(prefix, "bin", "cdcctl"), ["init", "Resnapshot"])).stdout.split("\n");
  const path = (await run(join(prefix, "bin", "cdcctl"), ["schema", "--path", "Resnapshot"])).stdout.trim();
  assert.match(wrote[0] ?? "", /: cdcctl schema --path Resnapshot$/);
  assert.ok(path.startsWith(`${await realpath(prefix)}/`), path);
  const files = await readdir(dirname(path));
  assert.ok(files.length >= 20);
  for (const name of files) assert.not.match(await readFile(join(dirname(path), name), "utf8"), /"\$ref": "[^#]/, name);
});

installed("has a schema for every kind that its help lists", async () => {
  const help = await command("cdcctl", "schema", "--help");
  const kinds = /([\w, \n]+)\[string\] \[required\]/.exec(help.slice(help.indexOf("Positionals:")))?.[1] ?? "";
  const all = kinds
    .replace(/^.*?kind/s, "")
    .split(",")
    .map((kind) => kind.trim());
  assert.ok(all.length > 20, kinds);
  for (const kind of all) assert.match(await command("cdcctl", "schema", kind), /^\{\n {2}"\$schema"/, kind);
});

installed("runs the sandbox, and plans and applies a change in it", async () => {
  const world = join(folder, "world");
  await mkdir(world);
  sandbox = await startedSandbox(world);
  const plan = await command("cdcctl", "plan", "world/orders-replay.yaml");
  assert.match(plan, /next: {2}cdcctl apply world\/orders-replay\.yaml/);
  const applied = await command("cdcctl", "apply", "world/orders-replay.yaml", "--yes");
  assert.match(applied, /2010000/);
  assert.match(await command("cdcctl", "history"), /orders-cdc/);
  const url = /url: (\S+)/.exec(await readFile(join(world, "contexts.yaml"), "utf8"))?.[1] ?? "";
  const shown = await command("cdc-admin", "offsets", "show", "--connect-url", url, "--name", "orders-cdc");
  assert.match(shown, /2010000/);
});

installed.run();

function inPackage(path: string): string {
  return join(folder, "node_modules", "cdcctl", path);
}

function environment(): NodeJS.ProcessEnv {
  return {
    PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
    HOME: folder,
    LC_ALL: "C.UTF-8",
    CDCCTL_CONTEXTS: join(folder, "world", "contexts.yaml"),
    CDCCTL_STATE: join(folder, "state"),
    CDCCTL_OPERATOR: "ana",
  };
}

/** @returns what it wrote to stdout; rejects when it does not end with 0 */
async function command(name: string, ...args: readonly string[]): Promise<string> {
  const path = join(folder, "node_modules", ".bin", name);
  return (await run(path, args, { cwd: folder, env: environment(), timeout: DEADLINE_MILLIS })).stdout;
}

async function npx(...args: readonly string[]): Promise<string> {
  return (await run("npx", ["--offline", ...args], { cwd: folder, env: environment(), timeout: DEADLINE_MILLIS }))
    .stdout;
}

/** Resolves when it says what to try. */
async function startedSandbox(world: string): Promise<ChildProcess> {
  const path = join(folder, "node_modules", ".bin", "cdcctl");
  const child = spawn(path, ["sandbox", "--scenario", "stopped", "--dir", world], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((resolve, reject) => {
    let output = "";
    const late = setTimeout(() => reject(new Error(`the sandbox is not up: ${output}`)), DEADLINE_MILLIS);
    child.once("close", () => reject(new Error(`the sandbox ended: ${output}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes("Stop with Ctrl-C.")) return;
      clearTimeout(late);
      resolve();
    });
  });
  return child;
}
