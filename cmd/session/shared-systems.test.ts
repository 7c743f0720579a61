/** Several documents share the sessions of a database and of the brokers, and come to the same as each would alone. */
import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parsePlanFile } from "../../core/document/plan-file.ts";
import { asWritten } from "../../core/plan/plan.ts";
import { printJson } from "../../core/values/json.ts";
import { openTransaction, purge, removeFiles } from "../../providers/sandbox/faults.ts";
import type { OracleWorld } from "../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, type Sandbox, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import type { Host } from "../host.ts";
import { planIntents } from "./planning.ts";

const sharing = suite("documents that are planned together");

const CONNECTORS = [CONNECTOR, "billing-cdc", "shop-cdc", "stock-cdc", "mail-cdc"];
const MORE = CONNECTORS.slice(1).map((name) => ({ name, prefix: name.replace("-cdc", "") }));

async function withSandbox(options: SandboxOptions, act: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ state: "STOPPED", more: MORE, ...options });
  try {
    await act(sandbox);
  } finally {
    await sandbox.close();
  }
}

interface Asked {
  readonly connector: string;
  readonly kind?: "OffsetChange" | "Resnapshot";
  readonly spec: readonly string[];
}

function intentsOf(asked: readonly Asked[]) {
  const text = asked
    .map(
      ({ connector, kind = "OffsetChange", spec }, at) => `apiVersion: cdcctl/v1
kind: ${kind}
metadata: { name: "plan-${at}", reason: replay }
target: { connector: ${connector} }
spec: { ${spec.join(", ")} }
`,
    )
    .join("---\n");
  return parsePlanFile(text, "fleet.yaml").intents;
}

const everywhere = (connectors: readonly string[]) =>
  connectors.map((connector) => ({ connector, spec: ["scn: 2010000"] }));

function hostOf(output: string[] = []): Host {
  const stream = { write: (text: string) => void output.push(text), colour: false, columns: undefined };
  return {
    argv: [],
    env: { HOME: "/nonexistent" },
    stdout: stream,
    stderr: stream,
    interactive: false,
    ask: () => Promise.reject(new Error("nobody can be asked")),
    operator: "tester",
    interrupt: new AbortController().signal,
    patience: { connect: { callMillis: 8000, retryMillis: 2000, firstContactMillis: 2000 } },
  };
}

function plan(asked: readonly Asked[], sandbox: Sandbox, parallel = "8", output: string[] = []) {
  const flags = { "connect-url": sandbox.connect.url, files: ["fleet.yaml"], parallel };
  return planIntents(intentsOf(asked), flags, hostOf(output), { again: false });
}

/** All that a plan says but when it was made. */
const bytes = (one: Parameters<typeof asWritten>[0]) =>
  printJson(asWritten({ ...one, plannedAt: "2026-11-20T19:15:00Z" }));

const anySpec: fc.Arbitrary<Pick<Asked, "kind" | "spec">> = fc.oneof(
  fc.integer({ min: 1_990_000, max: 2_046_000 }).map((scn) => ({ spec: [`scn: ${scn}`, "allowSkip: true"] })),
  fc.constant({ spec: ["earliestAvailable: true"] }),
  fc.integer({ min: 1, max: 200 }).map((minutes) => ({
    spec: [`timestamp: ${new Date(Date.now() - 60_000 * minutes).toISOString().slice(0, 19)}Z`],
  })),
  fc.constant({
    kind: "Resnapshot" as const,
    spec: ["tables: [ORCLPDB1.SALES.ORDERS]", "skipGapForUnlistedTables: true"],
  }),
);

const CHANGES: readonly ((world: OracleWorld) => void)[] = [
  (world) => purge(world, 119n),
  (world) => removeFiles(world, 120n),
  (world) => openTransaction(world, 2_025_000n),
  (world) => world.denied.add("GV$TRANSACTION"),
  (world) => world.denied.add("V$ARCHIVED_LOG"),
];

