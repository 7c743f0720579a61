// biome-ignore-all lint/suspicious/noTemplateCurlyInString: names that a shell would expand
/** Every command that is printed to be pasted is, in a real shell, the words that it was made of, and nothing more. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { escapeTerminal } from "../../../core/values/escape.ts";
import {
  connectorsLine,
  curlLine,
  fromOpsCommand,
  shellFile,
  shellLine,
  shellOption,
  workersFlag,
} from "../../../core/values/shell-word.ts";
import { parseCommandLine } from "../../command-line.ts";
import { cdcctl } from "../../commands/catalogue.ts";
import type { Host } from "../../host.ts";
import { type ChangedWorld, openChangedWorld } from "../changed-world.ts";
import { PATIENCE } from "../injected-faults.ts";
import { runHere } from "../run-command.ts";

const pasted = suite("commands to be pasted");

let world: ChangedWorld;
let folder = "";
pasted.before(async () => {
  folder = mkdtempSync(join(tmpdir(), "cdcctl-pasted-"));
  world = await openChangedWorld();
});
pasted.after(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Each is a name, and would leave `harmed` behind if any of it were executed. */
const HOSTILE = [
  ...[
    "a b",
    "a;touch harmed",
    "$(touch harmed)",
    "`touch harmed`",
    "a|touch harmed",
    "a&touch harmed&",
    "a\ntouch harmed",
  ],
  ...[
    "'$(touch harmed)'",
    "'; touch harmed; '",
    '"$(touch harmed)"',
    '"; touch harmed; "',
    "a'b\"c",
    "\\$(touch harmed)",
  ],
  ...[
    "a>harmed",
    "a<harmed",
    "*",
    "?",
    "[a]",
    "{a,b}",
    "~",
    "~root",
    "!!",
    "!touch",
    "#a",
    "a #b",
    "$HOME",
    "${HOME}",
    "$'\\x41'",
  ],
  ...[
    "a\u001b[2J;touch harmed",
    "a\u009bK",
    "a\u202eb",
    "a\r\ntouch harmed",
    "a\tb",
    "%s%n",
    "\\n\\101",
    "\u200b",
    "Łódź 東京",
  ],
  ...["a\\", "a'\\''b", "((", "a=b", "&&", "||", ";;", "\u2028touch harmed", "a\u0007'b%d"],
];

/** @returns the words that a shell passes on to each call of `cdcctl` or `curl` in a line */
function wordsOf(line: string): readonly (readonly string[])[] {
  const script =
    `show() { for word in "$@"; do printf '%s\\0' "$word"; done; printf '\\001\\0'; }\ncdcctl() { show "$@"; ` +
    `}\ncurl() { show "$@"; }\n${line}\n`;
  const { status, stdout, stderr } = spawnSync("/bin/sh", ["-c", script], {
    cwd: folder,
    env: { HOME: "/nowhere", PATH: "/nowhere" },
    encoding: "utf8",
    timeout: 60_000,
  });
  assert.is(stderr, "", line);
  assert.is(status, 0, line);
  const calls: string[][] = [[]];
  for (const word of stdout.split("\0").slice(0, -1)) {
    if (word === "\u0001") calls.push([]);
    else calls.at(-1)?.push(word);
  }
  return calls.slice(0, -1);
}

function noHarm(): void {
  assert.equal(readdirSync(folder), []);
}

for (const [index, name] of HOSTILE.entries()) {
  pasted(`a quoted word is read back unchanged: ${escapeTerminal(name)}`, () => {
    const line = shellLine("cdcctl", name, "--to", name);
    assert.is(escapeTerminal(line), line, "it is shown as it is");
    assert.equal(wordsOf(line), [[name, "--to", name]]);
    noHarm();
  });

  pasted(`a call of Connect about a connector: ${escapeTerminal(name)}`, () => {
    const line = curlLine("PUT", "http://connect:8083", name, "/resume?a=1&b=2");
    const [[, , url = ""] = []] = wordsOf(line);
    assert.is(decodeURIComponent(new URL(url).pathname.split("/")[2] ?? ""), name);
    assert.is(escapeTerminal(line), line);
    noHarm();
  });

  pasted(`the commands about a connector and a context of this name: ${escapeTerminal(name)}`, async () => {
    await namedAgain(name);
    noHarm();
  });

  if (!/[/]/.test(name) && name.length > 1)
    pasted(`what plan and observe print for a file of this name: ${escapeTerminal(name)}`, async () => {
      const dir = join(world.dir, `pasted-${index}`);
      mkdirSync(dir);
      const [plan, facts, saved] = [join(dir, `${name}.yaml`), join(dir, `${name}.facts`), join(dir, `${name}.json`)];
      writeFileSync(plan, readFileSync(world.plan, "utf8"));
      const run = async (...argv: readonly string[]) =>
        (await runHere(argv, { env: world.env, patience: PATIENCE })).output;
      const printed = [
        ...nextOf(await run("plan", plan)),
        ...nextOf(await run("observe", plan, "--out", facts)),
        ...nextOf(await run("plan", plan, "--out", saved)),
        ...nextOf(await run("init", "OffsetChange", "--out", join(dir, `${name}.new`))),
      ];
      const calls = printed.flatMap(wordsOf);
      assert.equal(calls[0], ["apply", plan]);
      assert.equal(calls[1], ["plan", plan, "--full"]);
      assert.equal(calls[2], ["plan", "--facts", facts, plan]);
      assert.equal(calls[3]?.slice(0, 2), ["apply", saved]);
      assert.equal(calls[4], ["plan", plan, "--full"]);
      assert.equal(calls[5], ["validate", join(dir, `${name}.new`)]);
      noHarm();
    });
}

