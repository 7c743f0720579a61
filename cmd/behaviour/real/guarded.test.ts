import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { CONNECT_LOGIN, guardedBehaviour } from "./guarded.behaviour.ts";
import { startSandboxWorld } from "./sandbox-world.ts";

const pathOf = (name: string) => fileURLToPath(new URL(`../../../providers/tls/testdata/${name}`, import.meta.url));

guardedBehaviour("in the sandbox", async () => {
  const [authority, server, client] = ["ca.pem", "server.pem", "client.pem"].map(pathOf) as [string, string, string];
  const [ca, pem, mine] = await Promise.all([authority, server, client].map((path) => readFile(path, "utf8")));
  if (ca === undefined || pem === undefined || mine === undefined) throw new Error("a certificate is missing");
  const login = { user: "alice", password: "alice-secret" };
  const world = await startSandboxWorld({
    connect: { auth: CONNECT_LOGIN, tls: { key: pem, cert: pem, clientCa: ca } },
    access: {
      basicAuth: `${CONNECT_LOGIN.user}:${CONNECT_LOGIN.password}`,
      authority: ca,
      key: mine,
      certificate: mine,
    },
    broker: {
      tls: { key: pem, cert: pem },
      auth: { mechanisms: ["SCRAM-SHA-512"], users: { [login.user]: login.password } },
    },
  });
  return {
    ...world,
    guardedBootstrap: world.bootstrap,
    brokerLogin: login,
    authority,
    clientCertificate: client,
    clientKey: client,
  };
}).run();
