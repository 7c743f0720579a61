/** A database that freezes: the command ends within its time limit, and says which system froze. */
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR, startSandbox } from "../../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../../providers/sandbox/scenario.ts";
import { inFolder } from "../../bad-input/table.ts";
import { type Finished, startProcess } from "../run-command.ts";

const frozen = suite("a database that hangs");
const LIMIT_MILLIS = 2_000;
/** The start of the process, the other systems, the driver's own attempts to cancel and log off; on a busy machine. */
const SLACK_MILLIS = 25_000;

/** Takes connections, and says nothing. */
async function silentServer(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("a server without a port");
  return {
    port: bound.port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Runs a command as a process of its own: what is left open would keep it from ending. */
async function ends(argv: readonly string[], folder: string): Promise<Finished> {
  const env = { HOME: folder, CDCCTL_STATE: join(folder, "state"), CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
  const { child, finished } = startProcess([...argv, "--timeout", `${LIMIT_MILLIS}ms`], { env });
  const late = setTimeout(() => child.kill("SIGKILL"), LIMIT_MILLIS + SLACK_MILLIS);
  const result = await finished;
  clearTimeout(late);
  return result;
}

for (const [how, fault] of [
  ["at the first statement", (_sql: string, count: number) => count >= 0],
  ["after some statements", (_sql: string, count: number) => count >= 3],
  ["in the middle of the inspection", (sql: string) => /ARCHIVED_LOG/i.test(sql)],
] as const)
  for (const command of [["plan"], ["apply", "--yes"]])
    frozen(`${how} ends \`${command[0]}\` in time, and is named`, async () => {
      const sandbox = await startSandbox();
      let count = 0;
      sandbox.oracle.fault = (sql) => (fault(sql, count++) ? "freeze" : undefined);
      try {
        const files = {
          "contexts.yaml": contexts(sandbox),
          "change.yaml": planFile("a-change", "a test", "scn: 2010000"),
        };
        await inFolder(files, async (folder) => {
          const { exit, output } = await ends([...command, join(folder, "change.yaml")], folder);
          assert.is(exit, 1, output);
          assert.match(
            output.replace(/\s+/g, " "),
            /127\.0\.0\.1:\d+\/ORCLCDB: the database neither answered nor cancelled the call within 2 s/,
          );
          assert.not.match(output, /cdc-secret/);
        });
        assert.not.ok(sandbox.connect.requests.some(({ method }) => method !== "GET"));
      } finally {
        await sandbox.close();
      }
    });

frozen("that accepts the connection and sends nothing ends `plan` in time, and is named", async () => {
  const silent = await silentServer();
  const sandbox = await startSandbox({ config: { "cdc.database.port": `${silent.port}` } });
  try {
    const files = {
      "contexts.yaml": contexts(sandbox),
      "change.yaml": planFile("a-change", "a test", "scn: 2010000"),
    };
    await inFolder(files, async (folder) => {
      const { exit, output } = await ends(["plan", join(folder, "change.yaml")], folder);
      assert.is(exit, 1, output);
      assert.match(output.replace(/\s+/g, " "), new RegExp(`127\\.0\\.0\\.1:${silent.port}.*no answer in time`));
    });
  } finally {
    silent.close();
    await sandbox.close();
  }
});

frozen("is not waited for longer because a worker's copy of the configuration says so", async () => {
  const sandbox = await startSandbox({
    config: {
      "cdc.database.connection.properties": "oracle.jdbc.ReadTimeout=3600000;oracle.net.CONNECT_TIMEOUT=3600000",
    },
  });
  sandbox.oracle.fault = () => "freeze";
  try {
    const files = { "contexts.yaml": contexts(sandbox) };
    await inFolder(files, async (folder) => {
      const words = ["admin", "offsets", "set", "--connect-url", sandbox.connect.url, "--name", CONNECTOR];
      const { exit, output } = await ends([...words, "--scn", "2010000", "--reason", "a test"], folder);
      assert.is(exit, 1, output);
      assert.match(output.replace(/\s+/g, " "), /neither answered nor cancelled the call within 2 s/, output);
    });
  } finally {
    await sandbox.close();
  }
});

frozen("cannot be waited for indefinitely: a time limit of zero is refused", async () => {
  await inFolder({ "change.yaml": planFile("a-change", "a test", "scn: 2010000") }, async (folder) => {
    const url = ["--connect-url", "http://127.0.0.1:1"];
    for (const [limit, says] of [
      ["0s", /longer than 0/],
      ["soon", /--timeout soon is not a valid duration/],
    ] as const) {
      const file = join(folder, "change.yaml");
      const text = planFile("a-change", "a test", "scn: 2010000").replace("  context: sandbox\n", "");
      await import("node:fs/promises").then(({ writeFile }) => writeFile(file, text));
      const { child, finished } = startProcess(["plan", file, ...url, "--timeout", limit], { env: { HOME: folder } });
      const late = setTimeout(() => child.kill("SIGKILL"), SLACK_MILLIS);
      const { exit, output } = await finished;
      clearTimeout(late);
      assert.is(exit, 64, output);
      assert.match(output, says);
    }
  });
});

frozen.run();
