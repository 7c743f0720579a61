import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { showBytes } from "../../core/values/amounts.ts";
import { printDuration } from "../../core/values/duration.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Agents } from "./proxy.ts";

type Method = "GET" | "PUT" | "PATCH" | "POST" | "DELETE";

export interface Call {
  readonly method: Method;
  /** The path below the endpoint's prefix, encoded: `/connectors/a%2Fb/status`. */
  readonly path: string;
  /** JSON text. */
  readonly body?: string;
  /** The accepted content type; default JSON. */
  readonly accept?: string;
}

/** A complete HTTP response with any status. */
export interface Answered {
  readonly answered: true;
  readonly status: number;
  readonly contentType: string;
  readonly location: string | undefined;
  /** The `Server` header; empty if missing. */
  readonly server: string;
  /** The `Date` header: whole seconds of the responder's clock. */
  readonly date: string | undefined;
  readonly text: string;
  /** The proxy itself answered instead of opening a connection to the worker. */
  readonly byProxy: boolean;
}

/** No complete HTTP response. */
export interface Broken {
  readonly answered: false;
  /**
   * `timeout`: no answer in time. `cut`: the answer began and did not end. `large`: above the limit. `error`: see
   * `code`.
   */
  readonly by: "timeout" | "cut" | "large" | "closed" | "error";
  /** Node's or OpenSSL's code: `ECONNREFUSED`, `ERR_SSL_WRONG_VERSION_NUMBER`. */
  readonly code: string;
  readonly detail: string;
  /** First bytes of an answer that was not HTTP. */
  readonly raw: Uint8Array | undefined;
  /** Whether any byte of the request may have been sent: false is a proof, true is not. */
  readonly sent: boolean;
}

export type Exchange = Answered | Broken;

export interface Line {
  readonly endpoint: Endpoint;
  readonly agents: Agents;
  readonly authorization: string | undefined;
  readonly tls: object;
  /** Largest answer, in bytes. */
  readonly answerBytes: number;
  readonly closing: AbortSignal;
}

/**
 * Sends one request and reads its answer, in one attempt. Network errors are returned, never thrown. Nothing is written
 * before the connection (and its TLS handshake) is established, so `sent: false` proves that the other side received no
 * request.
 *
 * @param millis for everything: connecting, sending, reading to the end
 */
export function exchange(line: Line, call: Call, millis: number): Promise<Exchange> {
  return new Promise((resolve) => {
    let sent = false;
    let byProxy = false;
    const broken = (by: Broken["by"], error: NodeJS.ErrnoException & { rawPacket?: unknown }): void =>
      done({
        answered: false,
        by,
        code: error.code ?? error.name,
        detail: error.message,
        raw: error.rawPacket instanceof Uint8Array ? error.rawPacket.subarray(0, 64) : undefined,
        sent,
      });

    const request = start(line, call);
    const timer = setTimeout(() => {
      broken("timeout", new Error(`no answer within ${printDuration(millis)}`));
    }, millis);
    const onClosing = (): void => broken("closed", new Error("cdcctl closed the connection"));
    const done = (result: Exchange): void => {
      clearTimeout(timer);
      line.closing.removeEventListener("abort", onClosing);
      if (!result.answered) request.destroy();
      resolve(result);
    };
    request.on("error", (error: NodeJS.ErrnoException) => broken("error", error));
    if (line.closing.aborted) return onClosing();
    line.closing.addEventListener("abort", onClosing, { once: true });

    request.once("proxyConnect", (answer: { statusCode: number }) => {
      byProxy = answer.statusCode !== 200;
    });
    request.once("socket", (socket) => {
      whenReady(socket, line.endpoint.secure, () => {
        sent = true;
        request.end(call.body);
      });
    });
    request.once("response", (response) => {
      const refused = (response.statusCode ?? 0) >= 400;
      read(response, refused ? { keep: LONGEST_REFUSAL } : { refuse: line.answerBytes }, (text) => {
        if (typeof text !== "string") return broken(text.by, text.error);
        done({
          answered: true,
          status: response.statusCode ?? 0,
          contentType: response.headers["content-type"] ?? "",
          location: response.headers.location,
          server: String(response.headers["server"] ?? ""),
          date: response.headers.date,
          text,
          byProxy,
        });
      });
    });
  });
}

function start({ endpoint, agents, authorization, tls }: Line, call: Call): ClientRequest {
  const send = endpoint.secure ? httpsRequest : httpRequest;
  return send({
    ...tls,
    method: call.method,
    host: endpoint.hostname,
    port: endpoint.port,
    path: `${endpoint.prefix}${call.path}`,
    // The other side may close a kept connection at this very moment, which can't be distinguished from a lost answer.
    agent: call.method === "GET" ? agents.kept : agents.fresh,
    headers: {
      accept: call.accept ?? "application/json",
      ...(authorization === undefined ? {} : { authorization }),
      ...(call.body === undefined
        ? call.method === "GET" || call.method === "DELETE"
          ? {}
          : { "content-length": 0 }
        : { "content-type": "application/json", "content-length": Buffer.byteLength(call.body) }),
    },
  });
}

function whenReady(socket: Socket, secure: boolean, ready: () => void): void {
  const handshaking = secure && (socket as TLSSocket & { secureConnecting?: boolean }).secureConnecting === true;
  if (handshaking) socket.once("secureConnect", ready);
  else if (socket.connecting) socket.once("connect", ready);
  else ready();
}

/**
 * Maximum bytes of an error response: the rest is neither read nor kept. Searching 60 MB for secrets would take half a
 * minute.
 */
const LONGEST_REFUSAL = 1024 * 1024;

/** @param limit bytes of an answer; a larger answer is refused, or truncated */
function read(
  response: IncomingMessage,
  limit: { readonly refuse: number } | { readonly keep: number },
  done: (text: string | { readonly by: "cut" | "large"; readonly error: Error }) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  response.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if ("refuse" in limit && size > limit.refuse)
      return done({ by: "large", error: new Error(`more than ${showBytes(limit.refuse)}`) });
    chunks.push(chunk);
    if ("keep" in limit && size > limit.keep) {
      done(Buffer.concat(chunks).toString("utf8", 0, limit.keep));
      response.destroy();
    }
  });
  response.once("error", (error) => done({ by: "cut", error }));
  response.once("end", () => done(Buffer.concat(chunks).toString("utf8")));
}
