/** Every golden transcript but those of the night, and what all of them together have to show. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CAUSES } from "../../core/doctor/lag/causes.ts";
import { CHECKS } from "../../core/kinds/checks.ts";
import { SCENARIOS } from "../../providers/sandbox/scenarios.ts";
import { type Command, nameOf } from "../command.ts";
import { cdcctl } from "../commands/catalogue.ts";
import { playGoldens, SCRIPTS } from "./goldens.ts";
import { NIGHT } from "./night.ts";

const transcripts = suite("transcripts of the built commands");

playGoldens(transcripts, (file) => !file.startsWith(NIGHT));

transcripts("every scenario of the sandbox has one", () => {
  const worlds = SCRIPTS.map(({ world }) => world);
  for (const { name } of SCENARIOS) assert.ok(worlds.includes(name), name);
});

/** Those that anybody can play again with `cdcctl sandbox`. */
const inSandbox = SCRIPTS.filter(({ world }) => SCENARIOS.some(({ name }) => name === world));

transcripts("every preflight rule fails in the transcript of a scenario", () => {
  const atFault = new Set(inSandbox.flatMap(({ text }) => [...faultsIn(text)]));
  for (const { code } of CHECKS.Preflight) assert.ok(atFault.has(code), code);
});

transcripts("every cause of a lag is the answer in the transcript of a scenario", () => {
  for (const { cause, title, likelyTitle = title } of CAUSES)
    assert.ok(
      inSandbox.some(({ text }) => new RegExp(`^\\S+: (${title}|${likelyTitle})$`, "m").test(text)),
      cause,
    );
});

transcripts("every command has one", () => {
  const lines = SCRIPTS.flatMap(({ steps }) => steps.map(({ command }) => command));
  for (const path of paths(cdcctl.commands)) {
    const line = `cdcctl ${path}`;
    assert.ok(
      lines.some((one) => one.includes(line)),
      line,
    );
  }
});

transcripts("every command's help has examples of commands that exist", () => {
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
function faultsIn(text: string): ReadonlySet<string> {
  const reported = new Set<string>();
  let level = "";
  for (const line of text.split("\n")) {
    if (/^(blocking|unknown|warnings|fine)$/.test(line)) level = line;
    else if (/^\S/.test(line)) level = "";
    const code = /^ {2}([A-Z]{3}\d{3}) {2}/.exec(line)?.[1];
    if (code === undefined) continue;
    if (level === "blocking" || level === "warnings" || (level === "unknown" && code === "DBA407")) reported.add(code);
  }
  return reported;
}

function paths(commands: readonly Command[]): readonly string[] {
  return commands.flatMap((command) =>
    command.commands.length === 0
      ? [nameOf(command)]
      : paths(command.commands).map((below) => `${nameOf(command)} ${below}`),
  );
}

transcripts.run();
