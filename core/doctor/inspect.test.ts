import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, UsageError } from "../errors.ts";
import type { PreflightFacts } from "../facts/preflight.ts";
import { readPreflight } from "../facts/preflight-reading.ts";
import type { KafkaPort } from "../ports/kafka.ts";
import type { OraclePort } from "../ports/oracle.ts";
import { parseInstant } from "../values/instant.ts";
import { inspectBeforeStart } from "./inspect.ts";
import { isReady, preflight } from "./preflight.ts";
import { preflightReading } from "./testing/build-preflight.ts";

const look = suite("the inspection before a connector is started");

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
        if (kind !== undefined) throw new CallFailed({ system: "oracle", kind, message: `${name} failed` });
        return answer;
      },
    ] as const;
  });
  return Object.fromEntries(calls) as Partial<OraclePort> as OraclePort;
}

look("reads everything from a database that answers", async () => {
  const seen = await inspectBeforeStart(facts.settings, showing({}), kafka, clock);
  assert.ok(isReady(preflight(readPreflight(seen)), true));
});

look("continues without the privileges when their session is refused: only they are unknown", async () => {
  for (const kind of ["unauthorized", "unreachable", "lost", "timeout", "rejected"] as const) {
    const seen = await inspectBeforeStart(facts.settings, showing({ rights: kind }), kafka, clock);
    const unknown = preflight(readPreflight(seen)).filter(({ level }) => level !== "fine");
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

look("ends when the database does not answer or refuses the login", async () => {
  for (const call of ["database", "logGroups"] as const)
    for (const kind of ["unauthorized", "unreachable", "lost"] as const)
      try {
        await inspectBeforeStart(facts.settings, showing({ [call]: kind }), kafka, clock);
        assert.unreachable();
      } catch (error) {
        assert.instance(error, CallFailed);
      }
});

look("continues without the brokers, whatever is wrong with them: only their topics are unknown", async () => {
  const failing = (failure: Error): KafkaPort =>
    ({ mayCreateTopics: () => Promise.reject(failure), topic: () => Promise.reject(failure) }) as unknown as KafkaPort;
  const kinds = ["unauthorized", "unreachable", "lost", "forbidden"] as const;
  const failures = kinds.map((kind) => new CallFailed({ system: "kafka", kind, message: "no brokers" }));
  for (const brokers of [undefined, failing(new UsageError("AWS_MSK_IAM")), ...failures.map(failing)]) {
    const seen = preflight(readPreflight(await inspectBeforeStart(facts.settings, showing({}), brokers, clock)));
    assert.equal(
      seen.filter(({ level }) => level === "unknown").map(({ code }) => code),
      ["OPS611", "OPS610", "OPS612"],
    );
  }
});

look("reads neither history nor brokers with fast rules", async () => {
  const slow = { archivedLogs: "lost", onlineLogs: "lost", undoRetention: "lost", fixedStatistics: "lost" } as const;
  const seen = await inspectBeforeStart(facts.settings, showing(slow), undefined, clock, "fast");
  assert.ok(isReady(preflight(readPreflight(seen), "fast"), true));
});

look.run();
