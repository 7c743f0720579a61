/** `init` with its flags, as a user runs it: what it writes is accepted by `validate` once the reason is given. */
import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Apart, runApart } from "./testing/run-apart.ts";

const init = suite("init");

const FLAGS = ["--context", "prod", "--connector", "orders-cdc"];
const TABLES = ["--tables", "ORCLPDB1.SALES.ORDERS,ORCLPDB1.SALES.LINES"];
/** The flags that each kind takes, and what the file has of them. */
const KINDS: Readonly<Record<string, readonly (readonly [flag: string, line: RegExp])[]>> = {
  OffsetChange: [["scn", /^ {2}scn: 2169287$/m]],
  Resnapshot: [["tables", /^ {2}tables: \["?ORCLPDB1\.SALES\.ORDERS"?, "?ORCLPDB1\.SALES\.LINES"?\]$/m]],
  Migration: [["tables", /^ {4}tables: \["?ORCLPDB1\.SALES\.ORDERS"?, "?ORCLPDB1\.SALES\.LINES"?\]$/m]],
};
const VALUES: Readonly<Record<string, readonly string[]>> = { scn: ["--scn", "2169287"], tables: TABLES };
const flat = (text: string) => text.replaceAll(/\s+/g, " ");

init(
  "Migration --from debezium leaves the choice of topics blank, and is accepted once that and the reason are given",
  () =>
    inFolder(async (run, file) => {
      await run("init", "Migration", "--from", "debezium", ...FLAGS, ...TABLES, "--out", file);
      const text = await readFile(file, "utf8");
      assert.match(text, /^ {4}kind: debezium$/m);
      assert.match(text, /^ {4}topics:$/m);
      assert.not.match(text, /licence|leaveOut|orders-legacy|SALES\.ORDERS:/i);
      const unedited = await run("validate", file);
      assert.match(unedited.stderr, /spec\.to\.topics is empty/);
      await writeFile(file, text.replace(/^( +reason:).*$/m, "$1 leave it").replace(/^( +topics:)$/m, "$1 keep"));
      const valid = await run("validate", file);
      assert.is(valid.exit, 0, valid.output);
      const other = await run("init", "OffsetChange", "--from", "debezium");
      assert.is(other.exit, 64);
      assert.match(other.stderr, /leaves no legacy connector/);
    }),
);

for (const [kind, own] of Object.entries(KINDS)) {
  const flags = [...FLAGS, ...own.flatMap(([flag]) => VALUES[flag] ?? [])];

  init(`${kind}: what the flags give is written, and only the reason is left to fill in`, () =>
    inFolder(async (run, file) => {
      const written = await run("init", kind, ...flags, "--out", file);
      assert.is(written.exit, 0, written.output);
      const text = await readFile(file, "utf8");
      assert.match(text, /^ +context: prod$/m);
      assert.match(text, /^ +connector: orders-cdc$/m);
      for (const [, line] of own) assert.match(text, line);
      const unedited = await run("validate", file);
      assert.is(unedited.exit, 64);
      assert.equal(
        unedited.stderr.match(/^\S+:\d+:\d+: .*$/gm)?.map((line) => line.replace(/^\S+ /, "")),
        ["metadata.reason is empty, where text is wanted"],
      );
      await writeFile(file, text.replace(/^( +reason:).*$/m, "$1 replay after the deploy"));
      const valid = await run("validate", file);
      assert.is(valid.exit, 0, valid.output);
      assert.match(flat(valid.stdout), `${kind} `);
      assert.match(valid.stdout, "orders-cdc");
    }),
  );

  init(`${kind}: an unedited template is refused, with each value that is missing`, () =>
    inFolder(async (run, file) => {
      const template = await run("init", kind);
      await writeFile(file, template.stdout);
      const { exit, stderr } = await run("validate", file);
      assert.is(exit, 64);
      for (const value of ["metadata.reason", "target.context", "connector", ...own.map(([flag]) => flag)])
        assert.match(stderr, new RegExp(`${value} is empty`));
    }),
  );

  init(`${kind}: no path of this machine is written`, () =>
    inFolder(async (run, file, folder) => {
      await run("init", kind, ...flags, "--out", file);
      for (const text of [await readFile(file, "utf8"), (await run("init", kind, ...flags)).stdout])
        for (const own of [folder, tmpdir(), homedir(), process.cwd(), "file:"])
          assert.not.ok(text.includes(own), `${own} in:\n${text}`);
    }),
  );
}

init("a value that the kind does not have, or that is none, is refused, and nothing is written", () =>
  inFolder(async (run, file) => {
    for (const [words, why] of [
      [["Resnapshot", "--scn", "5"], /Resnapshot has no scn/],
      [["Migration", "--scn", "5"], /Migration has no scn/],
      [["OffsetChange", "--tables", "A.B"], /OffsetChange has no tables/],
      [["OffsetChange", "--scn", "-5"], /--scn/],
      [["Resnapshot", "--tables", "A.B,,"], /--tables/],
    ] as const) {
      const { exit, stderr } = await run("init", ...words, "--out", file);
      assert.is(exit, 64, words.join(" "));
      assert.match(flat(stderr), why);
      assert.ok(await access(file).catch(() => true), words.join(" "));
    }
  }),
);

init("a name that YAML would read as something else is quoted", () =>
  inFolder(async (run, file) => {
    await run("init", "OffsetChange", "--context", "yes: no", "--connector", "123", "--scn", "5", "--out", file);
    const text = await readFile(file, "utf8");
    await writeFile(file, text.replace(/^( +reason:).*$/m, "$1 why"));
    const { exit, stdout } = await run("validate", file, "--format", "json");
    assert.is(exit, 0, stdout);
    assert.is(JSON.parse(stdout).documents[0].connector, "123");
  }),
);

init.run();

async function inFolder(
  act: (run: (...words: readonly string[]) => Promise<Apart>, file: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-init-"));
  try {
    const env = { HOME: folder, CDCCTL_CONTEXTS: join(folder, "contexts.yaml"), CDCCTL_STATE: join(folder, "state") };
    await act((...words) => runApart(words, env), join(folder, "plan.yaml"), folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
