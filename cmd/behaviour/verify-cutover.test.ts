import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, type Json, type JsonObject, parseJson } from "../../core/values/json.ts";
import { openConnect } from "../../providers/connect/connect.ts";
import { until } from "../../providers/connect/contract.ts";
import { quickClock } from "../../providers/connect/testing/test-clock.ts";
import { GZIP, type NewRecord } from "../../providers/sandbox/kafka/encode-batch.ts";
import { DELIVERY_FAULTS, type DeliveryFault } from "../../providers/sandbox/migration/faults.ts";
import { LEGACY_TOPIC } from "../../providers/sandbox/migration/legacy-task.ts";
import { NEW_CONNECTOR, NEW_TOPIC } from "../../providers/sandbox/migration/scenario.ts";
import { LEGACY_CONNECTOR } from "../../providers/sandbox/migration/stage.ts";
import { CLUSTER_ID, type Sandbox } from "../../providers/sandbox/sandbox.ts";
import { putRow, tableRows } from "../../providers/sandbox/table-rows.ts";
import { CHECK_SCN, cutOverSandbox, resumeScn, stopDivision } from "./cut-over.ts";
import { type Finished, runHere } from "./run-command.ts";

const verifying = suite("the verification of a cutover");

interface Verifying {
  readonly sandbox: Sandbox;
  readonly dir: string;
  /** `migrate verify` of SALES.ORDERS at the check SCN, with further words. */
  verify(...more: readonly string[]): Promise<Finished>;
  /** The same, and the evidence that it wrote. */
  evidence(...more: readonly string[]): Promise<{ readonly exit: Finished["exit"]; readonly evidence: JsonObject }>;
  run(...words: readonly string[]): Promise<Finished>;
  /** Aborts what runs now. */
  stop(): void;
}

async function afterCutover(
  faults: readonly DeliveryFault[],
  body: (verifying: Verifying) => Promise<void>,
): Promise<void> {
  const sandbox = await cutOverSandbox(...faults);
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-verify-"));
  const env = { HOME: dir, XDG_STATE_HOME: join(dir, "state") };
  let running = new AbortController();
  const run = (...words: readonly string[]) => {
    running = new AbortController();
    return runHere(words, { env, interrupt: running.signal });
  };
  const verify = (...more: readonly string[]) =>
    run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", "SALES.ORDERS"],
      ...(more.includes("--legacy-topic") ? [] : ["--legacy-topic", LEGACY_TOPIC]),
      ...(more.includes("--check-scn") ? [] : ["--check-scn", String(CHECK_SCN)]),
      ...more,
    );
  try {
    await body({
      sandbox,
      dir,
      run,
      verify,
      stop: () => running.abort(),
      async evidence(...more) {
        const path = join(dir, `evidence-${Math.random().toString(36).slice(2)}.json`);
        const { exit, output } = await verify("--output", path, ...more);
        const text = await readFile(path, "utf8").catch(() => assert.unreachable(output));
        return { exit, evidence: object(parseJson(text ?? "")) };
      },
    });
  } finally {
    await sandbox.close();
    await rm(dir, { recursive: true, force: true });
  }
}

function object(json: Json | undefined): JsonObject {
  if (!isObject(json)) throw new Error("no object");
  return json;
}

const tableOf = ({ tables }: JsonObject): JsonObject => object((tables as readonly Json[])[0]);
const failuresOf = (evidence: JsonObject): readonly JsonObject[] =>
  (tableOf(evidence)["firstFailures"] as readonly Json[]).map(object);

verifying("passes where nothing was lost: the overlap, the open transaction, the deletes, 9007199254740993", () =>
  afterCutover([], async ({ evidence }) => {
    const { exit, evidence: found } = await evidence();
    assert.is(found["outcome"], "pass", JSON.stringify(tableOf(found)["reasons"]));
    assert.is(exit, 0);
    const table = tableOf(found);
    assert.is(table["table"], "ORCLPDB1.SALES.ORDERS");
    assert.equal(table["key"], ["ORDER_ID"]);
    const keys = object(table["keys"]);
    assert.ok((keys["compared"] as bigint) > 0n && (keys["byLegacy"] as bigint) > 0n);
    assert.is(keys["inTable"], keys["inTopics"]);
    assert.is(object(found["position"])["checkScn"], CHECK_SCN);
  }),
);

const WRONG: Readonly<
  Record<Exclude<DeliveryFault, "wrong-type">, readonly [key: string, reason: string, columns: readonly string[]]>
> = {
  "lost-row": ["1024", "in-neither-topic", []],
  "stale-value": ["1021", "values-differ", ["STATUS"]],
  "rounded-value": ["1023", "values-differ", ["REFERENCE"]],
  "legacy-only-row": ["1010", "only-in-legacy-topic", []],
  "deleted-row-kept": ["1026", "still-in-topic", []],
};

verifying(`cannot compare where ${DELIVERY_FAULTS["wrong-type"].about}, and says so`, () =>
  afterCutover(["wrong-type"], async ({ evidence }) => {
    const { exit, evidence: found } = await evidence();
    assert.is(exit, 1);
    assert.is(found["outcome"], "inconclusive");
    const [unreadable] = (tableOf(found)["unreadable"] as readonly Json[]).map(object);
    assert.is(unreadable?.["side"], "new topic");
    assert.match(String(unreadable?.["why"]), "REFERENCE");
  }),
);

