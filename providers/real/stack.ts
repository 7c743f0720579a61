import { readFile } from "node:fs/promises";
import { type Broker, LISTENER_NAMES, type Properties, startBroker } from "./broker.ts";
import { type Certificates, makeCertificates } from "./certificates.ts";
import { type CallWorker, type Connectors, callsTo, connectorsOf } from "./connectors.ts";
import { stackFolder } from "./folder.ts";
import { fetchJars, type KafkaLine } from "./jars.ts";
import { createTopic } from "./kafka-clients.ts";
import { settledLeader } from "./leader.ts";
import { freePorts } from "./ports.ts";
import type { RestAccess } from "./rest.ts";
import { prepareRuntime } from "./runtime.ts";
import { startWorker, untilJoined, type Worker, type WorkerOptions } from "./worker.ts";

export interface StackOptions {
  readonly kafka: KafkaLine;
  /** Default 1. */
  readonly workers?: number;
  /** Adds the SASL and TLS listeners (see `ListenerName`). */
  readonly security?: boolean;
  /** `exactly.once.source.support=enabled` */
  readonly eos?: boolean;
  /** `user:password` for the workers' REST API. */
  readonly basicAuth?: string;
  /** REST over TLS; `mutual`: with a client certificate. */
  readonly https?: boolean | "mutual";
  /** JMX over RMI, with one port for each worker. */
  readonly jmx?: boolean;
  /** Extra properties, which override the stack's own. */
  readonly worker?: Properties;
  readonly broker?: Properties;
  /** Keeps the folder with logs and data after the stop. */
  readonly keep?: boolean;
}

export interface RealStack extends Connectors {
  readonly kafka: KafkaLine;
  /** Also the folder the processes run in: a test may put files for the stand-in connector there. */
  readonly folder: string;
  readonly clusterId: string;
  /** `host:port` of the PLAINTEXT listener. */
  readonly bootstrap: string;
  readonly listeners: Broker["listeners"];
  readonly broker: Broker["process"];
  readonly workers: readonly Worker[];
  /** URL of worker 0. */
  readonly connectUrl: string;
  /** Set with `security` or `https`. */
  readonly certificates: Certificates | undefined;
  readonly call: CallWorker;
  createTopic(name: string, config?: Readonly<Record<string, string>>, partitions?: number): Promise<void>;
  /** Index of the worker that leads the group, once the group is stable. No worker may be frozen. */
  leader(): Promise<number>;
  freeze(worker: number): void;
  thaw(worker: number): void;
  kill(worker: number): Promise<void>;
  /** Restarts a killed worker on its old port, and waits until it has joined. */
  restart(worker: number): Promise<void>;
  /** Restarts the broker, killed or not, and waits until it accepts clients. */
  restartBroker(): Promise<void>;
  /** Whether any worker's log contains this text. */
  logged(text: string): boolean;
  /** Stops every process and removes the folder. May be called repeatedly. */
  stop(): Promise<void>;
}

/**
 * Starts a real broker and real Connect workers on 127.0.0.1, healthy when it resolves. The first one ever fetches jars
 * (half a minute); later ones take a few seconds. Nothing it starts outlives this process.
 */
export async function startStack(options: StackOptions): Promise<RealStack> {
  const jars = await fetchJars(options.kafka);
  const folder = await stackFolder(options.keep ?? false);
  const started: Starting = { broker: undefined, workers: [] };
  const runtime = await prepareRuntime(options.kafka, jars, folder.path);
  const stop = async () => {
    await Promise.all(started.workers.map((worker) => worker.process.stop()));
    await started.broker?.process.stop();
    runtime.archives.keep();
    await folder.remove();
  };
  try {
    return await start(options, runtime, started, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Starting {
  broker: Broker | undefined;
  readonly workers: Worker[];
}

async function start(
  options: StackOptions,
  runtime: WorkerOptions["runtime"],
  started: Starting,
  stop: () => Promise<void>,
): Promise<RealStack> {
  const { folder } = runtime;
  const { https = false, security = false } = options;
  const count = options.workers ?? 1;
  const ports = await freePorts(1 + LISTENER_NAMES.length + 2 * count);
  const certificates = security || https ? await makeCertificates(folder) : undefined;
  const secured = security ? certificates : undefined;
  const broker = await startBroker({ runtime, ports, certificates: secured, extra: options.broker ?? {} });
  started.broker = broker;
  const bootstrap = broker.listeners.PLAINTEXT ?? "";

  const access = await accessTo(options, certificates);
  const workerPorts = ports.slice(1 + LISTENER_NAMES.length);
  const workerOptions = (index: number): WorkerOptions => ({
    runtime,
    index,
    port: workerPorts[2 * index] ?? 0,
    jmxPort: options.jmx === true ? workerPorts[2 * index + 1] : undefined,
    bootstrap,
    exactlyOnce: options.eos === true,
    basicAuth: options.basicAuth,
    https: certificates !== undefined && https ? { certificates, clientAuth: https === "mutual" } : undefined,
    extra: options.worker ?? {},
  });
  for (let index = 0; index < count; index++) started.workers.push(await startWorker(workerOptions(index)));
  await Promise.all(started.workers.map((worker) => untilJoined(worker, access)));

  const worker = (index: number): Worker => {
    const one = started.workers[index];
    if (one === undefined) throw new RangeError(`this stack has no worker ${index}`);
    return one;
  };
  const call = callsTo((index) => worker(index).url, access);
  return {
    ...connectorsOf(call),
    kafka: options.kafka,
    folder,
    clusterId: broker.clusterId,
    bootstrap,
    listeners: broker.listeners,
    get broker() {
      return broker.process;
    },
    restartBroker: () => broker.restart(),
    workers: started.workers,
    connectUrl: started.workers[0]?.url ?? "",
    certificates,
    call,
    createTopic: (name, config, partitions) => createTopic(bootstrap, name, config, partitions),
    leader: () => settledLeader(started.workers),
    freeze: (index) => worker(index).process.freeze(),
    thaw: (index) => worker(index).process.thaw(),
    kill: (index) => worker(index).process.kill(),
    async restart(index) {
      await worker(index).process.stop();
      started.workers[index] = await startWorker(workerOptions(index));
      await untilJoined(worker(index), access);
    },
    logged: (text) => started.workers.some((one) => one.process.log().includes(text)),
    stop,
  };
}

async function accessTo(options: StackOptions, certificates: Certificates | undefined): Promise<RestAccess> {
  if (certificates === undefined) return { basicAuth: options.basicAuth };
  const { authority, client } = certificates;
  const [ca, key, certificate] = await Promise.all(
    [authority.pem, client.key, client.certificate].map((file) => readFile(file, "utf8")),
  );
  return { basicAuth: options.basicAuth, authority: ca, key, certificate };
}
