/**
 * What only looks changes nothing: no request that writes, no lock, no consumer group, no file but the one that is
 * asked for.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { makeReady } from "../../providers/sandbox/check-scenarios.ts";
import { CONNECTOR, type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { runHere } from "./run-command.ts";

const looking = suite("read-only commands");

interface Place {
  readonly sandbox: Sandbox;
  /** The connector's configuration. */
  readonly config: string;
  /** The folder for files to be written. */
  readonly out: string;
}

const target = ({ sandbox }: Place) => ["--connect-url", sandbox.connect.url, "--name", CONNECTOR];
const jmx = ({ sandbox }: Place) => ["--jmx-url", sandbox.jvm?.url ?? ""];

const COMMANDS: Readonly<Record<string, (place: Place) => readonly string[]>> = {
  "admin transactions": (place) => [...target(place), ...jmx(place)],
  "admin journal inspect": target,
  "admin offsets show": (place) => [...target(place), "--check-redo"],
  "doctor explain-lag": (place) => [...target(place), ...jmx(place), "--interval", "10ms"],
  "doctor explain-lag --interval 10ms": (place) => [
    ...target(place),
    ...["--metrics-url", place.sandbox.exporter?.url ?? ""],
  ],
  "doctor check": ({ config }) => ["--config", config],
  "doctor redo-profile --sample-logs 0": ({ config }) => ["--config", config],
  "doctor setup-sql": ({ config, out }) => ["--config", config, "--ask-database", "--output", join(out, "setup.sql")],
  report: ({ sandbox, out }) => [CONNECTOR, "--connect-url", sandbox.connect.url, "--out", join(out, "page.html")],
};

/** Whatever the brokers are asked is one of these; none of them joins a group, commits, or begins a transaction. */
const READS = /^(ApiVersions|Metadata|DescribeConfigs|ListOffsets|Fetch)$/;

/** Calls to the task's JVM: a look-up, a login, reads, and the end of the session. */
const JMX_READS = /^(lookup|newClient|getAttributes?|queryNames|close)$/;

/**
 * Statements that change nothing: queries, the session's own settings, a LogMiner session that is never started, and
 * texts that stand in the block itself.
 */
const BLOCKS: readonly RegExp[] = [
  /^SELECT\b/,
  /^ALTER SESSION SET (CONTAINER|TIME_ZONE|NLS_\w+)\b/,
  /\bDBMS_LOGMNR\.(ADD_LOGFILE|END_LOGMNR)\b/,
  /\bSCN_TO_TIMESTAMP\b/,
  /\bEXECUTE IMMEDIATE texts\(i\)/,
];
const WRITES = /\b(INSERT|UPDATE|DELETE|MERGE|CREATE|DROP|GRANT|LOCK TABLE|FOR UPDATE|START_LOGMNR|COMMIT)\b/;

for (const [command, flags] of Object.entries(COMMANDS))
  looking(`${command} sends only reads, and leaves nothing behind`, async () => {
    const { options } = scenarioNamed("transactions");
    const sandbox = await startSandbox({
      ...options,
      state: "STOPPED",
      oracle: (world) => {
        makeReady(world);
        options.oracle?.(world);
      },
    });
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-looking-"));
    try {
      const [home, out, config] = [join(folder, "home"), join(folder, "out"), join(folder, "config.json")];
      await mkdir(home);
      await mkdir(out);
      await writeFile(config, JSON.stringify(sandbox.config));
      const before = { stored: sandbox.stored(), statements: sandbox.oracle.seen.length };
      const topics = ["orders.cdc.ops", "orders.cdc.signals", "orders.cdc.txjournal"];
      const held = async () => Promise.all(topics.map(async (topic) => (await sandbox.broker.records(topic)).length));
      const records = await held();

      const env = { HOME: home, CDCCTL_JMX_USER: "monitor", CDCCTL_JMX_PASSWORD: "jmx-secret" };
      const { exit, output } = await runHere([...command.split(" "), ...flags({ sandbox, config, out })], { env });
      assert.is(exit, 0, output);

      assert.equal(
        sandbox.connect.requests.filter(({ method }) => method !== "GET"),
        [],
      );
      assert.equal(
        sandbox.broker.requests.filter(({ api }) => !READS.test(api)),
        [],
      );
      assert.equal(
        (sandbox.jvm?.calls ?? []).filter((call) => !JMX_READS.test(call)),
        [],
      );
      for (const sql of sandbox.oracle.seen.slice(before.statements)) {
        assert.ok(
          BLOCKS.some((reads) => reads.test(sql.trim())),
          sql,
        );
        assert.not.match(sql.replace(/'[^']*'/g, "''"), WRITES);
      }
      assert.equal(sandbox.stored(), before.stored);
      assert.equal(await held(), records);
      assert.equal(await readdir(home), [], "neither state nor lock");
      assert.ok((await readdir(out)).length <= 1);
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true });
    }
  });

looking.run();
