import { resnapshotFile } from "../command-line.ts";
import { AFTER_THE_GAP, fillDictionary, IN_THE_GAP, LINES, ORDERS, purge, restore } from "../resnapshot-scene.ts";
import { lastLine } from "./clean.ts";
import { type Cluster, lastStored, resumeScn } from "./cluster.ts";
import { ENTRIES, untilEntries } from "./journals.ts";
import type { Chance } from "./random.ts";
import { atMost, settle } from "./settle.ts";
import { deed, operatorOf, playAll, type Story } from "./story.ts";

let trials = 0;

/** The stored position lies in purged redo: tables are snapshotted again, past the gap; half of the runs are killed. */
export async function gapRound(cluster: Cluster, random: Chance, width: number): Promise<readonly Story[]> {
  const { world } = cluster;
  fillDictionary(world.oracle);
  purge(world.oracle);
  try {
    const stories = await cluster.stories("gaps", width, {
      // A connector that has gone past its gap serves no second trial.
      settings: { "cdc.start.scn": `${IN_THE_GAP}`, "standin.ack": "ok", "standin.trial": `${++trials}` },
    });
    await playAll(stories, random, (story, chance) => pastTheGap(story, cluster, chance));
    return stories;
  } finally {
    restore(world.oracle);
  }
}

async function pastTheGap(story: Story, cluster: Cluster, random: Chance): Promise<void> {
  const { world, truth } = cluster;
  const signals = `${story.connector}.cdc.signals`;
  await world.createTopic(signals);
  const alice = await operatorOf(story, world.folder, "alice", { worker: random.pick(world.real.workers).url });
  story.targets.push(AFTER_THE_GAP);
  const spec = [`tables: [${ORDERS}, ${LINES}]`, "skipGapForUnlistedTables: true", "resume: true"];
  await alice.machine.write("past.yaml", resnapshotFile(story.connector, ...spec));
  const apply = alice.start("apply", "past.yaml", "--yes");
  if (random.likely(0.5)) {
    const entries = random.int(1, ENTRIES);
    await untilEntries(alice, story.connector, entries, apply);
    apply.signal("SIGKILL");
    deed(story, `killed at entry ${entries} of the journal`);
  }
  const { code, stdout, stderr } = await atMost(story, apply, 240_000);
  if (code === undefined || code === 3) await settle(story, alice);
  else if (code !== 0) story.wrong.push(`a resnapshot past a gap ends with ${code}: ${lastLine(stdout, stderr)}`);
  await truth.caughtUp();
  const facts = story.facts();
  const moved = resumeScn(lastStored(facts)) >= AFTER_THE_GAP;
  const written = await world.records(signals);
  const applying = facts.find((fact) => fact.fact === "event" && fact.outcome === "applying");
  if (written.length > 1) story.wrong.push(`one run has written ${written.length} signals`);
  if (moved && written.length === 0) story.wrong.push("the offset has moved past the gap without a signal");
  if (applying !== undefined && Number(written[0]?.timestamp ?? 0n) > applying.at)
    story.wrong.push('the signal came after "applying"');
}
