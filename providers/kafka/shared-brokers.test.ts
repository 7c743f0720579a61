import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import { sharedBrokers } from "./shared-brokers.ts";

const shared = suite("shared brokers");

const BOUNDS = { from: "tail", records: 10, millis: 1000 } as const;

/** Clients that answer a read when the test allows it. */
function brokers(clusterId: () => Promise<string> = () => Promise.resolve("c")) {
  const seen = { clients: 0, closed: 0, logins: 0, underWay: 0, most: 0, read: [] as string[] };
  const answers: (() => void)[] = [];
  const open = () => {
    seen.clients++;
    return {
      brokers: "b:9092",
      clusterId: () => {
        seen.logins++;
        return clusterId();
      },
      async read(topic: string) {
        seen.read.push(topic);
        seen.most = Math.max(seen.most, ++seen.underWay);
        await new Promise<void>((resolve) => {
          answers.push(resolve);
        });
        seen.underWay--;
        return topic;
      },
      close: async () => void seen.closed++,
    } as unknown as KafkaPort;
  };
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  const answerAll = async (): Promise<void> => {
    for (await turn(); answers.length > 0; await turn()) answers.shift()?.();
  };
  return { seen, open, turn, answerAll };
}

shared("are called by a limited number of clients, each one call at a time", async () => {
  const { seen, open, answerAll } = brokers();
  const port = sharedBrokers(open, 3, Promise.resolve());
  const all = Promise.all(["a", "b", "c", "d", "e"].map((topic) => port.read(topic, BOUNDS)));
  await answerAll();
  assert.equal(await all, ["a", "b", "c", "d", "e"]);
  assert.is(seen.clients, 3);
  assert.is(seen.most, 3);
  await port.close();
  assert.is(seen.closed, 3);
});

shared("are read once for the callers that request the same during the read, and again afterwards", async () => {
  const { seen, open, answerAll } = brokers();
  const port = sharedBrokers(open, 3, Promise.resolve());
  const all = Promise.all([
    port.read("ops", BOUNDS),
    port.read("ops", BOUNDS),
    port.read("ops", { ...BOUNDS, from: [] }),
  ]);
  await answerAll();
  await all;
  assert.equal(seen.read, ["ops", "ops"]);
  const again = port.read("ops", BOUNDS);
  await answerAll();
  await again;
  assert.is(seen.read.length, 3);
});

shared("are not called before permission, nor after a refused login, which is tried once", async () => {
  const refused = new CallFailed("kafka", "unauthorized", { message: "SASL" });
  const { seen, open, turn } = brokers(() => Promise.reject(refused));
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const port = sharedBrokers(open, 3, begun);
  const all = Promise.allSettled([port.read("a", BOUNDS), port.read("b", BOUNDS)]);
  await turn();
  assert.is(seen.logins, 0);
  begin();
  for (const one of await all) assert.is(one.status === "rejected" && one.reason, refused);
  await port.read("c", BOUNDS).catch(() => undefined);
  assert.is(seen.logins, 1);
  assert.equal(seen.read, []);
});

shared("are still called if the login was accepted but may not describe the cluster", async () => {
  const denied = new CallFailed("kafka", "forbidden", { message: "no right" });
  const { open, answerAll } = brokers(() => Promise.reject(denied));
  const port = sharedBrokers(open, 1, Promise.resolve());
  const read = port.read("a", BOUNDS);
  await answerAll();
  assert.is(await read, "a");
});

shared.run();
