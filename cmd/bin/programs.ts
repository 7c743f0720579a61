import { PROGRAMS } from "../commands/catalogue.ts";
import { runInProcess } from "../main.ts";

export async function runProgram(name: string): Promise<void> {
  const program = PROGRAMS.find((one) => one.name === name);
  if (program === undefined) throw new Error(`there is no program ${name}`);
  await runInProcess(program);
}
