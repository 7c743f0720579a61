import { inspectBeforeStart } from "../../core/doctor/inspect.ts";
import { preflight } from "../../core/doctor/preflight.ts";
import { preflightSettings } from "../../core/doctor/settings.ts";
import { CallFailed, Refusal, UsageError } from "../../core/errors.ts";
import { type ConnectorDescription, connectVersion, isAtLeast } from "../../core/facts/connector/connector.ts";
import type { BoundSettings } from "../../core/facts/connector/settings.ts";
import { readPreflight } from "../../core/facts/preflight.ts";
import { connectorNamed } from "../../core/kinds/connector/observe.ts";
import {
  buildsAmong,
  CONNECTOR_CLASS,
  classMissing,
  isConnectorClass,
  LEGACY_CLASSES,
} from "../../core/legacy/connector-class.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import type { KafkaPort } from "../../core/ports/kafka.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import type { Advice } from "../../core/values/remedy.ts";
import { shellOption, workersFlag } from "../../core/values/shell-word.ts";
import type { Contexts } from "../../providers/contexts/contexts.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { contextPositional, contextsTestOptions } from "../options/contexts.ts";
import { type ContextTested, type Tried, testDocument, testReport } from "../views/contexts.ts";
import { systemClock } from "./clock.ts";
import { contextsOf } from "./contexts.ts";
import { heartbeat } from "./heartbeat.ts";
import { type OpenWorld, openWorld } from "./open-world.ts";
import { type Opened, openings } from "./places.ts";
import { reported, writeInForm } from "./report-forms.ts";

type TestFlags = Flags<typeof contextsTestOptions & typeof contextPositional>;
type Found = Pick<Tried, "result" | "seen"> & { readonly remedies?: readonly Advice[] };

/**
 * `contexts test`: tries each system that a context leads to, and changes nothing. A login that was not let in is not
 * tried a second time: a wrong password brings an account only one attempt nearer to its lock.
 *
 * @returns 1 where something that cdcctl needs has failed
 */
export async function testContexts(flags: TestFlags, host: Host): Promise<number> {
  const { context: name } = flags;
  const contexts = await contextsOf(flags, host);
  if (name !== undefined) contexts.outline(name);
  if (contexts.names.length === 0)
    throw new UsageError(`there is no context in ${contexts.path}`, {
      text: "Begin with",
      command: "cdcctl contexts init",
    });
  const beat = heartbeat(host);
  const tested: ContextTested[] = [];
  try {
    for (const one of name === undefined ? contexts.names : [name]) {
      beat.note(`trying ${one}`);
      tested.push({ name: one, tries: await testOne(one, contexts, flags, host) });
    }
  } finally {
    beat.end();
  }
  writeInForm(flags.format, reported(testReport, testDocument, contexts.path, tested), host);
  return tested.some(({ tries }) => tries.some(({ result }) => result === "failed")) ? EXIT.refused : EXIT.done;
}

/** Tries one thing, and measures it. What goes wrong is what was seen. */
async function trying(
  system: Tried["system"],
  what: string,
  act: () => Promise<Found>,
  otherwise: Tried["result"] = "failed",
): Promise<Tried> {
  const began = systemClock.elapsed();
  const found = await act().catch((failure: unknown) => notDone(failure, otherwise));
  return { system, what, millis: Math.round(systemClock.elapsed() - began), remedies: [], ...found };
}

function notDone(failure: unknown, result: Tried["result"]): Found {
  if (failure instanceof UsageError) {
    const ways = failure.problems.flatMap(({ remedy }) => (remedy === undefined ? [] : [remedy]));
    return { result, seen: failure.message, remedies: [...new Set(ways)] };
  }
  if (!(failure instanceof CallFailed || failure instanceof Refusal)) throw failure;
  const { message, code, remedies } = failure;
  return { result, seen: code === undefined || message.includes(code) ? message : `${message} (${code})`, remedies };
}

/** What the tries of one context share: each system once. */
interface Trying {
  readonly name: string;
  readonly flags: TestFlags;
  readonly host: Host;
  readonly opened: Opened;
  readonly brokers: Map<string, { readonly kafka: KafkaPort; readonly loggedIn: boolean }>;
  readonly databases: Map<string, { readonly oracle: OraclePort; readonly loggedIn: boolean }>;
  readonly tries: Tried[];
}

