import type { Answer, RestRequest } from "./routes.ts";

/** `starting`: its web server runs and nothing else does. `joining`: it is about to join the group. */
export type Phase = "starting" | "joining" | "ready";

/**
 * What a worker that has been started answers before it is ready (seen on 3.9.2 and 4.3.1); undefined: it takes the call. One that is joining
 * carries out what needs the group when it has joined it.
 */
export function answerBefore(phase: Phase, request: RestRequest): Answer | "once joined" | undefined {
  if (phase === "ready") return undefined;
  const { method, segments } = request;
  if (phase === "starting")
    return method === "GET" ? { status: 404, html: notFoundPage(`/${segments.join("/")}`) } : { status: 404 };
  const [first, second, third] = segments;
  if (method !== "GET" || first === "health") return "once joined";
  if (first === "connectors" && second === undefined) return { status: 200, body: [] };
  return first === "connectors" && third !== "status" ? "once joined" : undefined;
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
