/** What `--out`, `--output` and `--report` may write over: an earlier document of their own kind, and nothing else. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readlinkSync } from "node:fs";
import { lstat, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type ChangedWorld, openChangedWorld } from "../changed-world.ts";
import { PATIENCE } from "../injected-faults.ts";
import { runHere } from "../run-command.ts";

const files = suite("files that commands write");

let world: ChangedWorld;
let here = 0;
files.before(async () => {
  world = await openChangedWorld();
});
files.after(() => world.close());

const LEGACY = JSON.stringify({
  name: "orders-legacy",
  config: { "connector.class": "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector", "oracle.server": "db" },
});

interface Writer {
  readonly name: string;
  readonly argv: (out: string) => readonly string[];
  /** Whether an earlier document of its kind may be replaced. */
  readonly replaces: boolean;
}

const WRITERS: readonly Writer[] = [
  { name: "plan --out", argv: (out) => ["plan", world.plan, "--out", out], replaces: true },
  { name: "observe --out", argv: (out) => ["observe", world.plan, "--out", out], replaces: true },
  {
    name: "report --out",
    argv: (out) => ["report", world.plan, "--out", out],
    replaces: true,
  },
  { name: "init --out", argv: (out) => ["init", "OffsetChange", "--out", out], replaces: false },
  { name: "doctor setup-sql --output", argv: (out) => ["doctor", "setup-sql", "--output", out], replaces: false },
  {
    name: "migrate translate --output",
    argv: (out) => ["migrate", "translate", "--input", join(world.dir, "legacy.json"), "--output", out],
    replaces: false,
  },
  {
    name: "migrate translate --report",
    argv: (out) => ["migrate", "translate", "--input", join(world.dir, "legacy.json"), "--report", out],
    replaces: false,
  },
];

const MINE = "mine\n";
interface There {
  readonly what: string;
  /** @returns the file whose content has to stay as it is */
  readonly make: (path: string) => Promise<string | undefined>;
  readonly says: RegExp;
}

const THERE: readonly There[] = [
  { what: "another file", make: (path) => writeFile(path, MINE).then(() => path), says: /it already exists/ },
  {
    what: "a plan file",
    make: (path) => writeFile(path, "apiVersion: cdcctl/v1\nkind: Plan\n").then(() => path),
    says: /it already exists/,
  },
  {
    what: "JSON that says the kind further in",
    make: (path) => writeFile(path, '{"mine": {"apiVersion": "cdcctl/v1", "kind": "Plan"}}').then(() => path),
    says: /it already exists/,
  },
  {
    what: "a link to a file of somebody's",
    make: async (path) => {
      await writeFile(`${path}.target`, MINE);
      await symlink(`${path}.target`, path);
      return `${path}.target`;
    },
    says: /symbolic link|it already exists/,
  },
  {
    what: "a link to nowhere",
    make: async (path) => {
      await symlink(`${path}.nowhere`, path);
      return undefined;
    },
    says: /symbolic link|it already exists/,
  },
  {
    what: "a pipe",
    make: async (path) => {
      execFileSync("mkfifo", [path]);
      return undefined;
    },
    says: /a pipe|it already exists/,
  },
  {
    what: "a folder",
    make: async (path) => {
      mkdirSync(path);
      return undefined;
    },
    says: /it is a folder|it already exists/,
  },
];

const run = (argv: readonly string[]) => runHere(argv, { env: world.env, patience: PATIENCE });

async function place(): Promise<string> {
  const folder = join(world.dir, `files-${here++}`);
  mkdirSync(folder);
  await writeFile(join(world.dir, "legacy.json"), LEGACY);
  return join(folder, "out");
}

for (const { name, argv } of WRITERS)
  for (const { what, make, says } of THERE)
    files(`${name} leaves ${what} untouched`, async () => {
      const path = await place();
      const kept = await make(path);
      const before = kept === undefined ? undefined : await readFile(kept, "utf8");
      const names = await readdir(join(path, ".."));
      const { exit, output } = await run(argv(path));
      assert.is(exit, 64, output);
      assert.match(output, says);
      if (kept !== undefined) assert.is(await readFile(kept, "utf8"), before);
      assert.equal(await readdir(join(path, "..")), names);
      if (what.startsWith("a link")) assert.ok(readlinkSync(path) !== "");
    });

for (const { name, argv, replaces } of WRITERS)
  files(
    `${name} writes with owner-only permissions${replaces ? ", over an earlier or an empty file" : ""}`,
    async () => {
      const path = await place();
      assert.is((await run(argv(path))).exit, 0);
      assert.is((await lstat(path)).mode & 0o777, 0o600);
      assert.is((await run(argv(path))).exit, replaces ? 0 : 64);
      if (replaces) {
        await writeFile(path, "");
        assert.is((await run(argv(path))).exit, 0);
        assert.ok((await readFile(path, "utf8")).length > 100);
      }
      assert.equal(await readdir(join(path, "..")), ["out"]);
    },
  );

const REPLACING = WRITERS.filter(({ replaces }) => replaces);
for (const one of REPLACING)
  for (const other of REPLACING)
    if (one !== other)
      files(`${one.name} leaves the file that ${other.name} wrote untouched`, async () => {
        const path = await place();
        assert.is((await run(other.argv(path))).exit, 0);
        const before = await readFile(path, "utf8");
        const { exit, output } = await run(one.argv(path));
        assert.is(exit, 64, output);
        assert.is(await readFile(path, "utf8"), before);
      });

files.run();