async function testOne(name: string, contexts: Contexts, flags: TestFlags, host: Host): Promise<readonly Tried[]> {
  await using opened = openings(host);
  const trial: Trying = { name, flags, host, opened, brokers: new Map(), databases: new Map(), tries: [] };
  let world: OpenWorld | undefined;
  const { urls } = contexts.outline(name);
  let workers: readonly ConnectPort[] = [];
  const reached = await trying("Connect", urls.join(", "), async () => {
    world = await open("", trial);
    if (urls.length > 1) workers = world.workers();
    return connectFound(world.connect);
  });
  trial.tries.push(reached);
  for (const [index, worker] of workers.entries())
    trial.tries.push(await trying("Connect", urls[index] ?? "", () => connectFound(worker), "warning"));
  if (world === undefined || reached.millis === undefined || reached.result === "failed") return trial.tries;
  const { connect, connectorClass } = world;
  trial.tries.push(await trying("Connect", "classes", () => classesFound(world as OpenWorld)));
  const described: ConnectorDescription[] = [];
  trial.tries.push(
    await trying("Connect", flags.connector ?? "connectors", async () => {
      const names = flags.connector === undefined ? await connect.connectors() : [flags.connector];
      for (const one of [...names].sort()) {
        const description = await connectorNamed(one, connect);
        const className = description.config["connector.class"]?.trim() ?? "";
        if (isConnectorClass(className, connectorClass)) described.push(description);
      }
      const seen = described.map((one) => one.name).join(", ");
      return described.length === 0
        ? { result: "warning", seen: "no CDC connector: brokers and database are not tried" }
        : { result: "ok", seen };
    }),
  );
  for (const description of described) await tryConnector(description, trial);
  await tryJmx(described, contexts.outline(name).jmxHosts, trial);
  return trial.tries;
}

function open(connector: string, { name, flags, opened }: Trying): Promise<OpenWorld> {
  return opened.world({
    target: { context: name, connectUrl: undefined, connector },
    flags: { ...flags, context: name },
  });
}

/** The first version of Kafka Connect that can change offsets (KIP-875). */
const NEEDED = { major: 3, minor: 6 } as const;

async function connectFound(worker: ConnectPort): Promise<Found> {
  const { version, clusterId } = await worker.worker();
  const seen = `Kafka Connect ${version}, Kafka cluster ${clusterId}`;
  const known = connectVersion(version);
  if (known !== undefined && !isAtLeast(known, NEEDED.major, NEEDED.minor))
    return {
      result: "failed",
      seen: `${seen}: offsets can't be changed`,
      remedies: ["Upgrade the workers to 3.6 or later."],
    };
  return { result: "ok", seen };
}

async function classesFound({ connect, connectorClass = CONNECTOR_CLASS }: OpenWorld): Promise<Found> {
  const plugins = await connect.plugins();
  const has = (wanted: string) => plugins.some(({ className }) => className === wanted);
  const legacy = LEGACY_CLASSES.some(has) ? ", and the legacy connector" : "";
  const builds = buildsAmong(plugins);
  const [build] = builds;
  if (has(connectorClass)) return { result: "ok", seen: `${connectorClass}${legacy}` };
  const missing = classMissing(connectorClass, builds);
  return {
    result: build === undefined ? "failed" : "warning",
    seen: `the workers have ${missing.seen}${legacy}`,
    remedies: missing.remedies.length === 0 ? ["Install the connector's plugin on every worker."] : missing.remedies,
  };
}

async function tryConnector(description: ConnectorDescription, trial: Trying): Promise<void> {
  const world = await open(description.name, trial);
  let settings: BoundSettings | undefined;
  let config: Readonly<Record<string, string>> = {};
  const read = await trying("Connect", `configuration of ${description.name}`, async () => {
    const seen = await world.settingsOf(description);
    settings = seen;
    config = seen.config;
    return { result: "ok", seen: `as ${seen.origin} has it` };
  });
  trial.tries.push(read);
  if (settings === undefined) return;
  await tryBrokers(description.name, settings, world, trial);
  await tryDatabase(description.name, settings, config, world, trial);
}

async function tryBrokers(connector: string, settings: BoundSettings, world: OpenWorld, trial: Trying): Promise<void> {
  let kafka: KafkaPort | undefined;
  let address = settings.brokers.bootstrapServers ?? "brokers";
  const login = await trying("brokers", address, async () => {
    kafka = world.kafka(settings);
    address = kafka.brokers;
    const known = trial.brokers.get(address);
    if (known !== undefined) return { result: known.loggedIn ? "ok" : "skipped", seen: "as above" };
    return { result: "ok", seen: `logged in, Kafka cluster ${await kafka.clusterId()}` };
  });
  const known = trial.brokers.get(address);
  if (known === undefined) {
    trial.tries.push({ ...login, what: address });
    if (kafka === undefined) return;
    trial.brokers.set(address, { kafka, loggedIn: login.result === "ok" });
  }
  const opened = trial.brokers.get(address);
  if (opened?.loggedIn !== true) return;
  const topics = [
    ["ops", settings.opsTopic, ["read", "write"], "failed"],
    ["signals", settings.signalsTopic, ["write"], "warning"],
    ["journal", settings.journalTopic, ["read"], "ok"],
  ] as const;
  for (const [what, topic, rights, missing] of topics)
    trial.tries.push(
      await trying("brokers", `${what} topic of ${connector}`, () => topicFound(opened.kafka, topic, rights, missing)),
    );
}

const RIGHTS =
  "Allow this login to do so on the topic (kafka-acls), or give another one: brokers.commandConfig of the context.";