for (const [fault, [key, reason, columns]] of Object.entries(WRONG))
  verifying(`finds that ${DELIVERY_FAULTS[fault as DeliveryFault].about}`, () =>
    afterCutover([fault as DeliveryFault], async ({ evidence, verify }) => {
      const { exit, evidence: found } = await evidence();
      assert.is(exit, 1);
      assert.is(found["outcome"], "fail");
      assert.equal(
        failuresOf(found).map((one) => [object(one["key"])["ORDER_ID"], one["reason"], one["columns"]]),
        [[key, reason, columns]],
      );
      const { exit: again, output } = await verify();
      assert.is(again, 1);
      assert.match(output, "FAILED");
      assert.match(output, `ORDER_ID=${key}`);
    }),
  );

verifying("shows the differing values only to a user who requests them", () =>
  afterCutover(["stale-value"], async ({ dir, evidence, verify }) => {
    const silent = await verify("--report", join(dir, "silent.md"));
    for (const text of [silent.output, await readFile(join(dir, "silent.md"), "utf8")]) assert.not.match(text, "PAID");
    assert.not.match(JSON.stringify((await evidence()).evidence, bigints), "PAID");
    const shown = await verify("--show-values", "--output", join(dir, "shown.json"));
    assert.match(shown.output, 'STATUS: "SHIPPED" in the table, "PAID" in the topic');
    assert.is((await stat(join(dir, "shown.json"))).mode & 0o777, 0o600);
  }),
);

const bigints = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);

verifying("gives the same findings each time: one digest of the findings", () =>
  afterCutover(["lost-row", "stale-value"], async ({ sandbox, evidence }) => {
    const one = await evidence();
    const before = resumeScn(sandbox);
    await until("the connector goes on", async () => resumeScn(sandbox) > before);
    const other = await evidence("--memory", "256MB");
    assert.equal(other.evidence["tables"], one.evidence["tables"]);
    assert.is(other.evidence["findings"], one.evidence["findings"]);
    assert.is(one.evidence["outcome"], "fail");
  }),
);

