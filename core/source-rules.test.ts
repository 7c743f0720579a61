/** Rules over the product's sources that neither the compiler nor the linter can hold. */
// biome-ignore lint/style/noRestrictedImports: the test reads the sources
import { readdirSync, readFileSync } from "node:fs";
// biome-ignore lint/style/noRestrictedImports: the test reads the sources
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { anyOf } from "./values/regexp.ts";

const rules = suite("the product's sources");

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** Tests, what only tests and developers use, and the stand-ins that the tests talk to. */
const NOT_PRODUCT = anyOf([
  /\.test\.ts$/,
  /\/testing\//,
  /^cmd\/(?:behaviour|bad-input|dev|transcripts)\//,
  /^providers\/(?:sandbox|real)\//,
  /\/contract\.ts$/,
]);
const product = ["core", "cmd", "providers"].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".ts") && !NOT_PRODUCT.test(name)),
);
const textOf = (name: string): string => readFileSync(`${ROOT}${name}`, "utf8");

interface Imported {
  readonly names: readonly string[];
  readonly from: string;
}

/** What a source imports as values: a type opens nothing. */
function valuesIn(text: string): readonly Imported[] {
  const fixed = [...text.matchAll(/^(?:import|export)\s+(?!type\b)([^;'"]*?)\s*from\s*["']([^"']+)["']/gm)];
  const loaded = [...text.matchAll(/(?:const\s+([^=;]*?)=\s*await\s+)?\bimport\(\s*["']([^"']+)["']/g)];
  return [...fixed, ...loaded].map(([, clause = "*", from = ""]) => ({
    names: clause
      .replaceAll(/[{}[\]]/g, "")
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "" && !name.startsWith("type "))
      .map((name) => name.replace(/\s+as\s+.*|:.*/, "")),
    from,
  }));
}

/**
 * What opens a connection, and the only modules that may import it. Those outside the client's own folder hand it
 * settings that have passed `bindCredentials` (providers/contexts/trust.ts), or a URL that the operator typed.
 */
const OPENERS: Readonly<Record<string, readonly string[]>> = {
  openConnect: ["cmd/session/open-world.ts"],
  openKafka: ["cmd/session/open-world.ts", "cmd/session/doctor.ts", "cmd/bin/verify-thread.ts"],
  openOracle: [
    "cmd/session/open-world.ts",
    "cmd/session/doctor.ts",
    "cmd/session/setup-sql.ts",
    "cmd/bin/verify-thread.ts",
  ],
  openJmx: ["cmd/session/open-world.ts"],
  openExporter: ["cmd/session/open-world.ts"],
  openAgents: ["providers/connect/connect.ts", "providers/jmx/open-exporter.ts"],
  exchange: ["providers/connect/connect.ts", "providers/jmx/open-exporter.ts"],
  brokerCluster: ["providers/kafka/open-kafka.ts"],
  connectBroker: ["providers/kafka/broker-cluster.ts"],
  loadDriver: ["providers/oracle/session.ts"],
  openChannel: ["providers/jmx/session.ts"],
};
/** Each opener is used under its own name: a whole module is imported by nobody. */
const OPENER_MODULES = anyOf([
  /\/providers\/connect\/(?:connect|exchange|proxy)\.ts$/,
  /\/providers\/kafka\/(?:open-kafka|broker-cluster|broker-connection)\.ts$/,
  /\/providers\/oracle\/(?:oracle-port|session|driver)\.ts$/,
  /\/providers\/jmx\/(?:open-jmx|open-exporter|session|channel)\.ts$/,
]);
/** Packages and modules of Node.js that connect. */
const NETWORK = /^(?:(?:node:)?(?:net|tls|http|https|http2|dgram)|oracledb|kafkajs|https?-proxy-agent)(?:\/|$)/;

/** What is wrong with the imports of one source. */
function wrongImports(name: string, text: string): readonly string[] {
  return valuesIn(text).flatMap(({ names, from }) => {
    const place = from.startsWith(".") ? new URL(from, `file:///${name}`).pathname : from;
    return [
      ...names
        .filter((one) => Object.hasOwn(OPENERS, one) && place.startsWith("/providers/"))
        .filter((one) => OPENERS[one]?.includes(name) !== true)
        .map((one) => `${name} imports ${one}`),
      ...(OPENER_MODULES.test(place) && names.some((one) => one.startsWith("*"))
        ? [`${name} imports all of ${place}`]
        : []),
      ...(NETWORK.test(from) && !name.startsWith("providers/") ? [`${name} imports ${from}`] : []),
    ];
  });
}

rules("nothing opens a client except the modules that give it settings with bound credentials", () => {
  assert.ok(product.length > 400, `${product.length} sources`);
  assert.equal(
    product.flatMap((name) => wrongImports(name, textOf(name))),
    [],
  );
});

rules("each module that may open a client does so: the table has no superfluous row", () => {
  for (const [opener, modules] of Object.entries(OPENERS))
    for (const name of modules)
      assert.ok(
        valuesIn(textOf(name)).some(({ names }) => names.includes(opener)),
        `${name} does not import ${opener}`,
      );
});

for (const [what, source] of [
  ["an opener", 'import { openKafka } from "../../providers/kafka/open-kafka.ts";'],
  ["an opener under another name", 'import { openOracle as o } from "../../providers/oracle/oracle-port.ts";'],
  ["an opener beside a type", 'import { type A, openJmx } from "../../providers/jmx/open-jmx.ts";'],
  ["an opener of another module", 'import { loadDriver } from "../../providers/oracle/driver.ts";'],
  ["an opener loaded late", 'const { openConnect } = await import("../../providers/connect/connect.ts");'],
  ["an opener handed on", 'export { openKafka } from "../../providers/kafka/open-kafka.ts";'],
  ["a whole module", 'import * as kafka from "../../providers/kafka/open-kafka.ts";'],
  ["a whole module, late", 'return import("../../providers/oracle/oracle-port.ts");'],
  ["a socket", 'import { connect } from "node:net";'],
  ["a driver", 'const module = await import("oracledb");'],
] as const)
  rules(`${what} imported by a view is found`, () => {
    assert.is(wrongImports("cmd/views/plan-text.ts", source).length, 1);
  });

rules("the type of a client may be imported anywhere", () => {
  for (const source of [
    'import type { KafkaOptions } from "../../providers/kafka/open-kafka.ts";',
    'import { KAFKA_LIMITS } from "../../providers/kafka/open-kafka.ts";',
  ])
    assert.equal(wrongImports("cmd/views/plan-text.ts", source), []);
});

rules("numbers in bytes are read by core/values/bytes.ts, and written by the sink beside it", () => {
  const readers = product.filter((name) => /\bnew DataView\(|\bextends DataView\b/.test(textOf(name)));
  assert.equal(readers, ["core/values/byte-sink.ts", "core/values/bytes.ts"]);
});

/**
 * What knows one legacy connector from the other: its class, its name, a module of its own. The tables that answer for
 * both, and the codes that `explain` lists, are asked instead.
 */
const ONE_LEGACY = anyOf([
  /\b(?:LEGACY|DEBEZIUM)_CLASS\b/,
  /[!=]== ?"(?:confluent|debezium)"|"(?:confluent|debezium)" ?[!=]==|case "(?:confluent|debezium)"/,
  /from "[./]*\/(?:legacy\/)?(?:confluent|(?<=legacy\/)debezium)\//,
]);
const LEGACY_TABLES = anyOf([
  /^core\/legacy\/(?:(?:confluent|debezium)\/|(?:connector-class|foreign-connectors|legacy-kind)\.ts$)/,
  /^core\/refusals\.ts$/,
]);

rules("nothing but the tables of legacy connectors knows one from the other", () => {
  const wrong = product.filter((name) => !LEGACY_TABLES.test(name) && ONE_LEGACY.test(textOf(name)));
  assert.equal(wrong, []);
});

for (const code of [
  "if (className === LEGACY_CLASS) return;",
  'const isNew = legacy.kind !== "confluent";',
  'import { DEBEZIUM_TOPICS } from "../../legacy/debezium/topics.ts";',
  'import { CONFLUENT_TOPICS } from "./confluent/topics.ts";',
])
  rules(`${JSON.stringify(code)} is found`, () => assert.match(code, ONE_LEGACY));

for (const code of [
  'import { LEGACY_CLASSES } from "../legacy/connector-class.ts";',
  'LEGACY_KINDS[said ?? "confluent"]',
])
  rules(`${JSON.stringify(code)} is not found`, () => assert.not.match(code, ONE_LEGACY));

/** Each value becomes an argument of the call, and from about 100,000 on the call fails. */
const SPREAD =
  /\bMath\.(?:max|min)\((?:[^()]|\([^()]*\))*?\.\.\.(?!\[)|\.(?:push|unshift)\(\s*\.\.\.|\bString\.fromC\w+\(\s*\.\.\./;

rules("no list of any length is spread into a call: core/values/lists.ts, or a loop", () => {
  const wrong = product.filter((name) => SPREAD.test(textOf(name).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")));
  assert.equal(wrong, []);
});

for (const code of [
  "Math.max(...all.map(({ xid }) => widthOf(xid)))",
  "Math.max(0, ...widths)",
  "Math.min(1, two(three),\n  ...widths)",
  "table.push(...rows)",
  "known.unshift(\n  ...known.splice(1))",
  "String.fromCharCode(...bytes)",
])
  rules(`${JSON.stringify(code)} is found`, () => assert.match(code, SPREAD));

for (const code of ["rows.push({ ...row })", "table.push([...row])", "Math.max(0, all.length)", "[...all, ...more]"])
  rules(`${JSON.stringify(code)} is not found`, () => assert.not.match(code, SPREAD));

/**
 * An amount that is written without `core/values/amounts.ts`. What a decoder says of the bytes that it reads, and the
 * exact text of an evidence document, are none of it.
 */
const AMOUNT = anyOf([
  /\$\{(?!(?:showCount|counted|showBytes)\()[^{}`"]*\} (?:SCNs|rows|bytes|tables|transactions|archived logs)\b/,
  /\$\{(?!(?:showCount|counted|showBytes)\()[^{}`"]*\} ?[KMGT]i?B\b/,
  /\b[KMGT]iB[`"]/,
]);
const DECODES = anyOf([
  /^providers\/(?:kafka|jmx|oracle)\//,
  /^core\/(?:journal|verification|values\/bytes\.ts)\b(?!\/cutover)/,
  /^cmd\/session\/migrate-verify\.ts$/,
]);

rules("counts and sizes are written by core/values/amounts.ts", () => {
  const wrong = product.flatMap((name) => {
    if (DECODES.test(name)) return [];
    const [found] = AMOUNT.exec(textOf(name).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")) ?? [];
    return found === undefined ? [] : [`${name}: ${found}`];
  });
  assert.equal(wrong, []);
});

for (const code of ["{distance} SCNs", "{found.length} tables", "{size / MIB} MiB", "{bytes} bytes a day"])
  rules(`${JSON.stringify(code)} is found`, () => assert.match(`$${code}`, AMOUNT));

for (const code of ['{counted(distance, "SCN")} ahead', "{showBytes(size)}", "{size / MIB}M;"])
  rules(`${JSON.stringify(code)} is not found`, () => assert.not.match(`$${code}`, AMOUNT));

/** Every source, with the tests. */
const sources = ["core", "cmd", "providers", "bench"].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => /(?<!^source-rules\.test)\.(?:ts|mjs)$/.test(name))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
);
/** A comment that begins with a preposition is a fragment: `Of a list`, `As above`, `In bytes`. */
const BARE = new RegExp(
  String.raw`(?:/\*\*\s*(?:\*\s*)?|(?:^|\n)(?![ \t]*//)[^\n]*\n[ \t]*// )(?:Of|By|As|For|In|With|Without|From|Like|` +
    String.raw`At|On|To|Below|Above|Behind|Over|Under|Within|Against|Between|Beside|Per)\b`,
);

rules("every comment begins with its subject or verb, not with a preposition", () => {
  assert.ok(sources.length > 1000, `${sources.length} sources`);
  const wrong = sources.flatMap((name) => {
    const [found] = BARE.exec(textOf(name)) ?? [];
    return found === undefined ? [] : [`${name}: ${found.trim()}`];
  });
  assert.equal(wrong, []);
});

for (const code of [
  "/** Of a list. */",
  "/**\n * By the worker's\n * clock. */",
  "  const a = 1;\n  // In bytes.",
  "/** As `placeOf`. */",
])
  rules(`${JSON.stringify(code)} is found`, () => assert.match(code, BARE));

for (const code of [
  "/** The size in bytes. */",
  "/** Offsets of a list. */",
  "  // The clock is that\n  // Of the worker.",
  "/** Informs. */",
])
  rules(`${JSON.stringify(code)} is not found`, () => assert.not.match(code, BARE));

/** A remedy that begins in lower case and is no command, where a problem, an error or a table of remedies has it. */
const FRAGMENT = anyOf([
  /\bremed(?:y|ies)\b(?: =|:)\s*\[?\s*["'`](?!cdcctl |export )[a-z]+ /,
  /\bremedy(?: =|:)[^,;{}()]*\?\s*["'`](?!cdcctl |export )[a-z]+ /,
  /\bnew UsageError\(\s*(?:`[^`]*`|"[^"]*"),\s*["'`](?!cdcctl )[a-z]+ /,
  /\b\w*REMED\w*\b[^=;]* = \{[^}]*: ["'`](?!cdcctl )[a-z]+ /,
]);

rules("a remedy is an instruction with a capital letter, or a command", () => {
  const wrong = product.flatMap((name) => {
    const [found] = FRAGMENT.exec(textOf(name)) ?? [];
    return found === undefined ? [] : [`${name}: ${found}`];
  });
  assert.equal(wrong, []);
});

for (const code of [
  'remedy: "remove it"',
  'remedies: [\n  "check the port",\n]',
  'remedy: exists ? "name another" : "Write it."',
  'new UsageError(\n  `no name`,\n  "write it",\n)',
  'const REMEDIES: Readonly<Record<string, string>> = {\n  EACCES: "allow it to read"',
])
  rules(`${JSON.stringify(code)} is found`, () => assert.match(code, FRAGMENT));

for (const code of [
  'remedy: "Remove it."',
  'remedies: ["cdcctl recover RUN"]',
  'remedy: missing ? undefined : "Set it."',
])
  rules(`${JSON.stringify(code)} is not found`, () => assert.not.match(code, FRAGMENT));

rules.run();
