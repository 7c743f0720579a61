import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { printProperties } from "../../core/values/testing/print-properties.ts";
import type { Properties } from "./broker.ts";
import { type Certificates, STORE_PASSWORD } from "./certificates.ts";
import { type JavaProcess, startJava } from "./java-process.ts";
import { LOOPBACK } from "./ports.ts";
import { callRest, type RestAccess } from "./rest.ts";
import type { Runtime } from "./runtime.ts";

export interface Worker {
  readonly process: JavaProcess;
  readonly url: string;
  /** Port of JMX over RMI; undefined unless requested. */
  readonly jmxPort: number | undefined;
}

export interface WorkerOptions {
  readonly runtime: Runtime;
  readonly index: number;
  readonly port: number;
  readonly jmxPort: number | undefined;
  readonly bootstrap: string;
  readonly exactlyOnce: boolean;
  /** `user:password` */
  readonly basicAuth: string | undefined;
  /** Undefined: plain HTTP. */
  readonly https: { readonly certificates: Certificates; readonly clientAuth: boolean } | undefined;
  readonly extra: Properties;
}

/** Starts one distributed worker. It is not healthy yet: see `untilJoined`. */
export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { runtime, index, port, jmxPort, basicAuth, https } = options;
  const name = `worker${index}`;
  const scheme = https === undefined ? "http" : "https";
  const file = join(runtime.folder, `${name}.properties`);
  const settings = {
    ...settingsOf(options, scheme),
    ...(https === undefined ? {} : httpsSettings(https.certificates, https.clientAuth)),
    ...(basicAuth === undefined ? {} : { "rest.extension.classes": BASIC_AUTH_EXTENSION }),
    ...options.extra,
  };
  await writeFile(file, printProperties(settings));
  const login = basicAuth === undefined ? [] : [await loginFlag(runtime.folder, basicAuth)];
  const jmx = jmxPort === undefined ? [] : [`-Dloopback.jmx.port=${jmxPort}`, `-Djava.rmi.server.hostname=${LOOPBACK}`];
  const process = startJava({
    name,
    folder: runtime.folder,
    classPath: runtime.jars.classPath,
    flags: [...login, ...jmx, ...runtime.flags("worker")],
    main: "org.apache.kafka.connect.cli.ConnectDistributed",
    args: [file],
  });
  return { process, url: `${scheme}://${LOOPBACK}:${port}`, jmxPort };
}

/**
 * Waits until `GET /health` returns 200. `GET /connectors` answers before the worker has joined its group, and a
 * SIGTERM in that moment hangs a 3.9 worker forever.
 */
export function untilJoined(worker: Worker, access: RestAccess): Promise<void> {
  const url = `${worker.url}/health`;
  const healthy = async () => (await callRest({ method: "GET", url, millis: 5000 }, access)).status === 200;
  return worker.process.untilHealthy(healthy, 90_000);
}

const BASIC_AUTH_EXTENSION = "org.apache.kafka.connect.rest.basic.auth.extension.BasicAuthSecurityRestExtension";

function settingsOf({ runtime, bootstrap, port, exactlyOnce }: WorkerOptions, scheme: string): Properties {
  return {
    "bootstrap.servers": bootstrap,
    "group.id": "connect",
    "plugin.path": runtime.jars.plugins,
    // The default scans the class path: seconds, and four times the memory.
    "plugin.discovery": "service_load",
    listeners: `${scheme}://${LOOPBACK}:${port}`,
    "rest.advertised.listener": scheme,
    "rest.advertised.host.name": LOOPBACK,
    "rest.advertised.port": String(port),
    "key.converter": "org.apache.kafka.connect.json.JsonConverter",
    "key.converter.schemas.enable": "false",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
    "offset.storage.topic": "connect-offsets",
    "config.storage.topic": "connect-configs",
    "status.storage.topic": "connect-status",
    "offset.storage.partitions": "1",
    "status.storage.partitions": "1",
    "offset.storage.replication.factor": "1",
    "config.storage.replication.factor": "1",
    "status.storage.replication.factor": "1",
    "offset.flush.interval.ms": "300",
    "scheduled.rebalance.max.delay.ms": "0",
    "config.providers": "file",
    "config.providers.file.class": "org.apache.kafka.common.config.provider.FileConfigProvider",
    ...(exactlyOnce ? { "exactly.once.source.support": "enabled" } : {}),
  };
}

/**
 * Settings of HTTPS. Jetty does not support PEM stores, and without a trust store a follower cannot forward to its
 * leader.
 */
function httpsSettings({ server, authority }: Certificates, clientAuth: boolean): Properties {
  const stores = {
    "keystore.type": "PKCS12",
    "keystore.location": server.pkcs12,
    "keystore.password": STORE_PASSWORD,
    "truststore.type": "PKCS12",
    "truststore.location": authority.pkcs12,
    "truststore.password": STORE_PASSWORD,
    "client.auth": clientAuth ? "required" : "none",
  };
  return Object.fromEntries(Object.entries(stores).map(([name, value]) => [`listeners.https.ssl.${name}`, value]));
}

async function loginFlag(folder: string, basicAuth: string): Promise<string> {
  const users = join(folder, "users.properties");
  const login = join(folder, "login.conf");
  const module = "org.apache.kafka.connect.rest.basic.auth.extension.PropertyFileLoginModule";
  const [user = "", password = ""] = basicAuth.split(/:(.*)/s);
  await writeFile(users, printProperties({ [user]: password }));
  await writeFile(login, `KafkaConnect { ${module} required file="${users}"; };\n`);
  return `-Djava.security.auth.login.config=${login}`;
}
