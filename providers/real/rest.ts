import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

export interface RestAnswer {
  readonly status: number;
  readonly text: string;
}

export interface RestCall {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Base URL of the worker and path. */
  readonly url: string;
  /** JSON text. */
  readonly body?: string;
  /** Default 120 s, longer than any worker takes to answer. */
  readonly millis?: number;
}

export interface RestAccess {
  /** `user:password` */
  readonly basicAuth?: string | undefined;
  /** PEM texts. */
  readonly authority?: string | undefined;
  readonly key?: string | undefined;
  readonly certificate?: string | undefined;
}

/**
 * Makes one call for a test, without the product's own client. One attempt; the connection is not kept.
 * @throws what node:http throws when there is no answer; an Error named TimeoutError when it took too long.
 */
export function callRest(call: RestCall, access: RestAccess): Promise<RestAnswer> {
  return new Promise((resolve, reject) => {
    const secure = call.url.startsWith("https:");
    const timeout = AbortSignal.timeout(call.millis ?? 120_000);
    const options = {
      method: call.method,
      agent: false as const,
      signal: timeout,
      headers: {
        ...(call.body === undefined ? {} : { "content-type": "application/json" }),
        ...(access.basicAuth === undefined
          ? {}
          : { authorization: `Basic ${Buffer.from(access.basicAuth).toString("base64")}` }),
      },
    };
    const tls = { ca: access.authority, key: access.key, cert: access.certificate };
    const request = secure ? httpsRequest(call.url, { ...options, ...tls }) : httpRequest(call.url, options);
    request.once("error", (error) => reject(timeout.aborted ? timeout.reason : error));
    request.once("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.once("error", reject);
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    request.end(call.body);
  });
}
