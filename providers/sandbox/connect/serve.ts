import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FaultRule } from "./fault.ts";
import { printJavaJson } from "./java-json.ts";
import { type Answer, failed, forwardFailed, type RestRequest } from "./routes.ts";

export interface SeenRequest {
  readonly method: string;
  /** Decoded, without prefix and query. */
  readonly path: string;
  readonly body: string;
  readonly n: number;
  /** The worker that received it. */
  readonly worker: number;
}

export type Login = { readonly user: string; readonly password: string } | { readonly token: string };

export interface Serving {
  /** The prefix, which has no slash at its end. */
  readonly prefix: string;
  readonly auth: Login | undefined;
  readonly faults: () => FaultRule | undefined;
  readonly seen: SeenRequest[];
  /** The worker that receives a request. */
  readonly worker: () => number;
  /** The worker's answer. */
  readonly answer: (request: RestRequest, worker: number) => Promise<Answer>;
}

/** Answers HTTP requests as a worker's REST server does, with the injected faults. */
export function serve({ prefix, auth, faults, seen, worker, answer }: Serving): RequestListener {
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
    const n = (seen.findLast((one) => one.method === method && one.path === path)?.n ?? 0) + 1;
    const chosen = worker();
    seen.push({ method, path, body, n, worker: chosen });
    if (!isAuthorized(request.headers.authorization, auth)) return unauthorized(response);

    const { accept, "content-type": contentType } = request.headers;
    const apply = (): Promise<Answer> =>
      answer({ method, segments, body, contentType: contentType ?? "", accept: accept ?? "" }, chosen);
    const fault = faults()?.({ method, path, n });
    if (typeof fault === "object") {
      if ("says" in fault) return send(response, failed(fault.status, fault.says));
      if ("hold" in fault) {
        if (fault.when === "before") await fault.hold;
        const answered = await apply();
        if (fault.when === "after") await fault.hold;
        return send(response, answered);
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
            "Cannot complete request momentarily due to stale configuration (typically caused by a concurrent " +
              "config change)",
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
  return (request, response) => {
    handle(request, response).catch((error: unknown) => send(response, failed(500, String(error))));
  };
}

const printed = ({ body }: Answer): string => (body === undefined ? "" : printJavaJson(body));

function send(response: ServerResponse, answer: Answer): void {
  const text = answer.html ?? printed(answer);
  response.writeHead(answer.status, {
    ...(answer.html === undefined ? {} : { "content-type": "text/html;charset=iso-8859-1" }),
    ...(answer.body === undefined || answer.untyped ? {} : { "content-type": "application/json" }),
    ...(answer.server === undefined ? {} : { server: answer.server }),
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

function isAuthorized(header: string | undefined, auth: Login | undefined): boolean {
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
