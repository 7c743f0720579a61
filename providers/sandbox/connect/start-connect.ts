import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { connectVersion } from "../../../core/facts/connect-version.ts";
import type { OffsetEntry } from "../../../core/facts/offset.ts";
import { type Cluster, openCluster, type SandboxConnector, type ShownStatus, type TargetState } from "./cluster.ts";
import type { FaultRule } from "./fault.ts";
import { printJavaJson } from "./java-json.ts";
import { type AlterOffsets, type Answer, answerTo, type ConfigError, type Plugin, type Worker } from "./routes.ts";
import { oracleTask, type SandboxTask, type TaskedConnector } from "./task.ts";

export interface StartConnectOptions {
  /** As `GET /` says it; decides what is known: `3.4.0` no stop and offsets, `3.5.1` no PATCH. Default 3.9.2. */
  readonly version?: string;
  /** `kafka_cluster_id` */
  readonly clusterId?: string;
  /** Default 0: any free one. Always on 127.0.0.1. */
  readonly port?: number;
  /** Connectors that are there from the start, with what is stored for them. */
  readonly connectors?: readonly (TaskedConnector & {
    readonly state?: TargetState;
    readonly offsets?: readonly OffsetEntry[];
  })[];
  readonly plugins?: readonly Plugin[];
  readonly validate?: (className: string, config: Readonly<Record<string, string>>) => readonly ConfigError[];
  /** Default: accepts offsets with a resume_scn, checks no others. */
  readonly alterOffsets?: AlterOffsets;
  /** Default: `oracleTask` towards `position`. */
  readonly task?: (connector: TaskedConnector) => SandboxTask;
  /** SCN up to which the default task can mine; by default it rises with every look. */
  readonly position?: () => bigint;
  /** ms; default 50. */
  readonly commitInterval?: number;
  /** ms by which `status` is behind; default 50. */
  readonly statusLag?: number;
  /** `task.shutdown.graceful.timeout.ms`; default 5000. */
  readonly graceful?: number;
  /** Tasks hang for so long when they are stopped, and then commit their last offset. */
  readonly hang?: number | Promise<void> | ((connector: string) => number | Promise<void> | undefined);
  /** ms after STOPPED without tasks is seen until a task's last commit is stored, as with a second worker; default 0: before. */
  readonly lastCommitLag?: number;
  readonly exactlyOnce?: boolean;
  /** Another hand puts a stopped connector back to RUNNING: true is after 200 ms, or so many ms. */
  readonly operator?: boolean | number;
  readonly faults?: FaultRule;
  readonly auth?: { readonly user: string; readonly password: string } | { readonly token: string };
  /** PEM texts. `clientCa`: a client certificate signed by it is required. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly clientCa?: string };
  /** Path prefix, as of a gateway: `/kafka-connect`. */
  readonly prefix?: string;
}

export interface SeenRequest {
  readonly method: string;
  /** Decoded, without prefix and query. */
  readonly path: string;
  readonly body: string;
  readonly n: number;
}

export interface SandboxConnect {
  readonly url: string;
  readonly port: number;
  /** Every request so far, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** Connections accepted so far. */
  readonly connections: () => number;
  readonly cluster: Cluster;
  /** Replaces the rule for faults; undefined takes it away. */
  fail(rule: FaultRule | undefined): void;
  /** Makes `status` answer this until the next change. */
  show(connector: string, status: ShownStatus): void;
  stored(connector: string): readonly OffsetEntry[];
  close(): Promise<void>;
}

const CLASS = "sh.oso.connect.oracle.OracleCdcSourceConnector";

