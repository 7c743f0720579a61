import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startSandbox } from "../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../providers/sandbox/scenarios.ts";
import { type Built, cpuMillis, measuredRun, wallMillis } from "./command.ts";
import type { Result } from "./result.ts";
import { counts, latency } from "./round-trips.ts";

const CONNECTORS = 50;
/** Latency of every answer from Connect, Kafka and Oracle. */
const LATENCY_MILLIS = 20;
const MOST_SECONDS = 5;
const MOST_LOGONS = 2;
const MOST_ROUND_TRIPS = 40 + 5 * CONNECTORS;
const LARGE = { connectors: 500, mostSeconds: 8 };

/** Plans many connectors of one database with one command; the peer plans each document with a separate command. */
export async function benchFleet(built: Built): Promise<readonly Result[]> {
  const scenario = scenarioNamed("fleet", CONNECTORS);
  const connect = latency();
  const kafka = latency();
  const sandbox = await startSandbox({ ...scenario.options, connect: { faults: () => connect.fault() } });
  sandbox.failBroker(() => kafka.fault());
  const folder = join(built.folder, "fleet");
  await mkdir(folder);
  const files = scenario.files(sandbox);
  const documents = (files["fleet.yaml"] ?? "").split("---\n");
  const apart = Object.fromEntries(documents.map((text, at) => [`document-${at}.yaml`, text]));
  for (const [name, text] of Object.entries({ ...files, ...apart })) await writeFile(join(folder, name), text);
  const env = { ...built.env, CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
  const plan = (...words: readonly string[]) =>
    wallMillis([built.program, "plan", ...words], { ...built, folder, env });
  const seconds = (millis: number) => `${(millis / 1000).toFixed(1)} s`;
  connect.millis = LATENCY_MILLIS;
  kafka.millis = LATENCY_MILLIS;
  sandbox.oracle.latency = LATENCY_MILLIS;
  try {
    const before = { ...counts(sandbox), logons: sandbox.oracle.logons };
    const together = await plan("fleet.yaml");
    const trips = { ...counts(sandbox), logons: sandbox.oracle.logons };
    const logons = trips.logons - before.logons;
    const oracle = trips.oracle - before.oracle;
    let oneByOne = 0;
    for (const name of Object.keys(apart)) oneByOne += await plan(name);
    const after = { ...counts(sandbox), logons: sandbox.oracle.logons };
    const input = `${CONNECTORS} connectors, one database, ${LATENCY_MILLIS} ms an answer`;
    return [
      {
        what: "plan of a fleet",
        input,
        measured: seconds(together),
        peer: `a command a document: ${seconds(oneByOne)}`,
        ratio: (together / oneByOne).toFixed(2),
        bar: { text: `${MOST_SECONDS} s`, holds: together <= MOST_SECONDS * 1000 },
      },
      {
        what: "plan of a fleet: logons",
        input,
        measured: String(logons),
        peer: `a command a document: ${after.logons - trips.logons}`,
        bar: { text: String(MOST_LOGONS), holds: logons <= MOST_LOGONS },
      },
      {
        what: "plan of a fleet: round trips",
        input,
        measured: `Oracle ${oracle}, Connect ${trips.connect - before.connect}, Kafka ${trips.kafka - before.kafka}`,
        peer: `a command a document: Oracle ${after.oracle - trips.oracle}`,
        ratio: (oracle / (after.oracle - trips.oracle)).toFixed(3),
        bar: { text: `Oracle ${MOST_ROUND_TRIPS} (40 + 5 a connector)`, holds: oracle <= MOST_ROUND_TRIPS },
      },
    ];
  } finally {
    await sandbox.close();
  }
}

/** Plans a large fleet, whose systems answer at once: what is measured is the command's own work. */
export async function benchLargeFleet(built: Built): Promise<readonly Result[]> {
  const scenario = scenarioNamed("fleet", LARGE.connectors);
  const sandbox = await startSandbox(scenario.options);
  const folder = join(built.folder, "large-fleet");
  await mkdir(folder);
  try {
    for (const [name, text] of Object.entries(scenario.files(sandbox))) await writeFile(join(folder, name), text);
    const env = { ...built.env, CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
    const { millis, processorMillis } = await measuredRun([built.program, "plan", "fleet.yaml"], {
      ...built,
      folder,
      env,
    });
    const bare = await cpuMillis(["-e", "0"], built);
    return [
      {
        what: "plan of a large fleet",
        input: `${LARGE.connectors} connectors, one database`,
        measured: `${(millis / 1000).toFixed(1)} s (${(processorMillis / 1000).toFixed(1)} s of processor time)`,
        peer: `node -e 0: ${bare.toFixed(0)} ms of processor time`,
        ratio: `${(processorMillis / bare).toFixed(0)} x`,
        bar: { text: `${LARGE.mostSeconds} s`, holds: millis <= LARGE.mostSeconds * 1000 },
      },
    ];
  } finally {
    await sandbox.close();
  }
}