verifying("gives the same findings after the topic has grown", () =>
  afterCutover([], async ({ sandbox, evidence }) => {
    const { broker } = sandbox;
    const one = await evidence();
    const last = (await broker.records(NEW_TOPIC)).findLast(({ value }) => value !== null);
    if (last?.value == null) throw new Error("no record");
    const later = Buffer.from(last.value)
      .toString("utf8")
      .replace(/("(?:commit_)?scn":"?)\d+/g, `$1${CHECK_SCN + 1n}`);
    broker.append(NEW_TOPIC, { key: last.key, value: Buffer.from(later) });
    const other = await evidence();
    const count = ({ evidence: found }: typeof one) => object(tableOf(found)["newRecords"])["count"] as bigint;
    assert.is(count(other), count(one) + 1n);
    assert.is(other.evidence["outcome"], "pass");
    assert.is(other.evidence["findings"], one.evidence["findings"]);
  }),
);

verifying("leaves out a column that the operator names, and says so", () =>
  afterCutover(["stale-value"], async ({ evidence, verify }) => {
    const { exit, evidence: found } = await evidence("--ignore-column", "status");
    assert.is(exit, 0);
    assert.equal(tableOf(found)["leftOut"], [{ column: "STATUS", why: "named by --ignore-column" }]);
    const stranger = await verify("--ignore-column", "STATE");
    assert.is(stranger.exit, 1);
    assert.match(stranger.output, "VER104");
  }),
);

verifying("its evidence is verified offline, and edited evidence is refused", () =>
  afterCutover([], async ({ sandbox, dir, verify, run }) => {
    const path = join(dir, "evidence.json");
    assert.is((await verify("--output", path)).exit, 0);
    await sandbox.close();
    const whole = await run("migrate", "verify", "--check-evidence", path);
    assert.is(whole.exit, 0, whole.output);
    assert.match(whole.output, "passed");
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace('"ORDER_ID"', '"ORDER_NO"'));
    const edited = await run("migrate", "verify", "--check-evidence", path);
    assert.is(edited.exit, 1);
    assert.match(edited.output, "VER107");
  }),
);

verifying("reports the findings even if its file can no longer be written", () =>
  afterCutover(["lost-row"], async ({ sandbox, dir, verify }) => {
    const folder = join(dir, "evidence");
    await mkdir(folder);
    const { currentScn } = sandbox.oracle;
    // Somebody clears up while the tables are compared.
    sandbox.oracle.currentScn = () => {
      rmSync(folder, { recursive: true, force: true });
      return currentScn();
    };
    const { exit, output } = await verify("--output", join(folder, "orders.json"));
    assert.is(exit, 64);
    assert.match(output, "FAILED");
    assert.match(output, /orders\.json.*cannot be written|cannot be written.*orders\.json/);
  }),
);

verifying("waits for the connector to pass the check SCN, up to a limit", () =>
  afterCutover([], async ({ sandbox, verify }) => {
    const now = sandbox.oracle.currentScn();
    assert.ok(resumeScn(sandbox) <= now);
    assert.is((await verify("--check-scn", String(now), "--wait", "20s")).exit, 0);
    assert.match((await verify("--check-scn", "2999999")).output, "VER101");
    sandbox.oracle.currentScn = () => 3_000_000n;
    const never = await verify("--check-scn", "2999999", "--wait", "0s");
    assert.is(never.exit, 1);
    assert.match(never.output, "VER102");
  }),
);

/** Just below the commit of a transaction that both delivered, and not below its changes. */
function insideOverlap(sandbox: Sandbox): bigint {
  const shared = sandbox.migration?.activity.history().transactions.find(({ xid }) => xid === "6.2.902");
  if (shared === undefined) throw new Error("no such transaction");
  const checkScn = shared.commitScn - 1n;
  assert.ok(shared.changes.length > 0 && shared.changes.every(({ scn }) => scn <= checkScn));
  return checkScn;
}

verifying(
  "refuses a check SCN below the legacy connector's last commit, whose records hold the SCN of their change",
  () =>
    afterCutover([], async ({ sandbox, verify }) => {
      const { exit, output } = await verify("--check-scn", String(insideOverlap(sandbox)));
      assert.is(exit, 1);
      assert.match(output, "VER109");
      assert.match(output, "--check-scn 2044960");
      assert.is((await verify("--check-scn", "2044960")).exit, 0);
    }),
);

verifying("fails no key because of such a record where the legacy connector's last position is unknown", () =>
  afterCutover([], async ({ sandbox, evidence }) => {
    const connect = openConnect({ url: sandbox.connect.url, clock: quickClock() });
    assert.is((await connect.deleteConnector(LEGACY_CONNECTOR)).answer, "applied");
    await connect.close();
    const { exit, evidence: found } = await evidence("--check-scn", String(insideOverlap(sandbox)));
    assert.is(exit, 1);
    assert.is(found["outcome"], "inconclusive", JSON.stringify(tableOf(found)["reasons"]));
    assert.equal(failuresOf(found), []);
    const doubts = (tableOf(found)["firstDoubts"] as readonly Json[]).map(object);
    assert.equal(
      doubts.map((one) => [object(one["key"])["ORDER_ID"], one["reason"]]),
      [
        ["1021", "commit-unknown"],
        ["1022", "commit-unknown"],
      ],
    );
    assert.match(String(tableOf(found)["remarks"]), "these workers have no legacy connector of it");
  }),
);

verifying("uses the commit SCN where the legacy connector writes it, at any check SCN", () =>
  afterCutover([], async ({ sandbox, dir, evidence }) => {
    const { broker, migration } = sandbox;
    const commits = new Map(
      migration?.activity
        .history()
        .transactions.flatMap(({ commitScn, changes }) => changes.map(({ scn }) => [scn, commitScn] as const)),
    );
    const records = await broker.records(LEGACY_TOPIC);
    broker.createTopic("with-commits");
    for (const { key, value } of records) {
      const text = Buffer.from(value ?? []).toString("utf8");
      const scn = /"scn":"(\d+)"/.exec(text)?.[1] ?? "0";
      const commit = `"commit_scn":"${commits.get(BigInt(scn)) ?? scn}","scn":"`;
      broker.append("with-commits", { key, value: value && Buffer.from(text.replace('"scn":"', commit)) });
    }
    const legacy = join(dir, "legacy.json");
    await writeFile(legacy, JSON.stringify({ ...migration?.legacyConfig, "output.commit.scn.field": "commit_scn" }));
    const { exit, evidence: found } = await evidence(
      ...["--check-scn", String(insideOverlap(sandbox)), "--legacy-topic", "with-commits", "--legacy-config", legacy],
    );
    assert.is(found["outcome"], "pass", JSON.stringify(tableOf(found)["reasons"]));
    assert.is(exit, 0);
  }),
);

verifying("uses the SCN of the safety margin ago where none is given", () =>
  afterCutover([], async ({ run, sandbox, dir }) => {
    const path = join(dir, "evidence.json");
    const { exit, output } = await run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", "sales.orders", "--legacy-topic", `SALES.ORDERS=${LEGACY_TOPIC}`, "--output", path],
      ...["--safety-margin", "1s"],
    );
    assert.is(exit, 0, output);
    assert.match(output, "by the safety margin");
  }),
);

for (const [what, code, change] of [
  ["undo does not reach back to", "ORA-01555", (sandbox: Sandbox) => set(sandbox, { undoFrom: CHECK_SCN + 1n })],
  [
    "the table's definition is younger than",
    "ORA-01466",
    (sandbox: Sandbox) => set(sandbox, { definedAt: CHECK_SCN + 1n }),
  ],
] as const)
  verifying(`is inconclusive where ${what} the check SCN`, () =>
    afterCutover([], async ({ sandbox, dir, evidence }) => {
      change(sandbox);
      const { exit, evidence: found } = await evidence();
      assert.is(exit, 1);
      assert.is(found["outcome"], "inconclusive");
      assert.match(String(tableOf(found)["reasons"]), code);
      assert.equal(await readdir(join(dir, "state", "cdcctl", "verify")).catch(() => []), []);
    }),
  );