/** A loopback Connect worker that answers as real ones do, and misbehaves when asked to. */
export async function startConnect(options: StartConnectOptions = {}): Promise<SandboxConnect> {
  const version = options.version ?? "3.9.2";
  const release = connectVersion(version);
  if (release === undefined) throw new Error(`the sandbox does not know Connect version ${version}`);
  let scn = 2_204_511n;
  const position = options.position ?? (() => (scn += 10n));
  const { hang } = options;
  const cluster = openCluster({
    task: options.task ?? ((connector) => oracleTask(connector, { dbid: 2_873_049_183n, resetlogsScn: 1n, position })),
    commitInterval: options.commitInterval ?? 50,
    statusLag: options.statusLag ?? 50,
    graceful: options.graceful ?? 5000,
    hang: typeof hang === "function" ? hang : () => hang,
    lastCommitLag: options.lastCommitLag ?? 0,
    exactlyOnce: options.exactlyOnce ?? false,
    operatorMillis: options.operator === true ? 200 : options.operator || undefined,
  });
  const prefix = (options.prefix ?? "").replace(/\/+$/, "");
  const seen: SeenRequest[] = [];
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  let connections = 0;
  let faults = options.faults;
  let worker: Worker;

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const raw = (request.url ?? "/").split("?")[0] ?? "/";
    if (!raw.startsWith(prefix)) return page(response, 404, "Not Found");
    const segments = raw
      .slice(prefix.length)
      .split("/")
      .filter((one) => one !== "")
      .map(decodeURIComponent);
    const path = `/${segments.join("/")}`;
    const method = request.method ?? "GET";
    const n = (counts.get(`${method} ${path}`) ?? 0) + 1;
    counts.set(`${method} ${path}`, n);
    seen.push({ method, path, body, n });
    if (!isLetIn(request.headers.authorization, options.auth)) return unauthorized(response);

    const apply = (): Promise<Answer> =>
      answerTo(worker, { method, segments, body, contentType: request.headers["content-type"] ?? "" });
    const fault = faults?.({ method, path, n });
    if (typeof fault === "object") {
      if ("says" in fault) return send(response, failed(fault.status, fault.says));
      if ("hold" in fault) {
        if (fault.when === "before") await fault.hold;
        const answer = await apply();
        if (fault.when === "after") await fault.hold;
        return send(response, answer);
      }
      const when = fault["500-applied-later"];
      const due = typeof when === "number" ? new Promise<void>((go) => setTimeout(go, when).unref()) : when;
      void due.then(apply);
      return send(response, forwardFailed("Idle timeout expired: 30000/30000 ms"));
    }
    switch (fault) {
      case undefined:
        return send(response, await apply());
      case "409":
        return send(
          response,
          failed(
            409,
            "Cannot complete request momentarily due to stale configuration (typically caused by a concurrent config change)",
          ),
        );
      case "500":
        return send(response, forwardFailed("java.net.ConnectException: Connection refused"));
      case "500-applied":
        await apply();
        return send(response, forwardFailed("Idle timeout expired: 30000/30000 ms"));
      case "timeout":
        return;
      case "timeout-applied":
        await apply();
        return;
      case "disconnect-before":
        return void request.socket.destroy();
      case "disconnect-after":
        await apply();
        return void request.socket.destroy();
      case "html":
        return page(response, 502, "Bad Gateway");
      case "half": {
        const text = printed(await apply());
        response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(text) + 10 });
        response.write(text.slice(0, Math.ceil(text.length / 2)), () => request.socket.destroy());
      }
    }
  };
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response).catch((error: unknown) => send(response, failed(500, String(error))));
  };
  const { tls } = options;
  const server = tls
    ? createTlsServer(
        {
          key: tls.key,
          cert: tls.cert,
          ...(tls.clientCa === undefined ? {} : { ca: tls.clientCa, requestCert: true, rejectUnauthorized: true }),
        },
        listener,
      )
    : createServer(listener);
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  worker = {
    cluster,
    version,
    release,
    clusterId: options.clusterId ?? "c2FuZGJveC1jbHVzdGVyMQ",
    workerId: `127.0.0.1:${port}`,
    plugins: options.plugins ?? [{ class: CLASS, type: "source", version: "1.0.0" }],
    alterOffsets:
      options.alterOffsets ??
      ((_, entries) => entries.every(({ offset }) => offset === null || "resume_scn" in offset)),
    validate: options.validate ?? missingPrefix,
  };
  for (const { name, config, state, offsets } of options.connectors ?? []) {
    cluster.offsets.write(name, offsets ?? []);
    const connector = cluster.create(name, { "connector.class": CLASS, ...config }, state ?? "RUNNING");
    await connector.settled;
    connector.shown ??= {
      state: state ?? "RUNNING",
      tasks: state === "STOPPED" ? [] : [{ id: 0, ...firstTask(connector, state ?? "RUNNING") }],
    };
  }

  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}${prefix}`,
    port,
    requests: seen,
    connections: () => connections,
    cluster,
    fail(rule) {
      faults = rule;
    },
    show: cluster.show,
    stored: cluster.offsets.of,
    close: () =>
      new Promise((resolve) => {
        cluster.close();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** A task that failed at its start did so before anybody looks. */
function firstTask({ running, trace }: SandboxConnector, state: TargetState) {
  return state === "RUNNING" && running === undefined && trace !== undefined ? { state: "FAILED", trace } : { state };
}

const failed = (status: number, message: string): Answer => ({ status, body: { error_code: BigInt(status), message } });
const forwardFailed = (why: string): Answer => failed(500, `IO Error trying to forward REST request: ${why}`);
const printed = ({ body }: Answer): string => (body === undefined ? "" : printJavaJson(body));

function missingPrefix(_class: string, config: Readonly<Record<string, string>>): readonly ConfigError[] {
  return config["cdc.topic.prefix"] === undefined
    ? [
        {
          name: "cdc.topic.prefix",
          errors: ['Missing required configuration "cdc.topic.prefix" which has no default value.'],
        },
      ]
    : [];
}

function send(response: ServerResponse, answer: Answer): void {
  const text = printed(answer);
  response.writeHead(answer.status, {
    ...(answer.body === undefined || answer.untyped ? {} : { "content-type": "application/json" }),
    ...(answer.location === undefined ? {} : { location: answer.location }),
    ...(answer.status === 204 ? {} : { "content-length": Buffer.byteLength(text) }),
  });
  response.end(text);
}

function page(response: ServerResponse, status: number, title: string): void {
  response.writeHead(status, { "content-type": "text/html" });
  response.end(`<html><head><title>${status} ${title}</title></head><body><h1>${status} ${title}</h1></body></html>`);
}

function unauthorized(response: ServerResponse): void {
  response.writeHead(401, { "content-type": "application/json", "www-authenticate": 'Basic realm="Connect"' });
  response.end("User cannot access the resource.");
}

function isLetIn(header: string | undefined, auth: StartConnectOptions["auth"]): boolean {
  if (auth === undefined) return true;
  const wanted =
    "token" in auth
      ? `Bearer ${auth.token}`
      : `Basic ${Buffer.from(`${auth.user}:${auth.password}`).toString("base64")}`;
  return header === wanted;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
