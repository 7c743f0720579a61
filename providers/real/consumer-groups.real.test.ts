import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openKafka } from "../kafka/open-kafka.ts";
import { fetchJars } from "./jars.ts";
import { type RealStack, startStack } from "./stack.ts";
import { waitFor } from "./wait.ts";

const groups = suite("consumer groups of the protocol of KIP-848");

const GROUP = "orders-billing";
const TOPIC = "ORCLCDB.ORCLPDB1.SALES.ORDERS";

groups("are active on the topic that they read, and empty afterwards", async () => {
  const real = await startStack({ kafka: "4", workers: 0 });
  const kafka = openKafka({ bootstrapServers: real.bootstrap, properties: {} });
  const seen = async () => (await kafka.consumersOf([TOPIC])).filter(({ group }) => group === GROUP);
  try {
    await real.createTopic(TOPIC);
    await kafka.append(TOPIC, { key: null, value: Buffer.from("0") });
    assert.equal(await kafka.consumersOf([TOPIC]), []);
    const reader = await groupReader(real);
    assert.equal(await seen(), [{ group: GROUP, state: "Stable", active: [TOPIC], committed: [TOPIC] }]);
    assert.equal(await kafka.consumersOf(["another"]), []);
    reader.stdin?.end("\n");
    await once(reader, "exit");
    await waitFor("the group to be empty", async () => {
      const [group] = await seen();
      if (group?.state !== "Empty") throw new Error(`${group?.state}`);
      return group;
    });
    assert.equal(await seen(), [{ group: GROUP, state: "Empty", active: [], committed: [TOPIC] }]);
  } finally {
    await kafka.close();
    await real.stop();
  }
});

groups.run();

/** Starts a Java consumer and waits for its first commit. It ends with its input, and so with this process. */
async function groupReader(real: RealStack): Promise<ChildProcess> {
  const { classPath } = await fetchJars(real.kafka);
  const program = join(import.meta.dirname, "testdata", "GroupReader.java");
  const child = spawn("java", ["-XX:TieredStopAtLevel=1", "-cp", classPath, program, real.bootstrap, GROUP, TOPIC], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = once(child, "exit").then(() => {
    throw new Error("the reader ended before it had read anything");
  });
  await Promise.race([once(child.stdout, "data"), ended]);
  ended.catch(() => undefined);
  return child;
}