function set({ oracle }: Sandbox, change: object): void {
  const rows = oracle.tables.find(({ name }) => name === "ORDERS")?.rows;
  if (rows === undefined) throw new Error("no rows");
  Object.assign(rows, change);
}

verifying("is inconclusive with an unreadable record, and names its position", () =>
  afterCutover([], async ({ sandbox, evidence }) => {
    sandbox.broker.append(NEW_TOPIC, { key: Buffer.from('{"ORDER_ID":1}'), value: Buffer.from("\u0000avro") });
    const { exit, evidence: found } = await evidence();
    assert.is(exit, 1);
    assert.is(found["outcome"], "inconclusive");
    const [unreadable] = tableOf(found)["unreadable"] as readonly Json[];
    assert.is(object(unreadable)["side"], "new topic");
  }),
);

const AVRO = "\u0000avro";
for (const [what, key, value, outcome, doubt] of [
  ["of another key", "1023", AVRO, "fail", []],
  ["of another key that does not say its table", "1023", '{"ORDER_ID":1023}', "fail", []],
  ["of the lost key", "1024", AVRO, "inconclusive", ["legacy-unreadable"]],
  ["of an unreadable key", AVRO, AVRO, "inconclusive", []],
] as const)
  verifying(`is ${outcome} by a lost row beside an unreadable legacy record ${what}, and names its key`, () =>
    afterCutover(["lost-row"], async ({ sandbox, verify, evidence }) => {
      sandbox.broker.append(LEGACY_TOPIC, { key: Buffer.from(key), value: Buffer.from(value) });
      const { exit, evidence: found } = await evidence();
      assert.equal([exit, found["outcome"]], [1, outcome]);
      const { firstFailures, firstDoubts, unreadable } = tableOf(found);
      const reasons = [firstFailures, firstDoubts].map((of) =>
        (of as readonly Json[]).map((one) => object(one)["reason"]),
      );
      assert.equal(reasons, [doubt.length === 0 ? ["in-neither-topic"] : [], doubt]);
      const named = key === AVRO ? undefined : { ORDER_ID: key };
      assert.equal(object((unreadable as readonly Json[])[0])["key"], named);
      const { output } = await verify();
      assert.is(/unreadable .*, of ORDER_ID=(\d+)/.exec(output.replaceAll(/\s+/g, " "))?.[1], named?.ORDER_ID);
    }),
  );

verifying("reads compressed, transactional and compacted topics: markers and aborted records are ignored", () =>
  afterCutover([], async ({ sandbox, dir, run }) => {
    const { broker } = sandbox;
    const { state } = broker;
    const transaction = (topic: string, records: readonly NewRecord[], outcome: "abort" | "commit") => {
      const { id, epoch } = state.producer(`${topic}-task`);
      state.touch(id, topic, 0);
      broker.append(topic, records, {
        ...{ compression: GZIP, transactional: true, producerId: id, producerEpoch: epoch, baseSequence: 0 },
      });
      state.endTransaction(id, outcome);
    };
    for (const [from, to] of [
      [NEW_TOPIC, "new-exactly-once"],
      [LEGACY_TOPIC, "legacy-exactly-once"],
    ] as const) {
      const records = await broker.records(from);
      broker.createTopic(to, { configs: { "cleanup.policy": "compact" } });
      transaction(to, [{ key: null, value: Buffer.from("no JSON") }], "commit");
      for (const { key, value, headers } of records) transaction(to, [{ key, value, headers }], "commit");
      // A deletion of every key: none of it was committed.
      transaction(
        to,
        records.map(({ key, headers }) => ({ key, value: null, headers })),
        "abort",
      );
      // Compaction does the same: offsets are missing, and nothing is left of some transactions but their markers.
      state.topics.get(to)?.partitions[0]?.drop(({ baseOffset }) => baseOffset === 0n);
    }
    const path = join(dir, "evidence.json");
    const { exit, output } = await run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", "SALES.ORDERS=new-exactly-once", "--legacy-topic", "legacy-exactly-once"],
      ...["--check-scn", String(CHECK_SCN), "--output", path],
    );
    assert.is(exit, 0, output);
    const found = tableOf(object(parseJson(await readFile(path, "utf8"))));
    const { newRecords, keys } = found;
    assert.is(object(newRecords)["count"], BigInt((await broker.records(NEW_TOPIC)).length));
    assert.ok((object(keys)["compared"] as bigint) > 0n);
  }),
);

verifying("first reports which records the topics no longer hold", () =>
  afterCutover([], async ({ evidence }) => {
    const { evidence: found } = await evidence();
    assert.match(String(tableOf(found)["remarks"]), `${NEW_TOPIC} keeps records for 7 d`);
  }),
);

