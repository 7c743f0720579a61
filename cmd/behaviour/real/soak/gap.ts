import { resnapshotFile } from "../command-line.ts";
import { AFTER_THE_GAP, fillDictionary, IN_THE_GAP, LINES, ORDERS, purge, restore } from "../resnapshot-scene.ts";
import { sleepsWhileSettled } from "./asleep.ts";
import { callsOf, changingCall, diesAt } from "./calls.ts";
import { lastLine } from "./clean.ts";
import { type Cluster, lastStored, resumeScn } from "./cluster.ts";
import { ENTRIES, entryOf, journaledAt } from "./journals.ts";
import type { Chance } from "./random.ts";
import { atMost, settle } from "./settle.ts";
import { operatorOf, playAll, type Story } from "./story.ts";

/** The entry before a signal. */
const SIGNAL = '"type":"signal-pinned"';
let trials = 0;

/** The stored position lies in purged redo: tables are snapshotted past the gap; runs die or sleep at any call. */
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

async function pastTheGap(story: Story, { world, truth }: Cluster, random: Chance): Promise<void> {
  const signals = `${story.connector}.cdc.signals`;
  const created = random.likely(0.5);
  if (!created) await world.createTopic(signals);
  const worker = random.pick(world.real.workers).url;
  const alice = await operatorOf(story, world.folder, "alice", { worker, gateway: true });
  story.targets.push(AFTER_THE_GAP);
  const spec = [`tables: [${ORDERS}, ${LINES}]`, "skipGapForUnlistedTables: true", "resume: true"];
  await alice.machine.write("past.yaml", resnapshotFile(story.connector, ...spec));
  const start = async () => alice.start("apply", "past.yaml", "--yes");
  const calls = [
    ...(created ? [changingCall(`CREATE topic ${signals}`)] : []),
    ...[{ entry: SIGNAL }, ...callsOf(story.connector)],
  ];
  const way = random.pick(["undisturbed", "killed anywhere", "killed at a call", "asleep at a call"] as const);
  if (way === "undisturbed") {
    const { code, stdout, stderr } = await atMost(story, await start(), 240_000);
    if (code !== 0) story.wrong.push(`a resnapshot past a gap ends with ${code}: ${lastLine(stdout, stderr)}`);
  } else if (way === "asleep at a call") {
    await sleepsWhileSettled(story, alice, random.pick(calls), world, random, start);
  } else {
    const anywhere = { entry: entryOf(random.int(1, ENTRIES)) };
    await diesAt(story, alice, way === "killed anywhere" ? anywhere : random.pick(calls), start);
    await settle(story, alice);
  }
  await truth.caughtUp();
  const facts = story.facts();
  const moved = resumeScn(lastStored(facts)) >= AFTER_THE_GAP;
  const written = (await world.topics()).includes(signals) ? await world.records(signals) : [];
  const applying = facts.find((fact) => fact.fact === "event" && fact.outcome === "applying");
  if (written.length > 1) story.wrong.push(`one run has written ${written.length} signals`);
  if (moved && written.length === 0) story.wrong.push("the offset has moved past the gap without a signal");
  const pinned = (await journaledAt(alice, SIGNAL)) ?? Number.POSITIVE_INFINITY;
  if (written.some(({ timestamp }) => Number(timestamp) < pinned))
    story.wrong.push("a signal was written before the journal had it");
  if (applying !== undefined && Number(written[0]?.timestamp ?? 0n) > applying.at)
    story.wrong.push('the signal came after "applying"');
}
