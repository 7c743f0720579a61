import { setTimeout as pause } from "node:timers/promises";
import type { Held } from "../gateway.ts";
import type { Ended, Running } from "../machine.ts";
import { lastLine } from "./clean.ts";
import type { Chance } from "./random.ts";
import { deed, type Operator, type Story } from "./story.ts";

/** Waits for a command, and kills one that takes too long, which is a failure. */
export async function atMost(story: Story, running: Running, millis: number): Promise<Ended> {
  const timer = setTimeout(() => {
    story.wrong.push(`a command did not end in ${millis / 1000} s`);
    running.signal("SIGKILL");
  }, millis);
  return running.ended.finally(() => clearTimeout(timer));
}

const TRIES = 3;

/** Recovers open runs of a machine. Once the systems respond again, this must succeed soon. */
export async function settle(story: Story, operator: Operator, ...more: readonly string[]): Promise<Ended> {
  let last: Ended = { code: undefined, stdout: "", stderr: "" };
  for (let attempt = 0; attempt < TRIES; attempt++) {
    last = await atMost(story, operator.start("recover", "--yes", "--settle", "2s", ...more), 120_000);
    if (last.code === 0) return last;
    await pause(1000);
  }
  // No call is in flight any more, so the command offered for that case ends it.
  const offered = /cdcctl (recover \S+ --abandon)/.exec(withoutNext(last.stdout + last.stderr))?.[1];
  if (offered !== undefined) {
    deed(story, "no worker holds a PATCH: what recover offers for that is done");
    last = await atMost(story, operator.start(...offered.split(" "), "--yes"), 120_000);
    if (last.code === 0) return last;
  }
  story.wrong.push(`recover did not settle the run: ${lastLine(last.stdout, last.stderr)}`);
  return last;
}

/** What a command says before its `next:`, which names both ways of every open run. */
export const withoutNext = (output: string): string => output.replace(/^next: .*\n(?: {7}.*\n)*/gm, "");

/** No machine's status may call a run open that the ops topic has settled. */
export async function statusIsTrue(story: Story, ...operators: readonly Operator[]): Promise<void> {
  for (const operator of operators) {
    const { code, stdout, stderr } = await operator.run("status");
    if (code !== 0) story.wrong.push(`status of ${operator.name} ends with ${code}: ${lastLine(stdout, stderr)}`);
  }
}

/** Recovers where the journal may have been shortened, which is refused: then by the ops topic. */
export async function settleShortened(story: Story, operator: Operator): Promise<void> {
  const { code, stdout, stderr } = await atMost(story, operator.start("recover", "--yes", "--settle", "2s"), 120_000);
  if (/\bAPL822\b/.test(`${stdout}${stderr}`)) await atMost(story, operator.start(...fromOps(story)), 120_000);
  if (code !== 0) await settle(story, operator);
}

/** Another machine settles it by the ops topic. Targets may also be ahead of the stored offset. */
export const fromOps = (story: Story): readonly string[] => [
  ...["recover", "--from-ops", "--context", "here", "--connector", story.connector, "--settle", "2s"],
  ...["--yes", "--allow-skip"],
];

/** Where a machine can be delayed. */
const PLACES = [
  { method: "GET", path: "/offsets", after: "check everything again", where: "there" },
  { method: "PUT", path: "/stop", after: undefined, where: "there" },
  { method: "PUT", path: "/stop", after: undefined, where: "back" },
  { method: "PATCH", path: "/offsets", after: undefined, where: "there" },
  { method: "PATCH", path: "/offsets", after: undefined, where: "back" },
  { method: "PUT", path: "/resume", after: undefined, where: "there" },
] as const;

interface Slowness {
  /** Called when a machine's command has begun. */
  begins(name: string, running: Running): void;
  over(): void;
}

/** Makes one call of a machine take seconds; most often one of its recheck. */
export function slowDown(story: Story, operator: Operator, random: Chance): Slowness {
  const place = random.likely(0.5) ? PLACES[0] : random.pick(PLACES);
  const millis = random.int(500, 9000);
  let held: Held | undefined;
  const hold = (): void => {
    held = operator.gateway?.hold(place.method, place.where, place.path);
    void held?.reached.then(async () => {
      deed(story, `${operator.name}'s ${place.method} ${place.path} waits ${millis} ms on its way ${place.where}`);
      await pause(millis);
      held?.release();
    });
  };
  return {
    begins(name, running) {
      if (name !== operator.name) return;
      if (place.after === undefined) return hold();
      running.said(place.after, 120_000).then(hold, () => undefined);
    },
    over: () => held?.release(),
  };
}