verifying("resumes after an interruption, with the SCN it began with", () =>
  afterCutover([], async ({ sandbox, dir, verify, run, stop }) => {
    sandbox.failBroker(({ api }) => {
      if (api === "Fetch") stop();
      return undefined;
    });
    const first = await verify();
    sandbox.failBroker(undefined);
    assert.is(first.exit, 1);
    assert.match(first.output, "Interrupted");
    const spools = () => readdir(join(dir, "state", "cdcctl", "verify"));
    const [spool, ...others] = await spools();
    assert.equal(others, []);
    assert.match(spool ?? "", CLUSTER_ID, "of another cluster, a connector of the same name has its own");
    const second = await run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", "SALES.ORDERS", "--legacy-topic", LEGACY_TOPIC],
    );
    assert.is(second.exit, 0, second.output);
    assert.match(second.output, `check SCN ${CHECK_SCN} (of the interrupted run)`);
    assert.match(second.output, "resuming an interrupted run");
    assert.equal(await spools(), []);
  }),
);

for (const fault of ["hang", "freeze"] as const)
  verifying(`ends on Ctrl-C while the table is divided, also if the database would ${fault}`, () =>
    afterCutover([], async ({ sandbox, verify, stop }) => {
      const millisSince = stopDivision(sandbox, fault, stop);
      const { exit, output } = await verify();
      assert.ok(millisSince() < 10_000, `${millisSince()} ms`);
      assert.is(exit, 1);
      assert.match(output, "Interrupted");
      sandbox.oracle.fault = undefined;
      const again = await verify();
      assert.is(again.exit, 0, again.output);
    }),
  );

verifying("does not resume from the files that an interrupted run of an earlier connector of that name left", () =>
  afterCutover([], async ({ sandbox, verify, run, stop }) => {
    sandbox.failBroker(({ api }) => {
      if (api === "Fetch") stop();
      return undefined;
    });
    assert.match((await verify()).output, "Interrupted");
    sandbox.failBroker(undefined);
    const connector = sandbox.connect.cluster.connectors.get(NEW_CONNECTOR);
    assert.ok(connector);
    connector.config = { ...connector.config, "cdc.start.scn": String(CHECK_SCN) };
    const { exit, output } = await run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", "SALES.ORDERS", "--legacy-topic", LEGACY_TOPIC, "--safety-margin", "0s"],
    );
    assert.is(exit, 0, output);
    assert.match(output, "(by the safety margin)");
    assert.not.match(output, "resuming an interrupted run");
  }),
);

verifying("reports the failure when the brokers become unreachable, and resumes once they are back", () =>
  afterCutover([], async ({ sandbox, verify }) => {
    sandbox.failBroker(({ api }) => (api === "Fetch" ? "disconnect-before" : undefined));
    const broken = await verify();
    assert.is(broken.exit, 1);
    assert.match(broken.output, `read ${NEW_TOPIC}`);
    sandbox.failBroker(undefined);
    const again = await verify();
    assert.is(again.exit, 0, again.output);
    assert.match(again.output, "resuming an interrupted run");
  }),
);

verifying("reads the table over a new connection when one breaks", () =>
  afterCutover([], async ({ sandbox, verify }) => {
    let breaks = 1;
    sandbox.oracle.fault = (sql) => (sql.includes("ROWNUM <= :most") && breaks-- > 0 ? "disconnect" : undefined);
    assert.is((await verify()).exit, 0);
    assert.ok(breaks <= 0);
  }),
);

verifying("names the grants that a flashback read of the table requires", () =>
  afterCutover([], async ({ sandbox, verify }) => {
    sandbox.oracle.denied.add("FLASHBACK ANY TABLE");
    const denied = await verify();
    assert.is(denied.exit, 1);
    assert.match(denied.output, "GRANT FLASHBACK ANY TABLE TO C##CDC CONTAINER=ALL;");
  }),
);

/** A table without a key, beside the one of the script, with its topic. */
function addNotes({ oracle, broker }: Sandbox, delivered: readonly (readonly [id: number, text: string])[]): void {
  const rows = tableRows([]);
  for (const values of [
    ["1", "a"],
    ["1", "a"],
    ["2", "b"],
  ])
    putRow(rows, 2_045_050n, values);
  oracle.tables.push({
    owner: "SALES",
    name: "Notes",
    pdb: "ORCLPDB1",
    columns: [
      { name: "ID", dataType: "NUMBER", precision: 9n, scale: 0n, nullable: false },
      { name: "TEXT", dataType: "VARCHAR2", nullable: false },
    ],
    rows,
  });
  broker.createTopic("orders.ORCLPDB1.SALES.Notes", { partitions: 2 });
  for (const [at, [ID, TEXT]] of delivered.entries())
    broker.append(
      "orders.ORCLPDB1.SALES.Notes",
      {
        key: null,
        value: Buffer.from(
          JSON.stringify({
            after: { ID, TEXT },
            source: { pdb: "ORCLPDB1", schema: "SALES", table: "Notes", commit_scn: "2045050" },
            op: "c",
          }),
        ),
      },
      { partition: at % 2 },
    );
}

