/**
 * Kafka, Connect or a JVM that freezes: the command ends within `--timeout`, whatever that system's own limits are, and
 * names it.
 */
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR } from "../../../providers/sandbox/sandbox.ts";
import { type ChangedWorld, OPS_TOPIC, openChangedWorld } from "../changed-world.ts";
import { type Finished, runHere } from "../run-command.ts";
import { betweenBytes } from "./between.ts";

const frozen = suite("a system that hangs");
const LIMIT_MILLIS = 1_000;
/** What a command says names the limit that ended it. This one is for a busy machine: nothing waits without an end. */
const LONGEST_MILLIS = 60_000;
const APPLY = ["apply", "--yes", "--settle", "50ms", "--stop-timeout", "500ms", "--resume-timeout", "500ms"];

// What a command loads the first time is not what is timed.
frozen.before(async () => {
  const world = await openChangedWorld();
  await runHere(["plan", world.plan], { env: world.env });
  await world.close();
});

/** No patience of a test: `--timeout` alone makes it short. */
async function endsInTime(world: ChangedWorld, argv: readonly string[], says: RegExp): Promise<Finished> {
  const started = performance.now();
  const finished = await runHere([...argv, "--timeout", `${LIMIT_MILLIS}ms`], { env: world.env });
  const millis = performance.now() - started;
  const { exit, output } = finished;
  assert.ok(millis < LONGEST_MILLIS, `${Math.round(millis)} ms\n${output}`);
  assert.is(exit, 1, output);
  assert.match(output.replace(/\s+/g, " "), says);
  return finished;
}

/** `apply` looks as `plan` does: one place of each system shows that it does so within the same limits. */
for (const [command, how, freezes, says] of [
  [["plan"], "at the first request", () => true, / did not answer within 1 s/],
  [["plan"], "at the login", (api: string) => api.startsWith("Sasl"), / did not answer within 1 s/],
  [["plan"], "at the metadata", (api: string) => api === "Metadata", / at 127.0.0.1:\d+: no answer in time/],
  [["plan"], "at the offsets", (api: string) => api === "ListOffsets", / at 127.0.0.1:\d+: no answer in time/],
  [["plan"], "while a topic is read", (api: string) => api === "Fetch", /could not read orders.cdc.ops at 127.0.0.1:/],
  [APPLY, "while a topic is read", (api: string) => api === "Fetch", /could not read orders.cdc.ops at 127.0.0.1:/],
] as const)
  frozen(`Kafka ${how} ends \`${command[0]}\` in time, and is named`, async () => {
    const world = await openChangedWorld();
    try {
      world.sandbox.broker.append(OPS_TOPIC, { key: null, value: Buffer.from("{}") });
      world.sandbox.failBroker(({ api }) => (freezes(api) ? "timeout" : undefined));
      await endsInTime(world, [...command, world.plan], says);
      assert.not.ok(world.sandbox.connect.requests.some(({ method }) => method !== "GET"));
    } finally {
      await world.close();
    }
  });

for (const [command, answers] of [
  [["plan"], 0],
  [["plan"], 3],
  [APPLY, 1],
] as const)
  frozen(`Connect after ${answers} answers ends \`${command[0]}\` in time, and is named`, async () => {
    const world = await openChangedWorld();
    let count = 0;
    const between = await betweenBytes(
      () => Number(new URL(world.sandbox.connect.url).port),
      (chunk) => (count++ < answers ? chunk : Buffer.alloc(0)),
    );
    try {
      const text = await readFile(join(world.dir, "contexts.yaml"), "utf8");
      await world.writePlan("contexts.yaml", text.replace(/url: .*/, `url: http://127.0.0.1:${between.port}`));
      const says = new RegExp(`GET http://127.0.0.1:${between.port}/.*: no answer within 1 s`);
      await endsInTime(world, [...command, world.plan], says);
    } finally {
      await between.close();
      await world.close();
    }
  });

frozen(
  "a JVM that accepts the connection and sends nothing ends `admin transactions` in time, and is named",
  async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => void sockets.add(socket.on("error", () => socket.destroy())));
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const { port } = server.address() as AddressInfo;
    const world = await openChangedWorld();
    try {
      const place = ["--connect-url", world.sandbox.connect.url, "--name", CONNECTOR];
      const jmx = ["--jmx-url", `service:jmx:rmi:///jndi/rmi://127.0.0.1:${port}/jmxrmi`];
      await endsInTime(
        world,
        ["admin", "transactions", ...place, ...jmx],
        new RegExp(`127.0.0.1:${port} did not answer in time`),
      );
    } finally {
      await world.close();
      server.close();
      for (const socket of sockets) socket.destroy();
    }
  },
);

frozen.run();
