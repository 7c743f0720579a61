import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Test } from "uvu";
import * as assert from "uvu/assert";
import { closing } from "../../core/change/holding.ts";
import type { JsonObject } from "../../core/values/json.ts";
import { healthyWorld } from "../../providers/sandbox/oracle/world.ts";
import { plainJaas } from "../../providers/sandbox/plain-login.ts";
import {
  CONNECTOR,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
  storedOffset,
} from "../../providers/sandbox/sandbox.ts";
import { contexts } from "../../providers/sandbox/scenario.ts";
import { inLanes } from "../behaviour/in-lanes.ts";
import { attempt, expect, expectOneMessage, inFolder, printTable, type Row } from "./table.ts";

/** A world in which a change cannot be made, or hardly. */
export interface WorldRow extends Row {
  readonly world?: SandboxOptions;
  /** What goes wrong after the world has begun. */
  readonly change?: (sandbox: Sandbox) => void;
  /** Where Connect is said to be. */
  readonly url?: (sandbox: Sandbox) => string;
  readonly connector?: string;
  /** Lines below `spec`, in place of the usual ones. */
  readonly spec?: readonly string[];
}

const SECRETS = ["cdc-secret", "canary-4711", "canary-4712"];
export const OFFSET = storedOffset(healthyWorld());

export const config = (changes: Readonly<Record<string, string | undefined>>): Pick<WorldRow, "world"> => ({
  world: { config: changes },
});
export const offset = (changes: JsonObject): Pick<WorldRow, "world"> => ({
  world: { offset: { ...OFFSET, ...changes }, state: "STOPPED" },
});
export const database = (change: NonNullable<SandboxOptions["oracle"]>): Pick<WorldRow, "world"> => ({
  world: { oracle: change },
});
export const denied = (...names: readonly string[]): Pick<WorldRow, "world"> =>
  database((world) => {
    for (const name of names) world.denied.add(name);
  });

/** Settings of a login to the brokers. */
export const login = (password: string) => ({
  "cdc.stream.security.protocol": "SASL_PLAINTEXT",
  "cdc.stream.sasl.mechanism": "PLAIN",
  "cdc.stream.sasl.jaas.config": plainJaas("cdc", password),
});

const servers: ReturnType<typeof createServer>[] = [];

/** An HTTP server that always answers the same: a proxy, a login page, another service. @returns its URL */
export async function answering(status: number, type: string, body: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": type });
    response.end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Most rows wait for a system that does not answer, so several are tried at once. */
const WIDTH = 6;

/**
 * Tries the rows, each as a named test of the suite.
 *
 * @param planOf the plan file for lines below `spec`; undefined: the usual ones
 */
export function tryRows(
  worlds: Test,
  rows: readonly WorldRow[],
  planOf: (spec: readonly string[] | undefined) => string,
  title: string,
): void {
  const test = inLanes(worlds, WIDTH);
  for (const row of rows) test(row.wrong, () => tryRow(row, planOf(row.spec)));
  worlds.after(async () => {
    printTable(title);
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  });
}

/** One clear message, the right exit code, and nothing changed. */
async function tryRow(row: WorldRow, plan: string): Promise<void> {
  await using sandbox = closing(await startSandbox(row.world));
  row.change?.(sandbox);
  const topics = [...sandbox.broker.state.topics.keys()];
  const url = row.url?.(sandbox) ?? sandbox.connect.url;
  const files = {
    "contexts.yaml": contexts(sandbox).replace(sandbox.connect.url, url),
    "change.yaml": plan.replace(CONNECTOR, row.connector ?? CONNECTOR),
  };
  await inFolder(files, async (folder) => {
    const env = {
      HOME: folder,
      CDCCTL_STATE: join(folder, "state"),
      CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
    };
    const command = row.exit === 0 ? ["plan"] : ["apply", "--yes"];
    const result = await attempt([...command, join(folder, "change.yaml")], env);
    expect(row, result, SECRETS);
    if (row.exit === 1) expectOneMessage(row, result);
  });
  assert.equal(
    sandbox.connect.requests.filter(({ method }) => method !== "GET"),
    [],
  );
  assert.equal([...sandbox.broker.state.topics.keys()], topics);
  assert.not.ok(sandbox.broker.requests.some(({ api }) => api === "Produce" || api === "CreateTopics"));
}