verifying("verifies several tables, one of them without a key, each with a separate outcome", () =>
  afterCutover([], async ({ sandbox, dir, run }) => {
    addNotes(sandbox, [
      [1, "a"],
      [2, "b"],
    ]);
    const path = join(dir, "evidence.json");
    const { exit, output } = await run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", "SALES.ORDERS", "--table", 'SALES."Notes"', "--legacy-topic", `SALES.ORDERS=${LEGACY_TOPIC}`],
      ...["--check-scn", String(CHECK_SCN), "--output", path],
    );
    assert.is(exit, 1, output);
    const { tables } = object(parseJson(await readFile(path, "utf8")));
    assert.equal(
      (tables as readonly Json[]).map(object).map(({ table, outcome, key, reasons }) => [table, outcome, key, reasons]),
      [
        ["ORCLPDB1.SALES.Notes", "fail", [], ["1 not as often in the topics as in the table"]],
        ["ORCLPDB1.SALES.ORDERS", "pass", ["ORDER_ID"], []],
      ],
    );
    assert.not.match(output, '"a"', "values of a row without key are values");
  }),
);

verifying("does not pass a table whose topic belongs to another table with the same rows", () =>
  afterCutover([], async ({ sandbox, dir, run }) => {
    addNotes(sandbox, [
      [1, "a"],
      [1, "a"],
      [2, "b"],
    ]);
    const { tables } = sandbox.oracle;
    const notes = tables.find(({ name }) => name === "Notes");
    assert.ok(notes);
    tables.push({ ...notes, name: "Copies" });
    const topic = "orders.ORCLPDB1.SALES.Notes";
    const path = join(dir, "evidence.json");
    const { exit, output } = await run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", `SALES."Notes"=${topic}`, "--table", `SALES."Copies"=${topic}`],
      ...["--check-scn", String(CHECK_SCN), "--output", path],
    );
    assert.is(exit, 1, output);
    const found = (object(parseJson(await readFile(path, "utf8")))["tables"] as readonly Json[]).map(object);
    assert.equal(
      found.map(({ table, outcome }) => [table, outcome]),
      [
        ["ORCLPDB1.SALES.Copies", "inconclusive"],
        ["ORCLPDB1.SALES.Notes", "pass"],
      ],
    );
    assert.match(String(found[0]?.["reasons"]), `${topic} holds no record of ORCLPDB1.SALES.Copies`);
    assert.match(output, `${topic} holds no record of ORCLPDB1.SALES.Copies`);
  }),
);

verifying("does not count another table's records or tombstones in its own topic", () =>
  afterCutover(["lost-row"], async ({ sandbox, evidence }) => {
    const source = { pdb: "ORCLPDB1", schema: "SALES", table: "ARCHIVE", commit_scn: "2045000" };
    const key = Buffer.from('{"ORDER_ID":1024}');
    const records = await sandbox.broker.records(NEW_TOPIC);
    for (const value of [
      { before: null, after: { ORDER_ID: 1024 }, source, op: "c" },
      { before: { ORDER_ID: 1021 }, after: null, source, op: "d" },
    ])
      sandbox.broker.append(NEW_TOPIC, { key, value: Buffer.from(JSON.stringify(value)) });
    sandbox.broker.append(NEW_TOPIC, { key: Buffer.from('{"ORDER_ID":1021}'), value: null });
    const { exit, evidence: found } = await evidence();
    assert.is(exit, 1);
    assert.equal(
      failuresOf(found).map((one) => [object(one["key"])["ORDER_ID"], one["reason"]]),
      [["1024", "in-neither-topic"]],
    );
    assert.is(object(tableOf(found)["newRecords"])["otherTables"], 3n);
    assert.is(object(tableOf(found)["newRecords"])["count"], BigInt(records.length));
  }),
);

/**
 * A table with columns of many types, keyed by `cdc.key.columns`, and one without key, as a connector with these
 * settings delivers them.
 */
