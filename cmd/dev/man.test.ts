import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { programOf } from "../../providers/real/debian-program.ts";
import { type Command, nameOf } from "../command.ts";
import { PROGRAMS } from "../commands/catalogue.ts";
import { packageVersion, ROOT } from "./bundle.ts";
import { manPages } from "./man.ts";

const BACKSPACE = "\u0008";
const run = promisify(execFile);
const pages = manPages(await packageVersion());

const manual = suite("man pages");
let folder = "";

manual.before(async () => {
  folder = await mkdtemp(join(tmpdir(), "cdcctl-man-"));
  for (const [name, text] of pages) await writeFile(join(folder, name), text);
});
manual.after(() => rm(folder, { recursive: true, force: true }));

manual("exist for each program and each command, and npm installs each of them", async () => {
  const names = PROGRAMS.flatMap(({ name, commands }) => [
    name,
    ...commands.filter(({ verbatim }) => verbatim !== true).map((command) => `${name}-${nameOf(command)}`),
  ]);
  assert.ok(names.length > 30);
  assert.equal([...pages.keys()].sort(), names.map((name) => `${name}.1`).sort());
  const { man } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { man: readonly string[] };
  assert.equal(man, [...pages.keys()].map((name) => `dist/man/${name}`).sort());
});

manual("are valid: mandoc reports only the missing date", async () => {
  const mandoc = await programOf({ names: ["mandoc"], package: "mandoc" });
  for (const name of pages.keys()) {
    const { stdout } = await run(mandoc, ["-T", "lint", "-W", "warning", join(folder, name)]).catch(
      (error: { stdout: string }) => error,
    );
    const found = stdout.split("\n").filter((line) => line !== "" && !/WARNING: missing date, using "": TH/.test(line));
    assert.equal(found, [], name);
  }
});

manual("show every command with its options and examples, exactly as they are typed", async () => {
  const mandoc = await programOf({ names: ["mandoc"], package: "mandoc" });
  for (const program of PROGRAMS) {
    const tops = program.sole === undefined ? program.commands : [];
    if (program.sole !== undefined) assertShown(await shown(mandoc, program.name), program.sole, program.name, "");
    for (const command of tops.filter(({ verbatim }) => verbatim !== true)) {
      const text = await shown(mandoc, `${program.name}-${nameOf(command)}`);
      for (const { own, path } of leaves(command, [program.name])) assertShown(text, own, program.name, path);
    }
  }
});

manual("escape text that would be an instruction", async () => {
  const mandoc = await programOf({ names: ["mandoc"], package: "mandoc" });
  const text = await shown(mandoc, "cdcctl-plan");
  assert.match(text, "$XDG_CONFIG_HOME/cdcctl/contexts.yaml");
  assert.match(text, /^ +-o, --format text\|json\|markdown\|html\|sarif\|junit\|gitlab$/m);
  assert.match(await shown(mandoc, "cdcctl"), /^ +64 +usage or configuration$/m);
});

manual.run();

async function shown(mandoc: string, page: string): Promise<string> {
  const { stdout } = await run(mandoc, ["-T", "utf8", "-O", "width=400", join(folder, `${page}.1`)]);
  // Bold and italic letters are overstruck.
  return stdout.replaceAll(new RegExp(`.${BACKSPACE}`, "gu"), "");
}

function leaves(command: Command, path: readonly string[]): readonly { own: Command; path: string }[] {
  if (command.commands.length === 0) return [{ own: command, path: path.join(" ") }];
  return command.commands.flatMap((one) => leaves(one, [...path, nameOf(command)]));
}

/** @param path the words before the command; empty: the program itself is this command */
function assertShown(text: string, command: Command, program: string, path: string): void {
  for (const [name, { describe = "" }] of Object.entries(command.options)) {
    assert.match(text, new RegExp(`^ +(?:-\\w, |--[\\w-]+, )*--${name}\\b`, "m"), `${path} ${name}`);
    assert.ok(text.includes(describe.replaceAll("`", "")), `${path} ${name}: ${describe}`);
  }
  for (const [line] of command.examples) {
    const whole = path === "" ? `${program}${line.slice(nameOf(command).length)}` : `${path} ${line}`;
    assert.ok(text.includes(` ${whole}\n`), whole);
  }
}