/** Every builder of a command gives one that a shell and cdcctl read as what it was made of. */
async function namedAgain(name: string): Promise<void> {
  const at = { context: name };
  for (const [line, option] of [
    [connectorsLine("show", name, at), "name"],
    [connectorsLine("resume", name, { connectUrl: `http://${name}:8083` }), "name"],
    [fromOpsCommand({ ...at, connector: name }), "connector"],
    [`cdcctl admin offsets show ${workersFlag(at)} ${shellOption("--name", name)} --check-redo`, "name"],
  ] as const) {
    assert.is(escapeTerminal(line), line, "it is shown as it is");
    const [words = []] = wordsOf(line);
    const parsed = await parseCommandLine(cdcctl, { ...HOST, argv: words });
    assert.ok("args" in parsed, line);
    assert.is(parsed.args[option], name, line);
    if (!line.includes("--connect-url")) assert.is(parsed.args["context"], name, line);
  }
}

const QUIET = { write: () => undefined, colour: false, columns: undefined };
const HOST = { argv: [], env: {}, stdout: QUIET, stderr: QUIET } as unknown as Host;

for (const name of ["-", "-x", "--yes", "--name=x", "-- x", "-$(touch harmed)"])
  pasted(`a connector that is named like an option is none: ${name}`, async () => {
    await namedAgain(name);
    noHarm();
  });

pasted("a file whose name begins with a hyphen is not read as an option", () => {
  for (const name of ["-x.yaml", "--yes", "-"])
    assert.equal(wordsOf(`cdcctl apply ${shellFile(name)}`), [["apply", name === "-" ? "-" : `./${name}`]]);
});

/** The commands of `next:`. */
function nextOf(output: string): readonly string[] {
  const lines = output.split("\n");
  const first = lines.findIndex((line) => line.startsWith("next:  "));
  if (first < 0) return [];
  const end = lines.findIndex((line, i) => i > first && !line.startsWith("       "));
  return lines.slice(first, end < 0 ? undefined : end).map((line) => line.slice("next:  ".length));
}

const GOLDENS = fileURLToPath(new URL("../../testdata/", import.meta.url));
/**
 * A command follows `next:` or a remedy's colon, or stands on a line of its own below it. A text within JSON is read by
 * a program.
 */
const PRINTED = /^(?!\s*["{])(?:next: {2}|\s+|[^$].*?: {2})((?:cdcctl|curl) .*)$/;

/** A list of commands in a help, which is to be read; the end of an element, which a program reads. */
const USAGE = /<\/| <|\S {2,}[^\s#]/;

for (const file of readdirSync(GOLDENS).filter((name) => name.endsWith(".transcript.txt")))
  pasted(`the output of ${file.replace(".transcript.txt", "")} can be pasted into a shell, line by line`, () => {
    const lines = readFileSync(join(GOLDENS, file), "utf8").split("\n");
    const commands = lines.flatMap((line) => PRINTED.exec(line)?.[1] ?? []).filter((one) => !USAGE.test(one));
    for (const command of new Set(commands)) {
      const { status, stderr } = spawnSync("/bin/sh", ["-n", "-c", command], { encoding: "utf8", timeout: 60_000 });
      assert.is(status, 0, `${command}: ${stderr}`);
      const calls = wordsOf(command);
      assert.ok(calls.length >= 1 && calls.every((words) => words.length > 0), command);
      assert.not.match(command, /[\\]$/);
    }
    noHarm();
  });

pasted.run();
