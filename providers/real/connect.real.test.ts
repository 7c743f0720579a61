import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import type { Clock } from "../../core/ports/clock.ts";
import { instantOf } from "../../core/values/instant.ts";
import { secret } from "../../core/values/secret.ts";
import { type ConnectOptions, openConnect } from "../connect/connect.ts";
import { connectContract, until } from "../connect/contract.ts";
import { type RealStack, type StackOptions, startStack } from "./stack.ts";

const clock: Clock = {
  now: () => instantOf(Date.now()),
  elapsed: () => performance.now(),
  sleep: (millis) => pause(millis),
  random: () => Math.random(),
};

const GUARDED = { basicAuth: "ops:s3c:ret", https: "mutual" } as const;

/** The client's options for a stack, with what its workers ask for. */
function accessTo({ connectUrl, certificates }: Pick<RealStack, "connectUrl" | "certificates">): ConnectOptions {
  if (certificates === undefined) return { url: connectUrl, clock, proxy: "none" };
  const { authority, client } = certificates;
  return {
    url: connectUrl,
    clock,
    proxy: "none",
    auth: { kind: "basic", user: "ops", password: secret("s3c:ret") },
    ca: readFileSync(authority.pem, "utf8"),
    cert: readFileSync(client.certificate, "utf8"),
    key: secret(readFileSync(client.key, "utf8")),
  };
}

const settings: readonly (readonly [string, Omit<StackOptions, "kafka">])[] = [
  ["one worker", {}],
  ["a follower and a leader, HTTPS with client certificates, basic auth", { ...GUARDED, workers: 2 }],
];

/**
 * Asks without a pause while a follower stops and starts again, with the broker silent from the moment at which its
 * REST port is open until it has said something wrong. Nothing wrong gets through the client.
 */
async function throughRestart(real: RealStack, connector: string): Promise<void> {
  await real.createConnector(connector);
  const worker = 1 - (await real.leader());
  const connect = openConnect({
    ...accessTo(real),
    url: real.workers[worker]?.url ?? "",
    limits: { callMillis: 60_000, retryMillis: 120_000, firstContactMillis: 120_000 },
  });
  const raw = async (path: string) =>
    real.call("GET", path, undefined, { worker, millis: 5000 }).catch(() => undefined);
  const restart = async (): Promise<void> => {
    const restarted = real.restart(worker);
    await until("the worker is down", async () => (await raw("/")) === undefined, 60_000);
    await until("its REST port is open again", async () => (await raw("/")) !== undefined, 60_000);
    real.broker.freeze();
    await until(
      "it has no status",
      async () => /No status found/.test((await raw(`/connectors/${connector}/status`))?.text ?? ""),
      60_000,
    );
    assert.is((await raw("/connectors"))?.text, "[]");
    real.broker.thaw();
    await restarted;
  };
  const calls: Readonly<Record<string, () => Promise<boolean>>> = {
    worker: async () => (await connect.worker()).version !== "",
    connectors: async () => (await connect.connectors()).includes(connector),
    connector: async () => (await connect.connector(connector)) !== undefined,
    status: async () => (await connect.status(connector)) !== undefined,
    offsets: async () => (await connect.offsets(connector)).length === 1,
    resume: async () => {
      const answer = await connect.resume(connector);
      return answer.answer !== "rejected" || answer.status === 0;
    },
  };
  let over = false;
  const asking = Object.entries(calls).map(async ([what, call]) => {
    while (!over) assert.ok(await call(), what);
  });
  const restarting = restart().finally(() => {
    over = true;
    real.broker.thaw();
  });
  try {
    await Promise.all([restarting, ...asking]);
  } finally {
    await Promise.allSettled([restarting, ...asking]);
    await connect.close();
  }
}

for (const kafka of ["3", "4"] as const) {
  for (const [what, options] of settings) {
    let real: RealStack | undefined;
    let opened = 0;
    const stack = async (): Promise<RealStack> => (real ??= await startStack({ kafka, ...options }));
    const contract = connectContract(`Kafka ${kafka}, ${what}`, async () => {
      const { createConnector, ...access } = await stack();
      const connector = `orders-${++opened}`;
      await createConnector(connector);
      return { connect: openConnect(accessTo(access)), connector, steady: 1500, close: async () => undefined };
    });
    if (options.workers !== undefined)
      contract("a status reported while the worker starts is ignored", async () =>
        throughRestart(await stack(), "restarted"),
      );
    contract.after(() => real?.stop());
    contract.run();
  }
}
