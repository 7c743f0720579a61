import { setTimeout as pause } from "node:timers/promises";
import { callsToWorkers } from "./calls.ts";
import { apart, type Cluster } from "./cluster.ts";
import type { Chance } from "./random.ts";
import { atMost, settle } from "./settle.ts";
import { deed, operatorOf, playAll, type Story, startApply } from "./story.ts";

/** Calls that a person makes with curl in the middle of a run. */
const DEEDS = [
  { method: "PUT", path: "/resume" },
  { method: "PUT", path: "/stop" },
  { method: "PUT", path: "/pause" },
  { method: "DELETE", path: "" },
] as const;

/** A person changes the connector's state during a run, once or twice. */
export const peopleRound = apart(
  "people",
  (story, cluster, random) =>
    disturbedApply(story, cluster, random, async (over) => {
      for (let times = random.int(1, 2); times > 0; times--) {
        await pause(random.int(500, 6000));
        if (over()) return;
        const { method, path } = random.pick(DEEDS);
        const { status } = await cluster.world.real.call(method, `/connectors/${story.connector}${path}`);
        deed(story, `a person: ${method} ${path} -> ${status}`);
      }
    }),
  { allows: { people: true, open: true } },
);

/** The broker is killed and started again, or frozen for a while. */
export async function brokerRound(cluster: Cluster, random: Chance, width: number): Promise<readonly Story[]> {
  const { real } = cluster.world;
  const stories = await cluster.stories("broker faults", width, { atRest: true });
  const note = (what: string) => {
    for (const story of stories) deed(story, what);
  };
  const fault = (async () => {
    await pause(random.int(1500, 7000));
    const millis = random.int(2000, 15_000);
    if (random.likely(0.5)) {
      note("the broker is killed");
      await real.broker.kill();
      await pause(millis);
      await real.restartBroker();
      note("the broker is started again");
    } else {
      note(`the broker is frozen for ${millis} ms`);
      real.broker.freeze();
      await pause(millis);
      real.broker.thaw();
      note("the broker goes on");
    }
  })();
  await playAll(stories, random, (story, chance) => disturbedApply(story, cluster, chance, async () => fault));
  await fault;
  return stories;
}

/** How a proxy before the workers falsifies one call. */
const LIES = [
  { name: "502, and the call goes no further", status: 502, strays: false },
  { name: "500, and the call arrives later", status: 500, strays: true },
  { name: "success, and the call goes no further", status: 200, strays: false },
  { name: "success, and the call arrives later", status: 200, strays: true },
  { name: "no answer, and the call goes no further", status: undefined, strays: false },
] as const;

/** A proxy that answers in the worker's place. */
export const lyingRound = apart(
  "lying proxies",
  (story, cluster, random) =>
    disturbedApply(story, cluster, random, async (over, gateway) => {
      const { method, path } = random.pick(callsToWorkers(story.connector)).http;
      const { name, status, strays } = random.pick(LIES);
      const held = gateway?.hold(method, "there", path);
      await Promise.race([held?.reached, untilOver(over)]);
      deed(story, `${method} ${path}: ${name}`);
      const arrives = strays ? pause(random.int(500, 8000)) : undefined;
      if (status === undefined) held?.drop();
      else held?.answer(status, arrives);
      await arrives;
    }),
  { allows: { late: true, people: true } },
);

async function untilOver(over: () => boolean): Promise<void> {
  while (!over()) await pause(100);
}

/** An apply that is disturbed; an open run is recovered. */
async function disturbedApply(
  story: Story,
  { world }: Cluster,
  random: Chance,
  disturb: (over: () => boolean, gateway: Awaited<ReturnType<typeof operatorOf>>["gateway"]) => Promise<void>,
): Promise<void> {
  const plan = random.of("plan");
  const worker = plan.pick(world.real.workers).url;
  const others = world.real.workers.map(({ url }) => url).filter((url) => url !== worker && plan.likely(0.5));
  const alice = await operatorOf(story, world.folder, "alice", { worker, others, gateway: true });
  // Maximum wait for a connector that was stopped or started by others.
  const patience = ["--stop-timeout", "30s", "--resume-timeout", "30s", "--settle", "5s"];
  const { running: apply } = await startApply(story, alice, plan, plan.likely(0.5), ...patience);
  let over = false;
  const ended = atMost(story, apply, 240_000).finally(() => {
    over = true;
  });
  const [{ code }] = await Promise.all([ended, disturb(() => over, alice.gateway)]);
  if (code === 3 && story.allows.open !== true) await settle(story, alice, ...patience.slice(0, 4));
  if (code === 3 && story.allows.open === true)
    await atMost(story, alice.start("recover", "--yes", ...patience), 240_000);
  await alice.run("status");
}
