import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { printProperties } from "../../core/values/testing/print-properties.ts";
import type { Certificates } from "./certificates.ts";
import { run } from "./command.ts";
import { type JavaProcess, JVM_FLAGS, startJava } from "./java-process.ts";
import { LOOPBACK } from "./ports.ts";
import type { Runtime } from "./runtime.ts";

/**
 * - `PLAINTEXT`: always open. The others only with `security`:
 * - `SASL_PLAINTEXT`, `SASL_SSL`: PLAIN, SCRAM-SHA-256 and SCRAM-SHA-512, with `BROKER_LOGIN`.
 * - `SSL`: a client certificate is optional. `MUTUAL_SSL`: it is required.
 */
export type ListenerName = "PLAINTEXT" | "SASL_PLAINTEXT" | "SSL" | "SASL_SSL" | "MUTUAL_SSL";

export const LISTENER_NAMES: readonly ListenerName[] = ["PLAINTEXT", "SASL_PLAINTEXT", "SSL", "SASL_SSL", "MUTUAL_SSL"];

/** The only user of the SASL listeners. */
export const BROKER_LOGIN = { user: "alice", password: "alice-secret" } as const satisfies BrokerLogin;

export interface BrokerLogin {
  readonly user: string;
  readonly password: string;
}

/** Properties of a broker, a worker or a client. */
export type Properties = Readonly<Record<string, string>>;

export interface Broker {
  readonly process: JavaProcess;
  readonly clusterId: string;
  /** `host:port` of each listener that is open. */
  readonly listeners: Readonly<Partial<Record<ListenerName, string>>>;
  /** Restarts it with its data and ports, and waits until it accepts clients. */
  restart(): Promise<void>;
}

/**
 * Formats a data folder and starts one KRaft node, broker and controller in one.
 * @param options.ports one for the controller, then one for each listener.
 * @param options.certificates undefined: the PLAINTEXT listener only, and SASL_PLAINTEXT with PLAIN for `login`.
 */
export async function startBroker(options: {
  readonly runtime: Runtime;
  readonly ports: readonly number[];
  readonly certificates: Certificates | undefined;
  readonly login?: BrokerLogin | undefined;
  readonly extra: Properties;
}): Promise<Broker> {
  const { runtime, certificates, login } = options;
  const [controller = 0, ...ports] = options.ports;
  const names = certificates === undefined ? LISTENER_NAMES.slice(0, login === undefined ? 1 : 2) : LISTENER_NAMES;
  const listeners: Partial<Record<ListenerName, string>> = {};
  for (const [index, name] of names.entries()) listeners[name] = `${LOOPBACK}:${ports[index]}`;

  const file = join(runtime.folder, "broker.properties");
  const settings = {
    ...plainSettings(runtime.folder, controller, listeners),
    ...(certificates === undefined ? {} : secureSettings(certificates)),
    ...(login === undefined ? {} : plainLogin("sasl_plaintext", login)),
    ...options.extra,
  };
  await writeFile(file, printProperties(settings));

  const clusterId = newClusterId();
  const users = certificates === undefined ? [] : ["SCRAM-SHA-256", "SCRAM-SHA-512"].flatMap(addUser);
  const format = ["kafka.tools.StorageTool", "format", "-t", clusterId, "-c", file, ...users];
  await run("java", [...JVM_FLAGS, ...runtime.flags("format"), "-cp", runtime.jars.classPath, ...format]);
  runtime.archives.keep();

  const launch = async (): Promise<JavaProcess> => {
    const process = startJava({
      name: "broker",
      folder: runtime.folder,
      classPath: runtime.jars.classPath,
      flags: runtime.flags("broker"),
      main: "kafka.Kafka",
      args: [file],
    });
    try {
      await process.untilHealthy(() => answersApiVersions(ports[0] ?? 0), 60_000);
    } catch (error) {
      await process.stop();
      throw error;
    }
    return process;
  };
  let process = await launch();
  return {
    get process() {
      return process;
    },
    clusterId,
    listeners,
    async restart() {
      await process.stop();
      process = await launch();
    },
  };
}

function plainSettings(folder: string, controller: number, listeners: Broker["listeners"]): Properties {
  const open = Object.entries(listeners).map(([name, address]) => `${name}://${address}`);
  const protocols = Object.keys(listeners).map((name) => `${name}:${name === "MUTUAL_SSL" ? "SSL" : name}`);
  return {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.voters": `1@${LOOPBACK}:${controller}`,
    listeners: [...open, `CONTROLLER://${LOOPBACK}:${controller}`].join(","),
    "advertised.listeners": open.join(","),
    "listener.security.protocol.map": ["CONTROLLER:PLAINTEXT", ...protocols].join(","),
    "controller.listener.names": "CONTROLLER",
    "inter.broker.listener.name": "PLAINTEXT",
    "log.dirs": join(folder, "data"),
    "num.partitions": "1",
    "group.initial.rebalance.delay.ms": "0",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "transaction.state.log.num.partitions": "1",
  };
}

function secureSettings({ server, authority }: Certificates): Properties {
  const scram = "org.apache.kafka.common.security.scram.ScramLoginModule required;";
  const logins = ["sasl_plaintext", "sasl_ssl"].flatMap((name) => [
    ...Object.entries(plainLogin(name, BROKER_LOGIN)),
    [`listener.name.${name}.scram-sha-256.sasl.jaas.config`, scram],
    [`listener.name.${name}.scram-sha-512.sasl.jaas.config`, scram],
  ]);
  return {
    "ssl.keystore.type": "PEM",
    "ssl.keystore.location": server.pem,
    "ssl.truststore.type": "PEM",
    "ssl.truststore.location": authority.pem,
    "ssl.client.auth": "requested",
    "listener.name.mutual_ssl.ssl.client.auth": "required",
    ...Object.fromEntries(logins),
    "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
  };
}

/** Settings of a listener that takes one user by PLAIN. */
function plainLogin(listener: string, { user, password }: BrokerLogin): Properties {
  const module = "org.apache.kafka.common.security.plain.PlainLoginModule required";
  return {
    "sasl.enabled.mechanisms": "PLAIN",
    [`listener.name.${listener}.plain.sasl.jaas.config`]: `${module} user_${user}="${password}";`,
  };
}

const addUser = (mechanism: string): readonly string[] => [
  "--add-scram",
  `${mechanism}=[name=${BROKER_LOGIN.user},password=${BROKER_LOGIN.password}]`,
];

/**
 * Returns a new cluster id for every stack, because local state is stored by cluster id. Kafka refuses one that begins
 * with a dash.
 */
function newClusterId(): string {
  const id = randomBytes(16).toString("base64url");
  return id.startsWith("-") ? newClusterId() : id;
}

/** Whether a broker answers ApiVersions (key 18, version 0), and so accepts clients. */
function answersApiVersions(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, LOOPBACK);
    socket.setTimeout(1000, () => socket.destroy(new Error("no answer to ApiVersions")));
    socket.once("error", reject);
    socket.once("close", () => resolve(false));
    socket.once("connect", () => {
      const request = Buffer.from([0, 18, 0, 0, 0, 0, 0, 1, 255, 255]);
      socket.write(Buffer.concat([Buffer.from([0, 0, 0, request.length]), request]));
    });
    socket.once("data", () => {
      resolve(true);
      socket.destroy();
    });
  });
}
