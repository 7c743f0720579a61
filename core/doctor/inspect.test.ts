import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { SettingProblem } from "../../schemas/generated/shared.ts";
import { CallFailed, UsageError } from "../errors.ts";
import type { OffsetEntry } from "../facts/offset/stored-offset.ts";
import { type PreflightFacts, readPreflight } from "../facts/preflight.ts";
import { CONNECTOR_CLASS } from "../legacy/connector-class.ts";
import type { ConnectPort } from "../ports/connect.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import type { OraclePort } from "../ports/oracle.ts";
import { parseInstant } from "../values/instant.ts";
import { inspectBeforeStart } from "./inspect.ts";
import { isReady, preflight } from "./preflight.ts";
import { preflightReading } from "./testing/build-preflight.ts";

const observing = suite("the inspection before a connector is started");

const { facts } = preflightReading();
const now = parseInstant("2026-11-21T08:00:00Z") ?? "";
const clock = { now: () => now, elapsed: () => 0, random: () => 0, sleep: async () => undefined };

/** Brokers with the connector's topics, as in the facts. */
const kafka = {
  mayCreateTopics: async () => true,
  topic: async (name: string) =>
    facts.internalTopics.known ? facts.internalTopics.value.find((one) => one.name === name)?.seen : undefined,
} as unknown as KafkaPort;

/** A database that returns the facts, with some calls that fail. */
function showing(failing: Partial<Record<keyof OraclePort, CallFailed["kind"]>>): OraclePort {
  const value = <N extends Exclude<keyof PreflightFacts, "settings">>(name: N): unknown => {
    const fact = facts[name];
    return fact.known ? fact.value : undefined;
  };
  const answers: Partial<Record<keyof OraclePort, unknown>> = {
    database: value("database"),
    containers: value("containers"),
    supplementalLogging: value("logging"),
    threads: value("threads"),
    destinations: value("destinations"),
    account: value("account"),
    rights: value("rights"),
    tryObjects: value("usable"),
    dictionary: value("dictionary"),
    pdbLogging: value("pdbLogging"),
    logGroups: value("logGroups"),
    columnsOfNote: value("columns"),
    nestedTables: value("nestedTables"),
    keyedTables: value("keys"),
    movingTables: value("moving"),
    savedStates: value("savedStates"),
    rdsArchive: value("rds"),
    archivedLogs: value("archived"),
    onlineLogs: value("online"),
    dictionaryLogs: value("dictionaryBuilds"),
    undoRetention: value("undoRetention"),
    fixedStatistics: value("fixedStatistics"),
  };
  const calls = Object.entries(answers).map(([name, answer]) => {
    const kind = failing[name as keyof OraclePort];
    return [
      name,
      async () => {
        if (kind !== undefined) throw new CallFailed("oracle", kind, { message: `${name} failed` });
        return answer;
      },
    ] as const;
  });
  return Object.fromEntries(calls) as Partial<OraclePort> as OraclePort;
}

/** The findings where no worker is asked what is deployed. */
const findingsOf = (seen: PreflightFacts) => preflight(readPreflight(seen), "all", false);

observing("reads everything from a database that answers", async () => {
  const seen = await inspectBeforeStart(facts.settings, { oracle: showing({}), kafka, connect: undefined }, clock);
  assert.ok(isReady(findingsOf(seen), true));
});

observing("continues without the privileges when their session is refused: only they are unknown", async () => {
  for (const kind of ["unauthorized", "unreachable", "lost", "timeout", "rejected"] as const) {
    const seen = await inspectBeforeStart(
      facts.settings,
      { oracle: showing({ rights: kind }), kafka, connect: undefined },
      clock,
    );
    const unknown = findingsOf(seen).filter(({ level }) => level !== "fine");
    assert.equal(
      unknown.map(({ code, level }) => [code, level]),
      [
        ["DBA406", "unknown"],
        ["DBA407", "unknown"],
      ],
      kind,
    );
  }
});

observing("ends when the database does not answer or refuses the login", async () => {
  for (const call of ["database", "logGroups"] as const)
    for (const kind of ["unauthorized", "unreachable", "lost"] as const)
      try {
        await inspectBeforeStart(
          facts.settings,
          { oracle: showing({ [call]: kind }), kafka, connect: undefined },
          clock,
        );
        assert.unreachable();
      } catch (error) {
        assert.instance(error, CallFailed);
      }
});

observing("continues without the brokers, whatever is wrong with them: only their topics are unknown", async () => {
  const failing = (failure: Error): KafkaPort =>
    ({ mayCreateTopics: () => Promise.reject(failure), topic: () => Promise.reject(failure) }) as unknown as KafkaPort;
  const kinds = ["unauthorized", "unreachable", "lost", "forbidden"] as const;
  const failures = kinds.map((kind) => new CallFailed("kafka", kind, { message: "no brokers" }));
  for (const brokers of [undefined, failing(new UsageError("AWS_MSK_IAM")), ...failures.map(failing)]) {
    const seen = findingsOf(
      await inspectBeforeStart(facts.settings, { oracle: showing({}), kafka: brokers, connect: undefined }, clock),
    );
    assert.equal(
      seen.filter(({ level }) => level === "unknown").map(({ code }) => code),
      ["OPS611", "OPS610", "OPS612"],
    );
  }
});

