import { spawn } from "node:child_process";
import { type Built, cpuMillis, wallMillis } from "./command.ts";
import { median, type Result } from "./result.ts";

const RUNS = 21;
const CPU_RUNS = 7;
const BARE = ["-e", "0"];

/** Cost of a command relative to a bare `node -e 0`: at most so many times as much. */
interface Timed {
  readonly what: string;
  readonly args: readonly string[];
  readonly most: { readonly wall?: number; readonly processor?: number };
}

/**
 * Compares commands with a bare start of Node: runs alternate, so that other load affects all alike; decided by the
 * medians.
 */
export async function benchStartUp(built: Built): Promise<readonly Result[]> {
  const world = await startWorld(built);
  try {
    return await compare(built, [
      { what: "cdcctl --version", args: [built.program, "--version"], most: { wall: 2 } },
      { what: "cdcctl --help", args: [built.program, "--help"], most: { wall: 2 } },
      { what: "cdcctl plan --help", args: [built.program, "plan", "--help"], most: {} },
      {
        what: "cdcctl plan FILE",
        args: [built.program, "plan", "orders-replay.yaml"],
        most: { wall: 6, processor: 4.5 },
      },
    ]);
  } finally {
    await world.close();
  }
}

async function compare(built: Built, commands: readonly Timed[]): Promise<readonly Result[]> {
  const all = [BARE, ...commands.map(({ args }) => args)];
  const wall = await inTurns(RUNS, all, (args) => wallMillis(args, built));
  const cpu = await inTurns(CPU_RUNS, all, (args) => cpuMillis(args, built));
  const [bareWall = Number.NaN, ...walls] = wall.map(median);
  const [bareCpu = Number.NaN, ...cpus] = cpu.map(median);
  return commands.flatMap(({ what, most }, index) => {
    const [millis = Number.NaN, cpuMillis = Number.NaN] = [walls[index], cpus[index]];
    return [
      {
        what,
        input: `median of ${RUNS} runs`,
        measured: `${millis.toFixed(0)} ms`,
        peer: `node -e 0: ${bareWall.toFixed(0)} ms`,
        ...against(millis / bareWall, most.wall),
      },
      {
        what: `${what}: processor time`,
        input: `median of ${CPU_RUNS} runs`,
        measured: `${cpuMillis.toFixed(0)} ms`,
        peer: `node -e 0: ${bareCpu.toFixed(0)} ms`,
        ...against(cpuMillis / bareCpu, most.processor),
      },
    ];
  });
}

function against(ratio: number, limit: number | undefined): Pick<Result, "ratio" | "bar"> {
  const bar = limit === undefined ? {} : { bar: { text: `${limit} x`, holds: ratio <= limit } };
  return { ratio: `${ratio.toFixed(2)} x`, ...bar };
}

async function inTurns(
  rounds: number,
  all: readonly (readonly string[])[],
  run: (args: readonly string[]) => Promise<number>,
): Promise<readonly (readonly number[])[]> {
  const seen = all.map((): number[] => []);
  for (const args of all) await run(args);
  for (let round = 0; round < rounds; round++)
    for (const [index, args] of all.entries()) seen[index]?.push(await run(args));
  return seen;
}

/** `cdcctl sandbox` in a separate process, as a user runs it. */
async function startWorld({ program, folder, env }: Built): Promise<{ close(): Promise<void> }> {
  const child = spawn(process.execPath, [program, "sandbox", "--dir", folder], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    closed.then(() => reject(new Error(`the sandbox ended: ${output}`)), reject);
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Stop with Ctrl-C.")) resolve();
    });
  });
  return {
    async close() {
      child.kill("SIGTERM");
      await closed;
    },
  };
}
