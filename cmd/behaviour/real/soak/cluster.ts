import { waitFor } from "../../../../providers/real/wait.ts";
import { type RealWorld, startRealWorld } from "../real-world.ts";
import { connectorSettings } from "../world.ts";
import type { Chance } from "./random.ts";
import { type Allowed, newStory, playAll, type Story } from "./story.ts";
import { type Fact, followTruth, OPS_TOPICS, type StoredFact, type Truth } from "./truth.ts";

/** A Kafka version and number of workers, for the trials of every kind that runs there. */
export interface ClusterKind {
  readonly kafka: "3" | "4";
  readonly workers: number;
  /** How long the workers wait for a task to stop, in ms; 5000, as is their default, when left out. */
  readonly grace?: number;
}

/** @param width how many connectors at the same time */
export type Round = (cluster: Cluster, random: Chance, width: number) => Promise<readonly Story[]>;

export interface Cluster {
  readonly of: ClusterKind;
  readonly label: string;
  readonly world: RealWorld;
  readonly truth: Truth;
  /** Prepares this number of trials, each with its own running connector. */
  stories(kind: string, count: number, options?: StoryOptions): Promise<readonly Story[]>;
  /** Returns a connector for later trials; a faulty one is deleted. */
  giveBack(story: Story, sound: boolean): Promise<void>;
  stop(): Promise<void>;
}

interface StoryOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly allows?: Allowed;
  /** Waits until the workers stop rebalancing. No other trials may run meanwhile. */
  readonly atRest?: boolean;
}

/** A round of trials that have nothing to do with one another. */
export function apart(
  kind: string,
  play: (story: Story, cluster: Cluster, random: Chance) => Promise<void>,
  options: StoryOptions = {},
): Round {
  return async (cluster, random, width) => {
    const stories = await cluster.stories(kind, width, options);
    await playAll(stories, random, (story, chance) => play(story, cluster, chance));
    return stories;
  };
}

/** Four SCNs a second: a trial stays within its positions for ten minutes. */
const PACE = { "standin.step.scn": "1", "standin.interval.ms": "250" };
/** A connector beyond this position is too close to the current SCN. */
const LAST_BASE = 2_043_000n;

export const labelOf = ({ kafka, workers, grace }: ClusterKind): string =>
  `${kafka === "3" ? "3.9.2" : "4.3.1"}, ${workers} workers${grace === undefined ? "" : `, grace ${grace} ms`}`;

export async function startCluster(clusterKind: ClusterKind, seed: string): Promise<Cluster> {
  const { kafka, workers, grace } = clusterKind;
  const world = await startRealWorld({
    kafka,
    workers,
    broker: { "log.message.timestamp.type": "LogAppendTime" },
    ...(grace === undefined ? {} : { worker: { "task.shutdown.graceful.timeout.ms": String(grace) } }),
  });
  const { real } = world;
  let truth: Truth;
  try {
    await real.createTopic(OPS_TOPICS.broker, {}, 3);
    await real.createTopic(OPS_TOPICS.writer, { "message.timestamp.type": "CreateTime" }, 3);
    truth = await followTruth(world.bootstrap);
  } catch (error) {
    await world.stop();
    throw error;
  }
  const free = new Map<string, string[]>();
  const made = new Map<string, string>();
  let connectors = 0;
  let trials = 0;

  /** A connector of these settings that runs. */
  const claim = async (settings: Readonly<Record<string, string>>): Promise<string> => {
    const form = JSON.stringify(settings);
    const old = free.get(form)?.shift();
    if (old !== undefined) {
      const { state } = (await world.status(old)) ?? {};
      if (state !== "RUNNING") await real.call("PUT", `/connectors/${old}/resume`);
      await world.untilState(old, "RUNNING");
      if (resumeScn(lastStored(truth.facts(old))) < LAST_BASE) return old;
      await remove(old);
    }
    const name = `soak-${++connectors}`;
    made.set(name, form);
    const topic = connectors % 2 === 0 ? OPS_TOPICS.broker : OPS_TOPICS.writer;
    await world.createConnector(name, connectorSettings(world, { ...PACE, "cdc.ops.topic": topic, ...settings }));
    return name;
  };
  const remove = async (name: string): Promise<void> => {
    made.delete(name);
    await waitFor(`${name} to be deleted`, async () => {
      const { status } = await real.call("DELETE", `/connectors/${name}`);
      return status === 204 || status === 404;
    });
  };
  return {
    of: clusterKind,
    label: labelOf(clusterKind),
    world,
    truth,
    async stories(kind, count, { settings = {}, allows = {}, atRest = false } = {}) {
      const names = await Promise.all(Array.from({ length: count }, () => claim(settings)));
      if (atRest) await real.leader();
      await truth.caughtUp();
      return names.map((connector) =>
        newStory({
          kind,
          trial: `seed ${seed}, ${labelOf(clusterKind)}, trial ${++trials}`,
          connector,
          base: resumeScn(lastStored(truth.facts(connector))),
          allows,
          facts: () => truth.facts(connector),
        }),
      );
    },
    async giveBack({ connector }, sound) {
      const form = made.get(connector);
      if (!sound || form === undefined) return remove(connector);
      free.set(form, [...(free.get(form) ?? []), connector]);
    },
    async stop() {
      await truth.stop();
      await world.stop();
    },
  };
}

export const resumeScn = (stored: StoredFact | undefined): bigint => {
  const scn = stored?.offset?.["resume_scn"];
  return typeof scn === "bigint" ? scn : 0n;
};

/** @param at ms since the epoch; the latest when left out */
export function lastStored(facts: readonly Fact[], at = Number.POSITIVE_INFINITY): (Fact & StoredFact) | undefined {
  return facts.findLast((fact): fact is Fact & StoredFact => fact.fact === "stored" && fact.at <= at);
}
