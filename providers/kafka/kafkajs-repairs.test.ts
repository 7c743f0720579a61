import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { calmIdleTimers, forgetEmptyRests } from "./kafkajs-repairs.ts";

const repairs = suite("what is changed inside kafkajs");

const require = createRequire(import.meta.url);
const VERSION = "2.2.4";

interface Class {
  readonly prototype: Readonly<Record<string, (() => void) | undefined>>;
}

/** The methods that are changed, and those whose changed data they read, with the digest of each as it was read. */
const READ: Readonly<Record<string, readonly (readonly [method: string, digest: string])[]>> = {
  "kafkajs/src/network/requestQueue/index.js": [
    ["scheduleCheckPendingRequests", "04347ea969c6f2e3"],
    ["checkPendingRequests", "fc4cd8b28808b498"],
  ],
  "kafkajs/src/network/connection.js": [["processData", "8cc3f4c52154f4ca"]],
};

repairs("is the method that it was written for: with another version of kafkajs, read its changes first", () => {
  for (const [module, methods] of Object.entries(READ))
    for (const [method, digest] of methods) {
      const text = String((require(module) as Class).prototype[method]);
      assert.is(createHash("sha256").update(text).digest("hex").slice(0, 16), digest, `${module}: ${method}`);
    }
});

repairs("belongs to one version: the installed one, the pinned one, and the one that is described", () => {
  const json = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
  assert.is(require("kafkajs/package.json").version, VERSION);
  assert.is(json("package.json").devDependencies.kafkajs, VERSION);
  assert.is(json("package-lock.json").packages["node_modules/kafkajs"].version, VERSION);
  for (const file of ["kafkajs-internals.d.ts", "kafkajs-repairs.ts"])
    assert.match(readFileSync(new URL(file, import.meta.url), "utf8"), `kafkajs ${VERSION}`);
});

repairs("checks pending requests as before, and sets no timer without any", () => {
  let checks = 0;
  const requestQueue = { pending: [] as unknown[], scheduleCheckPendingRequests: () => void checks++ };
  calmIdleTimers({ pool: [{ requestQueue }] } as never);
  requestQueue.scheduleCheckPendingRequests();
  assert.is(checks, 0);
  requestQueue.pending.push("a request");
  requestQueue.scheduleCheckPendingRequests();
  assert.is(checks, 1);
});

repairs("keeps the beginning of an answer that has not arrived whole", () => {
  const [rest, begun] = [Buffer.alloc(0), Buffer.from("begun")];
  const pool = [
    { bytesBuffered: 0, chunks: [rest] },
    { bytesBuffered: 5, chunks: [begun] },
  ];
  forgetEmptyRests({ pool } as never);
  assert.equal(
    pool.map(({ chunks }) => chunks),
    [[], [begun]],
  );
});

repairs.run();
