import { Refusal } from "../errors.ts";
import type { Remedy } from "../values/remedy.ts";
import { shellWord } from "../values/shell-word.ts";
import type { RunState } from "./state.ts";

/** The two ways to settle a run of this machine. */
export function waysToSettle(run: string): readonly Remedy[] {
  const command = `cdcctl recover ${shellWord(run)}`;
  return [
    { text: "To finish it", command },
    { text: "To call it off, and change nothing more", command: `${command} --abandon` },
  ];
}

/** The same as commands to run next. */
export function commandsToSettle(run: string): readonly string[] {
  return waysToSettle(run).map(({ text, command }) => `${command}     # ${text.replace("To ", "to ")}`);
}

/** How a run ended. @throws Refusal `APL808` for one that is to be finished or called off first */
export function endOf({ started: { run }, ended }: RunState): NonNullable<RunState["ended"]> {
  if (ended === undefined) throw new Refusal("APL808", `run ${run} is not finished`, waysToSettle(run));
  return ended;
}