function addEvents({ oracle, broker, connect }: Sandbox): void {
  const connector = connect.cluster.connectors.get(NEW_CONNECTOR);
  assert.ok(connector);
  connector.config = {
    ...connector.config,
    "cdc.temporal.mode": "iso_string",
    "cdc.decimal.mode": "double",
    "cdc.key.columns": "SALES.EVENTS:CODE",
    "cdc.key.missing": "rowid",
  };
  const column = (name: string, dataType: string, rest: object = {}) => ({ name, dataType, nullable: true, ...rest });
  const rows = tableRows([1]);
  const put = (...cells: readonly (string | null)[]) => putRow(rows, 2_045_050n, cells);
  put("1", "A", "0001-01-01 00:00:00", "1969-12-31 23:59:59.500000", "-02 03:04:05.500000", "+01-06", ".1", "x", null);
  put(
    "2",
    "B",
    "2026-11-20 18:30:00",
    "0099-12-31 00:00:00.000001",
    "+00 00:00:00.000000",
    "-01-06",
    "9007199254740993",
    null,
    "new",
  );
  oracle.tables.push({
    ...{ owner: "SALES", name: "EVENTS", pdb: "ORCLPDB1", rows, primaryKey: { name: "EVENTS_PK", columns: ["ID"] } },
    columns: [
      { ...column("ID", "NUMBER", { precision: 9n, scale: 0n }), nullable: false },
      { ...column("CODE", "VARCHAR2"), nullable: false },
      column("AT", "DATE"),
      column("STAMP", "TIMESTAMP(6)", { scale: 6n }),
      column("LASTED", "INTERVAL DAY(2) TO SECOND(6)", { precision: 2n, scale: 6n }),
      column("TERM", "INTERVAL YEAR(2) TO MONTH", { precision: 2n }),
      column("ANY", "NUMBER"),
      column("TEXT", "CLOB"),
      column("ADDED", "VARCHAR2"),
    ],
  });
  const left = tableRows([]);
  putRow(left, 2_045_060n, ["1", "kept"]);
  oracle.tables.push({
    ...{ owner: "SALES", name: "MARKS", pdb: "ORCLPDB1", rows: left },
    columns: [column("ID", "NUMBER", { precision: 9n, scale: 0n }), column("TEXT", "VARCHAR2")],
  });
  const deliver = (table: string, key: object | null, value: object | null): void => {
    const topic = `orders.ORCLPDB1.SALES.${table}`;
    if (!broker.state.topics.has(topic)) broker.createTopic(topic);
    const source = { db: "ORCLPDB1", schema: "SALES", table };
    const whole = value && { ...value, source: { ...source, ...(value as { source: object }).source } };
    broker.append(topic, {
      key: key && Buffer.from(JSON.stringify(key)),
      value: whole && Buffer.from(JSON.stringify(whole)),
    });
  };
  const change = (op: string, after: object | null, scn: bigint, before: object | null = null) => ({
    ...{ before, after, op, source: { commit_scn: String(scn) } },
  });
  const first = { ID: 1, CODE: "A", AT: "0001-01-01T00:00", STAMP: "1969-12-31T23:59:59.500" };
  const second = { ID: 2, CODE: "B", AT: "2026-11-20T18:30", STAMP: "0099-12-31T00:00:00.000001" };
  const ofFirst = { LASTED: "PT-51H-4M-5.5S", TERM: "P1Y6M", ANY: 0.1 };
  const ofSecond = { LASTED: "PT0S", TERM: "P-1Y-6M", ANY: 9007199254740992 };
  deliver("EVENTS", { CODE: "A" }, change("c", { ...first, ...ofFirst }, 2_045_050n));
  // The first change is from before the column was added, the second from after it.
  deliver("EVENTS", { CODE: "B" }, change("c", { ...second, ...ofSecond }, 2_045_049n));
  deliver("EVENTS", { CODE: "B" }, change("u", { ...second, ...ofSecond, ADDED: "new" }, 2_045_050n));
  const rowid = { ROWID: "AAAR3sAAEAAAA00001" };
  const mark = { ID: 1, TEXT: "kept" };
  const gone = { ID: 2, TEXT: "gone" };
  deliver("MARKS", rowid, change("c", gone, 2_045_050n));
  deliver("MARKS", rowid, change("d", null, 2_045_051n, gone));
  deliver("MARKS", rowid, null);
  // A truncate and the row after it, and both again after a restart.
  for (let again = 0; again < 2; again++) {
    deliver("MARKS", null, change("t", null, 2_045_055n));
    deliver("MARKS", rowid, change("c", mark, 2_045_060n));
  }
}

verifying(
  "passes what these settings deliver: ISO 8601 times, doubles, other keys, added columns, a truncate twice",
  () =>
    afterCutover([], async ({ sandbox, dir, run }) => {
      addEvents(sandbox);
      const path = join(dir, "evidence.json");
      const { output } = await run(
        ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
        ...["--table", "SALES.EVENTS", "--table", "SALES.MARKS"],
        ...["--check-scn", String(CHECK_SCN), "--output", path],
      );
      const { tables } = object(parseJson(await readFile(path, "utf8")));
      assert.equal(
        (tables as readonly Json[])
          .map(object)
          .map(({ table, outcome, key, reasons, unreadable }) => [table, outcome, key, reasons, unreadable]),
        [
          ["ORCLPDB1.SALES.EVENTS", "pass", ["CODE"], [], []],
          ["ORCLPDB1.SALES.MARKS", "pass", [], [], []],
        ],
        output,
      );
      const [events] = (tables as readonly Json[]).map(object);
      assert.equal(events?.["leftOut"], [{ column: "TEXT", why: "a LOB, under cdc.lob.mode=skip" }]);
      assert.match(String(events?.["remarks"]), "compared as doubles, as cdc.decimal.mode=double delivers them: ANY");
    }),
);

/** A table that has grown by columns with a DEFAULT since its only record; the row has these values in them. */
function addGrown({ oracle, broker }: Sandbox, ...added: readonly string[]): void {
  const column = (name: string, dataType: string, byDefault?: string) => ({
    ...{ name, dataType, nullable: false },
    ...(byDefault === undefined ? {} : { byDefault }),
  });
  const rows = tableRows([0]);
  putRow(rows, 2_045_050n, ["1", ...added]);
  oracle.tables.push({
    ...{ owner: "SALES", name: "GROWN", pdb: "ORCLPDB1", rows, primaryKey: { name: "GROWN_PK", columns: ["ID"] } },
    columns: [
      { ...column("ID", "NUMBER"), precision: 9n, scale: 0n },
      column("STATUS", "VARCHAR2", "'NEW'"),
      { ...column("GRADE", "NUMBER", "-1"), precision: 3n, scale: 0n },
      column("SINCE", "DATE", "SYSDATE"),
    ].slice(0, added.length + 1),
  });
  const source = { db: "ORCLPDB1", schema: "SALES", table: "GROWN", commit_scn: "2045050" };
  const topic = "orders.ORCLPDB1.SALES.GROWN";
  broker.createTopic(topic);
  const value = { before: null, after: { ID: 1 }, op: "c", source };
  broker.append(topic, { key: Buffer.from('{"ID":1}'), value: Buffer.from(JSON.stringify(value)) });
}