sharing("give the same bytes as each alone, whatever the fleet and its database", async () => {
  const fleets = fc.record({
    changes: fc.subarray([...CHANGES]),
    asked: fc
      .subarray(CONNECTORS, { minLength: 2 })
      .chain((connectors) =>
        fc.tuple(...connectors.map((name) => anySpec.map((one) => ({ ...one, connector: name })))),
      ),
    parallel: fc.constantFrom("1", "2", "8"),
    oneTopic: fc.boolean(),
  });
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fleets, async ({ changes, asked, parallel, oneTopic }) => {
      const more = MORE.map((one) => (oneTopic ? { ...one, config: { "cdc.ops.topic": "orders.cdc.ops" } } : one));
      const oracle = (world: OracleWorld) => {
        for (const change of changes) change(world);
      };
      await withSandbox({ oracle, more }, async (sandbox) => {
        const together = await plan(asked, sandbox, parallel);
        assert.equal(together.unplanned, []);
        assert.is(together.plans.length, asked.length);
        for (const [at, one] of together.plans.entries()) {
          // The document keeps its place in the same file, so that lines are the same.
          const alone = await planIntents(
            intentsOf(asked).slice(at, at + 1),
            { "connect-url": sandbox.connect.url, files: ["fleet.yaml"] },
            hostOf(),
            { again: false },
          );
          assert.is(bytes(one), alone.plans[0] === undefined ? "" : bytes(alone.plans[0]));
          outcomes.add(one.outcome.state);
        }
      });
    }),
    { numRuns: 25 },
  );
  assert.ok(outcomes.has("ready") && outcomes.has("blocked"), [...outcomes].join());
});

sharing("read the database once, by two logins, for all of them", () =>
  withSandbox({}, async ({ oracle, ...sandbox }) => {
    await plan(everywhere(CONNECTORS), { oracle, ...sandbox });
    assert.is(oracle.logons, 2);
    for (const view of ["V$ARCHIVED_LOG", "V$LOG l", "V$THREAD", "V$DATABASE", "SCN_TO_TIMESTAMP", "ADD_LOGFILE"]) {
      const asked = oracle.seen.filter((sql) => sql.includes(view)).length;
      assert.is(asked, 1, `${view}: ${asked}`);
    }
  }),
);

sharing("try a wrong password once, and each reports the refusal", () =>
  withSandbox({ config: { "cdc.database.password": "wrong" } }, async (sandbox) => {
    const { plans, unplanned } = await plan(everywhere(CONNECTORS), sandbox);
    assert.is(plans.length, 0);
    assert.equal(
      unplanned.map(({ intent }) => intent.target.connector),
      CONNECTORS,
    );
    for (const { error } of unplanned) assert.match(error.message, /^fleet\.yaml, plan-\d: .*(ORA-01017|password)/);
    assert.is(sandbox.oracle.logons, 1);
  }),
);

sharing("query a database with other settings by separate sessions, whose failure affects no other document", () =>
  withSandbox({}, async (sandbox) => {
    const [first = "", second = "", ...others] = CONNECTORS;
    const { config = {} } = (await sandbox.connect.cluster.connectors.get(second)) ?? {};
    await sandbox.connect.cluster.create(
      "other-cdc",
      { ...config, "cdc.topic.prefix": "other", "cdc.database.password": "wrong" },
      "STOPPED",
    );
    const { plans, unplanned } = await plan(everywhere([first, "other-cdc", second, ...others]), sandbox);
    assert.equal(
      unplanned.map(({ at, intent }) => [at, intent.target.connector]),
      [[1, "other-cdc"]],
    );
    assert.is(plans.length, CONNECTORS.length);
    assert.is(sandbox.oracle.logons, 3);
  }),
);

sharing("query the database only after every stored offset was read, so that none is above its current SCN", () =>
  withSandbox({}, async (sandbox) => {
    let read: number | undefined;
    sandbox.oracle.fault = (sql) => {
      if (read === undefined && sql.includes("V$DATABASE"))
        read = sandbox.connect.requests.filter(({ path }) => path.endsWith("/offsets")).length;
      return undefined;
    };
    await plan(everywhere(CONNECTORS), sandbox, "1");
    assert.is(read, CONNECTORS.length);
  }),
);

sharing("do not wait for a document that was cancelled", () =>
  withSandbox({}, async (sandbox) => {
    const { plans, unplanned } = await plan(everywhere(["gone-cdc", ...CONNECTORS, "far-cdc"]), sandbox, "2");
    assert.is(plans.length, CONNECTORS.length);
    assert.equal(
      unplanned.map(({ at }) => at),
      [0, CONNECTORS.length + 1],
    );
  }),
);

sharing("print a note about the database once", () =>
  withSandbox(
    { config: { "cdc.database.connection.properties": "oracle.net.READ_TIMEOUT=60000;defaultRowPrefetch=7" } },
    async (sandbox) => {
      const output: string[] = [];
      await plan(everywhere(CONNECTORS), sandbox, "8", output);
      const notes = output.filter((line) => line.startsWith("note:"));
      assert.is(notes.length, 1, notes.join(""));
    },
  ),
);

sharing.run();
