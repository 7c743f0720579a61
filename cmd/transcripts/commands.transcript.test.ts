/**
 * Every golden transcript of `cmd/testdata`, played again on the built commands. `UPDATE=1` writes what they give now.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CHECKS } from "../../core/checks/catalogue.ts";
import { CAUSES } from "../../core/doctor/lag/causes.ts";
import { SCENARIOS } from "../../providers/sandbox/scenarios.ts";
import { type Command, nameOf } from "../command.ts";
import { cdcctl } from "../commands/catalogue.ts";
import { play } from "./play.ts";
import { parseTranscript, printTranscript } from "./transcript.ts";

const GOLDENS = fileURLToPath(new URL("../testdata/", import.meta.url));
const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const update = process.env["UPDATE"] === "1";
const only = process.env["ONLY"];

const files = (await readdir(GOLDENS)).filter((name) => name.endsWith(".transcript.txt")).sort();
const texts = new Map<string, string>();
for (const file of files) texts.set(file, await readFile(`${GOLDENS}${file}`, "utf8"));
const scripts = [...texts].map(([file, text]) => ({ file, text, ...parseTranscript(text, file) }));

/** Most of the time of a transcript is waiting: several play at once. */
const WIDTH = 3;
const chosen = scripts.filter(({ file }) => only === undefined || file.includes(only));
const played = new Map<string, Promise<string>>();
const lanes: Promise<unknown>[] = Array.from({ length: WIDTH }, () => Promise.resolve());
for (const [index, { file, text: _text, ...transcript }] of chosen.entries()) {
  const turn = lanes[index % WIDTH] ?? Promise.resolve();
  const seen = turn.then(async () => printTranscript(transcript, await play(transcript, version)));
  played.set(file, seen);
  lanes[index % WIDTH] = seen.catch(() => undefined);
}

const transcripts = suite("transcripts of the built commands");

for (const { file, text, about } of chosen) {
  transcripts(`${file.replace(".transcript.txt", "")}: ${about}`, async () => {
    const seen = (await played.get(file)) ?? "";
    if (update) await writeFile(`${GOLDENS}${file}`, seen);
    else assert.is(firstDifference(seen, text), undefined);
  });
}

transcripts("every scenario of the sandbox has one", () => {
  const worlds = scripts.map(({ world }) => world);
  for (const { name } of SCENARIOS) assert.ok(worlds.includes(name), name);
});

/** Those that anybody can play again with `cdcctl sandbox`. */
const inSandbox = scripts.filter(({ world }) => SCENARIOS.some(({ name }) => name === world));

transcripts("every preflight rule is seen at fault in one of a scenario", () => {
  const atFault = new Set(inSandbox.flatMap(({ text }) => [...faultsTold(text)]));
  for (const { code } of CHECKS.Preflight) assert.ok(atFault.has(code), code);
});

transcripts("every cause of a lag is the answer in one of a scenario", () => {
  for (const { cause, title, likelyTitle = title } of CAUSES)
    assert.ok(
      inSandbox.some(({ text }) => new RegExp(`^\\S+: (${title}|${likelyTitle})$`, "m").test(text)),
      cause,
    );
});

transcripts("every command has one", () => {
  const lines = scripts.flatMap(({ steps }) => steps.map(({ command }) => command));
  for (const path of paths(cdcctl.commands)) {
    const line = `cdcctl ${path}`;
    assert.ok(
      lines.some((one) => one.includes(line)),
      line,
    );
  }
});

transcripts("every command's help has examples of commands that there are", () => {
  const check = (command: Command, _index: number, commands: readonly Command[]): void => {
    if (command.verbatim === true) return;
    assert.ok(command.examples.length > 0, command.usage);
    const names = commands.map(nameOf);
    for (const [line] of command.examples) assert.ok(names.includes(line.split(" ")[0] ?? ""), line);
    command.commands.forEach(check);
  };
  cdcctl.commands.forEach(check);
});

/**
 * The codes that a preflight lists as blocking or as warnings. What can never be more than unknown (DBA407) counts
 * where it is that.
 */
function faultsTold(text: string): ReadonlySet<string> {
  const told = new Set<string>();
  let level = "";
  for (const line of text.split("\n")) {
    if (/^(blocking|unknown|warnings|fine)$/.test(line)) level = line;
    else if (/^\S/.test(line)) level = "";
    const code = /^ {2}([A-Z]{3}\d{3}) {2}/.exec(line)?.[1];
    if (code === undefined) continue;
    if (level === "blocking" || level === "warnings" || (level === "unknown" && code === "DBA407")) told.add(code);
  }
  return told;
}

/** The first line that is another one, under the command that it belongs to. */
function firstDifference(seen: string, golden: string): string | undefined {
  const [now, before] = [seen.split("\n"), golden.split("\n")];
  const line = now.findIndex((one, index) => one !== before[index]);
  if (line < 0) return now.length === before.length ? undefined : `it ends before line ${now.length + 1} of the golden`;
  const command = now.slice(0, line + 1).findLast((one) => one.startsWith("$ "));
  return `line ${line + 1}, ${command}\n  golden: ${before[line]}\n  now:    ${now[line]}`;
}

function paths(commands: readonly Command[]): readonly string[] {
  return commands.flatMap((command) =>
    command.commands.length === 0
      ? [nameOf(command)]
      : paths(command.commands).map((below) => `${nameOf(command)} ${below}`),
  );
}

transcripts.run();