for (const [what, added, outcome, columns, remark] of [
  ["defaults", ["NEW", "-1"], "pass", [], "1 value of STATUS is its default"],
  ["another value", ["NEW", "2"], "inconclusive", ["GRADE"], "1 value of STATUS is its default|^$"],
  [
    "a default that is an expression",
    ["NEW", "-1", "2026-11-20 18:30:00"],
    "inconclusive",
    ["SINCE"],
    "the default of SINCE is not compared: it is an expression, not a literal",
  ],
] as const)
  verifying(`compares columns added NOT NULL after the record by their default: ${what}`, () =>
    afterCutover([], async ({ sandbox, dir, run }) => {
      addGrown(sandbox, ...added);
      const path = join(dir, "evidence.json");
      const { output } = await run(
        ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
        ...["--table", "SALES.GROWN", "--check-scn", String(CHECK_SCN), "--output", path],
      );
      const found = tableOf(object(parseJson(await readFile(path, "utf8"))));
      assert.equal([found["outcome"], found["unreadable"]], [outcome, []], output);
      const doubts = (found["firstDoubts"] as readonly Json[]).map(object);
      assert.equal(
        doubts.flatMap((one) => one["columns"]),
        columns,
      );
      assert.match(String(found["remarks"]), new RegExp(remark));
    }),
  );

verifying("does not count another table's records in the legacy topic", () =>
  afterCutover(["lost-row"], async ({ sandbox, dir, evidence }) => {
    const row = { ORDER_ID: 1024, table: "ORCLCDB.ORCLPDB1.SALES.ARCHIVE", scn: "2044000", op_type: "I" };
    sandbox.broker.append(LEGACY_TOPIC, { key: Buffer.from("1024"), value: Buffer.from(JSON.stringify(row)) });
    const { exit, evidence: found } = await evidence();
    assert.is(exit, 1);
    assert.equal([tableOf(found)["unreadable"], object(tableOf(found)["legacyRecords"])["otherTables"]], [[], 1n]);
    assert.equal([found["outcome"], ...failuresOf(found).map(({ reason }) => reason)], ["fail", "in-neither-topic"]);
    assert.match(String(tableOf(found)["remarks"]), "--legacy-config");
    const config = join(dir, "legacy.json");
    // The topic is of one table by its template; but the name of the topic may be a slip of the pen.
    await writeFile(config, JSON.stringify(sandbox.migration?.legacyConfig));
    const slip = await evidence("--legacy-config", config);
    assert.is(slip.evidence["outcome"], "fail");
    assert.match(String(tableOf(slip.evidence)["remarks"]), "See that it is the topic of this table.");
    await writeFile(config, JSON.stringify({ ...sandbox.migration?.legacyConfig, "table.topic.name.template": "all" }));
    const finished = await evidence("--legacy-config", config);
    assert.is(finished.exit, 1);
    assert.equal(
      failuresOf(finished.evidence).map(({ reason }) => reason),
      ["in-neither-topic"],
    );
  }),
);

verifying("proves nothing by a legacy topic that holds other tables' records only", () =>
  afterCutover([], async ({ sandbox, dir, run }) => {
    const row = { ORDER_ID: 1024, table: "ORCLCDB.ORCLPDB1.SALES.ARCHIVE", scn: "2044000", op_type: "I" };
    sandbox.broker.createTopic("archive");
    sandbox.broker.append("archive", { key: Buffer.from("1024"), value: Buffer.from(JSON.stringify(row)) });
    const path = join(dir, "evidence.json");
    await run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", "SALES.ORDERS", "--legacy-topic", "archive", "--check-scn", String(CHECK_SCN), "--output", path],
    );
    const { outcome, reasons } = tableOf(object(parseJson(await readFile(path, "utf8"))));
    assert.is(outcome, "inconclusive");
    assert.match(String(reasons), "archive holds no record of ORCLPDB1.SALES.ORDERS, only records of other tables");
  }),
);

verifying("refuses a table, a topic and a connector that do not exist", () =>
  afterCutover([], async ({ verify, run, sandbox }) => {
    const missing = await run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", "SALES.NOTHING"],
    );
    assert.is(missing.exit, 1);
    assert.match(missing.output, "VER104");
    const topic = await run(
      ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
      ...["--table", "SALES.ORDERS=nothing", "--check-scn", String(CHECK_SCN)],
    );
    assert.match(topic.output, "VER105");
    const connector = await run(
      ...["migrate", "verify", "--connector", "nobody", "--connect-url", sandbox.connect.url, "--table", "A.B"],
    );
    assert.is(connector.exit, 1);
    assert.match(connector.output, "no connector nobody");
    assert.is((await verify("--memory", "1MB")).exit, 64);
    assert.is((await verify("--table", "sales.orders")).exit, 64);
  }),
);

verifying.run();
