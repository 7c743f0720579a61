import type { Answer, RestRequest } from "./routes.ts";

/** `starting`: its web server runs and nothing else does. `joining`: it is about to join the group. */
export type Phase = "starting" | "joining" | "ready";

/**
 * The answer of a started worker before it is ready (seen on 3.9.2 and 4.3.1); undefined: it accepts the call. A
 * joining worker carries out calls that need the group once it has joined it.
 */
export function answerBefore(phase: Phase, request: RestRequest): Answer | "once joined" | undefined {
  if (phase === "ready") return undefined;
  const { method, segments } = request;
  if (phase === "starting") return withoutApi(request);
  const [first, second, third] = segments;
  if (method !== "GET" || first === "health") return "once joined";
  if (first === "connectors" && second === undefined) return { status: 200, body: [] };
  return first === "connectors" && third !== "status" ? "once joined" : undefined;
}

/** Jetty writes JSON for clients that accept it, otherwise a page; both for GET and POST only. */
function withoutApi({ method, segments, accept }: RestRequest): Answer {
  const path = `/${segments.join("/")}`;
  const bare = { status: 404, server: "Jetty(9.4.57.v20241219)" };
  if (method !== "GET" && method !== "POST") return bare;
  if (!accept.includes("application/json")) return { ...bare, html: notFoundPage(path) };
  return { ...bare, body: { message: "Not Found", url: path, status: "404" } };
}

const notFoundPage = (path: string): string => `<html>
<head>
<meta http-equiv="Content-Type" content="text/html;charset=ISO-8859-1"/>
<title>Error 404 Not Found</title>
</head>
<body><h2>HTTP ERROR 404 Not Found</h2>
<table>
<tr><th>URI:</th><td>${path}</td></tr>
<tr><th>STATUS:</th><td>404</td></tr>
<tr><th>MESSAGE:</th><td>Not Found</td></tr>
<tr><th>SERVLET:</th><td>-</td></tr>
</table>
<hr/><a href="https://jetty.org/">Powered by Jetty:// 9.4.57.v20241219</a><hr/>

</body>
</html>
`;