async function topicFound(
  kafka: KafkaPort,
  topic: string,
  rights: readonly ("read" | "write")[],
  missing: Tried["result"],
): Promise<Found> {
  const seen = await kafka.topic(topic);
  if (seen === undefined)
    return {
      result: missing,
      seen: `${topic} does not exist${missing === "ok" ? ": nothing has been journaled yet" : ""}`,
      ...(missing === "ok"
        ? {}
        : { remedies: [`Create ${topic}, or check the topic names of the connector's configuration.`] }),
    };
  if (rights.includes("write") && seen.mayWrite.known && !seen.mayWrite.value)
    return { result: "failed", seen: `${topic}: no right to write`, remedies: [RIGHTS] };
  if (rights.includes("read")) await kafka.read(topic, { from: "tail", records: 1, millis: 5000 });
  const unsure = rights.includes("write") && !seen.mayWrite.known ? "; whether it may be written is not known" : "";
  return { result: unsure === "" ? "ok" : "warning", seen: `${topic}: ${rights.join(" and ")}${unsure}` };
}

/** Rules about what the capture user may do. */
const GRANTS: ReadonlySet<string> = new Set(["DBA406", "DBA407", "DBA408", "DBA409", "DBA410", "DBA412"]);

async function tryDatabase(
  connector: string,
  settings: BoundSettings,
  config: Readonly<Record<string, string>>,
  world: OpenWorld,
  trial: Trying,
): Promise<void> {
  const { host: address = "the database", port = "1521", user = "" } = settings.database;
  let oracle: OraclePort | undefined;
  let key = `${address}:${port} ${user}`;
  const login = await trying("Oracle", `${address}:${port}`, async () => {
    oracle = world.oracle(settings);
    key = `${oracle.address} ${user}`;
    if (trial.databases.has(key)) return { result: "skipped", seen: "as above" };
    const { name, version, connectedTo } = await oracle.database();
    return { result: "ok", seen: `${user} logged in to ${name} ${version}, container ${connectedTo}` };
  });
  if (!trial.databases.has(key)) {
    trial.tries.push({ ...login, what: oracle?.address ?? login.what });
    if (oracle === undefined) return;
    trial.databases.set(key, { oracle, loggedIn: login.result === "ok" });
  }
  const opened = trial.databases.get(key);
  if (opened?.loggedIn !== true) return;
  trial.tries.push(
    await trying("Oracle", `grants for ${connector}`, async () => {
      const judged = preflightSettings(settings, config);
      const systems = { oracle: opened.oracle, kafka: undefined, connect: undefined };
      const seen = await inspectBeforeStart(judged, systems, systemClock, "fast");
      const findings = preflight(readPreflight(seen), "fast").filter(({ code }) => GRANTS.has(code));
      const bad = findings.filter(({ level }) => level === "blocking" || level === "unknown");
      if (bad.length === 0) return { result: "ok", seen: "the capture user has what it needs" };
      const named = shellOption("--connector", connector);
      return {
        result: "failed",
        seen: bad.map(({ code, seen }) => `${code} ${seen}`).join("; "),
        remedies: [
          {
            text: "The statements that fix it",
            command: `cdcctl doctor check ${workersFlag({ context: trial.name })} ${named}`,
          },
        ],
      };
    }),
  );
}

/** A JVM is asked for one attribute: that it has no task of these connectors is an answer as well. Never required. */
async function tryJmx(all: readonly ConnectorDescription[], hosts: readonly string[], trial: Trying): Promise<void> {
  const typed = trial.flags["jmx-url"];
  const prefix = all[0]?.config["cdc.topic.prefix"] ?? "cdcctl";
  const urls = typed === undefined ? hosts.map((host) => [host, urlOf(host)] as const) : [[typed, typed] as const];
  if (urls.length === 0) {
    trial.tries.push(notTried("workers", NO_HOSTS));
    return;
  }
  for (const [what, url] of urls) {
    if (url === undefined) {
      trial.tries.push(notTried(what, NO_PORT));
      continue;
    }
    trial.tries.push(
      await trying(
        "JMX",
        what,
        async () => {
          const target = { context: trial.name, connectUrl: undefined, connector: "" };
          await using world = await openWorld(
            target,
            { ...trial.flags, context: trial.name, "jmx-url": url },
            trial.host,
          );
          try {
            await world.jmx(url).taskAttributes(prefix, ["MinedToScn"]);
            return { result: "ok", seen: `logged in; it runs the task of ${prefix}` };
          } catch (failure) {
            if (failure instanceof CallFailed && failure.kind === "missing")
              return { result: "ok", seen: `logged in; ${failure.message}` };
            throw failure;
          }
        },
        "warning",
      ),
    );
  }
}

const NO_HOSTS = "not tried: the context has no jmx.hosts, and no --jmx-url is given";
const NO_PORT = "not tried: jmx.hosts names no port here; give --jmx-url";

function notTried(what: string, seen: string): Tried {
  return { system: "JMX", what, result: "skipped", seen, millis: undefined, remedies: [] };
}

function urlOf(host: string): string | undefined {
  return /:\d+$/.test(host) ? `service:jmx:rmi:///jndi/rmi://${host}/jmxrmi` : undefined;
}