observing("asks the worker about exactly-once support only when it is required, and sends nothing else", async () => {
  const settings = {
    ...facts.settings,
    exactlyOnce: { by: "exactly.once.support=required", batchMillis: 500, timeoutMillis: 60_000 },
  };
  const brokers = { ...kafka, maxTransactionMillis: async () => 900_000n } as KafkaPort;
  const NO = "This worker does not have exactly-once source support enabled.";
  const asked: unknown[] = [];
  const worker = (version: string, problems: readonly SettingProblem[] | CallFailed): ConnectPort =>
    ({
      url: "http://127.0.0.1:8083",
      worker: async () => ({ version, clusterId: "c" }),
      validate: async (...call: readonly unknown[]) => {
        asked.push(call);
        if (problems instanceof CallFailed) throw problems;
        return problems;
      },
    }) as unknown as ConnectPort;
  const level = async (connect: ConnectPort | undefined): Promise<string> => {
    const seen = await inspectBeforeStart(settings, { oracle: showing({}), kafka: brokers, connect }, clock);
    const found = findingsOf(seen).filter((one) => one.level !== "fine");
    assert.ok(found.every(({ code }) => code === "CON311"));
    return found[0]?.level ?? "fine";
  };
  const missing = { setting: "cdc.topic.prefix", errors: ["Missing required configuration"] };
  const unsupported = { setting: "exactly.once.support", errors: ["The connector does not support exactly-once"] };
  assert.is(await level(worker("3.9.2", [missing, unsupported])), "fine");
  assert.is(await level(worker("7.6.1-ccs", [{ setting: "exactly.once.support", errors: [NO] }])), "blocking");
  assert.is(await level(worker("3.2.3", [])), "blocking", "ignores the setting");
  assert.is(await level(worker("2024.1.0", [])), "unknown");
  assert.is(await level(undefined), "unknown");
  const refused = new CallFailed("connect", "rejected", { message: "no such class" });
  assert.is(await level(worker("3.9.2", refused)), "unknown");
  const call = [CONNECTOR_CLASS, { name: "cdcctl-preflight", "exactly.once.support": "required" }];
  assert.equal(asked, [call, call, call]);
});

observing(
  "asks the worker what the connector of this name captures, where an offset of its prefix is stored",
  async () => {
    const stored = (server: string): OffsetEntry => ({ partition: { server }, offset: { v: 1n } });
    const config = { "cdc.topic.prefix": "orders", "cdc.tables.include": "ORCLPDB1[.]SALES[.]ORDERS" };
    const missing = new CallFailed("connect", "missing", { message: "no connector orders-cdc" });
    const deployed = async (offsets: readonly OffsetEntry[] | CallFailed, of: object = config, name?: string) => {
      const connect = {
        offsets: async () => {
          if (offsets instanceof CallFailed) throw offsets;
          return offsets;
        },
        connector: async () => ({ name, config: of }),
      } as unknown as ConnectPort;
      const seen = await inspectBeforeStart(facts.settings, { oracle: showing({}), kafka, connect, name }, clock);
      return seen.deployed.known ? seen.deployed.value : seen.deployed.why;
    };
    assert.equal(await deployed([stored("orders")], config, "orders-cdc"), {
      pdbs: [],
      include: "ORCLPDB1[.]SALES[.]ORDERS",
      exclude: undefined,
      caseSensitive: false,
    });
    assert.is(await deployed([stored("other")], config, "orders-cdc"), "no offset");
    assert.is(await deployed(missing, config, "orders-cdc"), "no offset", "it is not deployed");
    const down = new CallFailed("connect", "unreachable", { message: "no answer" });
    assert.is(await deployed(down, config, "orders-cdc"), "no answer");
    assert.is(
      await deployed([stored("orders")], {}, "orders-cdc"),
      "cdc.topic.prefix is not set in GET /connectors/orders-cdc",
    );
    assert.is(await deployed([stored("orders")]), "neither the configuration nor --connector names the connector");
  },
);

observing("reads neither history nor brokers with fast rules", async () => {
  const slow = { archivedLogs: "lost", onlineLogs: "lost", undoRetention: "lost", fixedStatistics: "lost" } as const;
  const seen = await inspectBeforeStart(
    facts.settings,
    { oracle: showing(slow), kafka: undefined, connect: undefined },
    clock,
    "fast",
  );
  assert.ok(isReady(preflight(readPreflight(seen), "fast"), true));
});

observing.run();
