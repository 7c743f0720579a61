import { spawnSync } from "node:child_process";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { lastLine } from "./clean.ts";
import { apart, type Cluster } from "./cluster.ts";
import { goesOn } from "./damage.ts";
import { ENTRIES, entryOf, untilJournaled } from "./journals.ts";
import type { Chance } from "./random.ts";
import { atMost, settle } from "./settle.ts";
import { deed, operatorOf, type Story, startApply } from "./story.ts";

/**
 * The disk with the state fills up at some moment of apply; then space is freed, and the run recovered. Requires
 * permission to mount a small disk.
 */
export const diskRound = apart("full disks", fullDisk);

async function fullDisk(story: Story, { world }: Cluster, random: Chance): Promise<void> {
  const alice = await operatorOf(story, world.folder, "alice", { worker: random.pick(world.real.workers).url });
  const state = join(alice.machine.home, ".local", "state");
  await mkdir(state, { recursive: true });
  mount("-t", "tmpfs", "-o", "size=256k,mode=0700", "tmpfs", state);
  try {
    const filler = join(state, "somebody else's");
    const entries = random.int(0, ENTRIES);
    if (entries === 0) await fill(filler);
    const { running: apply } = await startApply(story, alice, random, random.likely(0.5));
    if (entries > 0) await untilJournaled(alice, entryOf(entries), apply);
    await fill(filler);
    deed(story, `the disk is full at entry ${entries} of the journal`);
    const { code, stdout, stderr } = await atMost(story, apply, 240_000);
    const output = `${stdout}${stderr}`;
    if (code !== 0 && !/ENOSPC|no space left/i.test(output))
      story.wrong.push(`apply on a full disk ends with ${code} and does not say so: ${lastLine(stdout, stderr)}`);
    const status = await alice.run("status");
    if (status.code === 70) story.wrong.push(`status on a full disk: ${lastLine(status.stdout, status.stderr)}`);
    await rm(filler, { force: true });
    deed(story, "there is room again");
    await settle(story, alice);
    await goesOn(story, alice, random);
  } finally {
    umount(state);
  }
}

async function fill(path: string): Promise<void> {
  for (let size = 65_536; size > 0; size = Math.floor(size / 2)) {
    try {
      for (;;) await appendFile(path, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
}

function mount(...words: readonly string[]): void {
  const { status, stderr } = spawnSync("mount", words, { encoding: "utf8" });
  if (status !== 0) throw new Error(`a small disk can't be mounted: ${stderr}`);
}

function umount(path: string): void {
  spawnSync("umount", ["-l", path]);
}
