import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import type { Clock } from "../../core/ports/clock.ts";
import { instantOf } from "../../core/values/instant.ts";
import { secret } from "../../core/values/secret.ts";
import { type ConnectOptions, openConnect } from "../connect/connect.ts";
import { connectContract } from "../connect/contract.ts";
import { type RealStack, type StackOptions, startStack } from "./stack.ts";

const clock: Clock = {
  now: () => instantOf(Date.now()),
  elapsed: () => performance.now(),
  sleep: (millis) => pause(millis),
  random: () => Math.random(),
};

const GUARDED = { basicAuth: "ops:s3c:ret", https: "mutual" } as const;

/** The client's options for a stack, with what its workers ask for. */
function accessTo({ connectUrl, certificates }: RealStack): ConnectOptions {
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

for (const kafka of ["3", "4"] as const) {
  for (const [what, options] of settings) {
    let real: RealStack | undefined;
    let opened = 0;
    const contract = connectContract(`Kafka ${kafka}, ${what}`, async () => {
      real ??= await startStack({ kafka, ...options });
      const connector = `orders-${++opened}`;
      await real.createConnector(connector);
      return { connect: openConnect(accessTo(real)), connector, steady: 1500, close: async () => undefined };
    });
    contract.after(() => real?.stop());
    contract.run();
  }
}
