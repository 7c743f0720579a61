import { readFileSync } from "node:fs";
import { connect as connectTls } from "node:tls";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Certificates } from "./certificates.ts";
import { run } from "./command.ts";
import { loopbackListeners } from "./listening.ts";
import { type RealStack, startStack } from "./stack.ts";

const listeners = suite("the listeners of a real stack");

function certificatesOf({ certificates }: RealStack): Certificates {
  if (certificates === undefined) throw new Error("security and https bring certificates");
  return certificates;
}

for (const kafka of ["3", "4"] as const) {
  listeners(`Kafka ${kafka}: workers ask for basic auth, and followers pass it on over HTTPS`, async () => {
    const real = await startStack({ kafka, workers: 2, basicAuth: "ops:s3c:ret", https: "mutual", jmx: true });
    try {
      assert.match(real.connectUrl, /^https:\/\/127\.0\.0\.1:/);
      await real.createStopped("orders", {}, { v: 1n, resume_scn: 1n });
      for (const worker of [0, 1])
        assert.is((await real.patchOffset("orders", { v: 1n, resume_scn: 2n }, { worker })).status, 200);

      const processes = [real.broker, ...real.workers.map((worker) => worker.process)];
      for (const { pid, name } of processes) {
        const { loopback, elsewhere } = loopbackListeners(pid);
        assert.equal(elsewhere, [], `${name} listens on loopback only`);
        assert.ok(loopback.length > 0);
      }
      for (const {
        jmxPort,
        process: { pid },
      } of real.workers)
        assert.ok(loopbackListeners(pid).loopback.includes(jmxPort ?? 0));
    } finally {
      await real.stop();
    }
  });
}

listeners(
  "a worker with basic auth answers 401 in plain text, one that requires a certificate breaks the handshake",
  async () => {
    const real = await startStack({ kafka: "4", basicAuth: "ops:secret", https: "mutual" });
    try {
      const { authority, client } = certificatesOf(real);
      const url = `${real.connectUrl}/connectors`;
      const tls = ["--cacert", authority.pem, "--silent", "--show-error"];
      const mine = ["--cert", client.certificate, "--key", client.key];
      assert.match(
        await run("curl", [...tls, ...mine, "--write-out", " %{http_code}", url]),
        "User cannot access the resource. 401",
      );
      const refused = await handshake(Number(new URL(real.connectUrl).port), readFileSync(authority.pem, "utf8"));
      assert.match(refused, /certificate/i);
    } finally {
      await real.stop();
    }
  },
);

/** Reads after a TLS 1.3 hand-shake without a client certificate: the server's refusal comes only then. */
function handshake(port: number, ca: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: "127.0.0.1", port, ca });
    socket.once("error", (error) => resolve(error.message));
    socket.once("end", () => resolve("ended without a word"));
    socket.resume();
  });
}

listeners.run();
