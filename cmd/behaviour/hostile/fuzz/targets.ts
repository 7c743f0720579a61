/** The targets of fuzzing: everything that comes from outside, and the commands that read it. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { isDecimal, type Json, parseJson } from "../../../../core/values/json.ts";
import { printProperties } from "../../../../core/values/testing/print-properties.ts";
import { LEGACY_TOPIC } from "../../../../providers/sandbox/migration/legacy-task.ts";
import { NEW_CONNECTOR } from "../../../../providers/sandbox/migration/scenario.ts";
import type { Rows } from "../../../../providers/sandbox/oracle/options.ts";
import type { Value } from "../../../../providers/sandbox/oracle/values.ts";
import { CLUSTER_ID, CONNECTOR, type SandboxOptions } from "../../../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../../../providers/sandbox/scenarios.ts";
import { CANARIES, type ChangedWorld, OPS_TOPIC, openChangedWorld, SIGNALS_TOPIC } from "../../changed-world.ts";
import { type Change, OFFSET_CHANGE, SIGNAL_ONLY } from "../../changes.ts";
import { CHECK_SCN, cutOverSandbox } from "../../cut-over.ts";
import type { Chance } from "../../real/soak/random.ts";
import { type Finished, runHere } from "../../run-command.ts";
import { betweenBytes, betweenHttp } from "../between.ts";
import { damaged, type Mutated, memberChanged, printAsProperties, type Tree } from "./mutators.ts";
import { resealed } from "./resealed.ts";

/** Short, so that a missing answer ends a case soon. */
const PATIENCE = {
  connect: { callMillis: 700, patchMillis: 700, retryMillis: 700, firstContactMillis: 1500 },
  kafka: { connectMillis: 700, requestMillis: 700 },
  jmx: { connectMillis: 700, callMillis: 700 },
  patch: 300,
  signal: 300,
};
export const TIMEOUT = ["--timeout", "1s"];
export const LIMITS = ["--settle", "50ms", "--stop-timeout", "1s", "--resume-timeout", "1s", ...TIMEOUT];
const JMX = "canary-jmx-60ae";
const JOURNAL_TOPIC = "orders.cdc.txjournal";

/** No output may contain these. */
export const SECRETS: readonly string[] = [...CANARIES, JMX];

export interface Tried extends Pick<Finished, "exit" | "output"> {
  readonly what: string;
  readonly argv: readonly string[];
  /** The bytes as they were read; empty where nothing was asked that could be changed. */
  readonly input: Buffer;
}

export interface Stage {
  /** One case. Without chance nothing is changed: how the commands end then shows that they read what is fuzzed. */
  attempt(chance: Chance | undefined, interrupt: AbortSignal): Promise<Tried>;
  close(): Promise<void>;
}

export interface Target {
  readonly name: string;
  /** The exit codes of its commands when nothing is changed. */
  readonly ends: Finished["exit"];
  /** Number of cases per world: a command that changes something needs a new one. */
  readonly lasts: number;
  /** How many cases the suite tries; fewer where a case is slow. */
  readonly cases: number;
  open(): Promise<Stage>;
}

export interface Form {
  parse(text: string): Json;
  print?(tree: Tree): string;
  /** Computes the digests again, in half of the cases. */
  seal?(text: string): string;
}
export const JSON_TEXT: Form = { parse: parseJson };
export const SEALED: Form = { parse: parseJson, seal: resealed };
export const YAML_TEXT: Form = { parse: (text) => asJson(parse(text, { intAsBigInt: true })) };
const PROPERTIES: Form = { parse: parseJson, print: printAsProperties };

function asJson(value: unknown): Json {
  return value as Json;
}

/** A document of the operator's or another's: its genuine text is written to a file, which commands read. */
export function document(
  name: string,
  form: Form,
  make: (
    world: ChangedWorld,
    run: Run,
  ) => Promise<{
    readonly text: string;
    readonly path: string;
    /** Which text is damaged byte by byte, where it is not `text`. */
    readonly written?: string;
    readonly commands: readonly (readonly string[])[];
  }>,
  { ends = 0, lasts = 40, cases = 16, ...world }: Partial<Target> & Partial<World> = {},
): Target {
  return inWorld({ name, ends, lasts, cases }, world, async (opened, run) => {
    const { text, path, written = text, commands } = await make(opened, run);
    const put = ({ bytes }: Mutated) => writeFile(path, bytes, { mode: 0o600 });
    return { commands, change: (chance) => changed(text, written, form, chance), put };
  });
}

/** What is changed in a world of its own, and put where the commands read it. */
function inWorld(
  target: Omit<Target, "open">,
  world: World,
  begin: (
    opened: ChangedWorld,
    run: Run,
  ) => Promise<{
    readonly commands: readonly (readonly string[])[];
    change(chance: Chance | undefined): Mutated;
    put(mutated: Mutated): Promise<void>;
  }>,
): Target {
  return {
    ...target,
    open: async () => {
      const opened = await openChangedWorld(world.options, world.change);
      const run = runIn(opened);
      const { commands, change, put } = await begin(opened, run);
      return {
        async attempt(chance, interrupt) {
          const { what, bytes } = change(chance);
          await put({ what, bytes });
          const argv = picked(commands, chance);
          return { ...(await run(argv, interrupt)), what, argv, input: bytes };
        },
        close: () => opened.close(),
      };
    },
  };
}

export function changed(text: string, written: string, form: Form, chance: Chance | undefined): Mutated {
  if (chance === undefined) return { what: "nothing", bytes: Buffer.from(written) };
  if (chance.likely(0.25)) return damaged(Buffer.from(written), chance);
  const { what, bytes } = memberChanged(form.parse(text), chance, form.print);
  return form.seal !== undefined && chance.likely(0.5)
    ? { what: `${what}; digests computed again`, bytes: Buffer.from(form.seal(bytes.toString())) }
    : { what, bytes };
}

/** A record on a topic: the changed one follows the genuine ones. */
export function record(
  name: string,
  topic: string,
  begin: (world: ChangedWorld, run: Run) => Promise<readonly (readonly string[])[]>,
  world: World,
  { ends = 0, cases = 16, nth = -1 }: { readonly ends?: number; readonly cases?: number; readonly nth?: number } = {},
): Target {
  return inWorld({ name, ends, cases, lasts: 1 }, world, async (opened, run) => {
    const { broker } = opened.sandbox;
    const commands = await begin(opened, run);
    const genuine = (await broker.records(topic)).at(nth);
    if (genuine === undefined || genuine.value === null) throw new Error(`${name}: no record on ${topic}`);
    const key = genuine.key === null ? null : Buffer.from(genuine.key);
    const text = Buffer.from(genuine.value).toString();
    const put = async ({ bytes }: Mutated) => void broker.append(topic, { key, value: bytes });
    return { commands, change: (chance) => changed(text, text, JSON_TEXT, chance), put };
  });
}

interface World {
  readonly options?: SandboxOptions;
  readonly change?: Change;
}
type Run = (argv: readonly string[], interrupt?: AbortSignal) => Promise<Finished>;

/** A connector that does not answer its signal, and a plan that does not wait for it long. */
const UNANSWERED: World = {
  change: { ...SIGNAL_ONLY, plan: SIGNAL_ONLY.plan.replace("waitForAck: 5s", "waitForAck: 300ms") },
  options: { signals: "silent" },
};

function runIn({ env }: { readonly env: ChangedWorld["env"] }): Run {
  return (argv, interrupt) =>
    runHere(argv, { env, patience: PATIENCE, ...(interrupt === undefined ? {} : { interrupt }) });
}

function picked(commands: readonly (readonly string[])[], chance: Chance | undefined): readonly string[] {
  return chance === undefined ? (commands[0] ?? []) : chance.pick(commands);
}

/** Changes one answer of those that a command asks for. */
interface Tampering {
  /** The chance of the current case; undefined lets everything pass. */
  chance: Chance | undefined;
  /** Which answer is changed, from 0. */
  at: number;
  count: number;
  changed: Mutated | undefined;
}

/** Answers of a system: the one at a place that chance picks is changed, the others pass. */
function answers(
  name: string,
  open: (tamper: (bytes: Buffer, change: (chance: Chance) => Mutated) => Buffer) => Promise<{
    readonly run: Run;
    readonly commands: readonly (readonly string[])[];
    close(): Promise<void>;
  }>,
  { lasts = 12, cases = 20, ends = 0 }: Partial<Pick<Target, "lasts" | "cases" | "ends">> = {},
): Target {
  return {
    name,
    ends,
    lasts,
    cases,
    open: async () => {
      const now: Tampering = { chance: undefined, at: 0, count: 0, changed: undefined };
      const place = await open((bytes, change) => {
        const here = now.count++ === now.at && now.chance !== undefined;
        if (!here || now.chance === undefined) return bytes;
        now.changed = change(now.chance);
        return now.changed.bytes;
      });
      return {
        async attempt(chance, interrupt) {
          const argv = picked(place.commands, chance);
          // How many answers there are, only the command itself knows: it is asked once without a change where there is
          // one.
          const most = MOST_ANSWERS[name] ?? 20;
          Object.assign(now, { chance, at: chance?.int(0, most - 1) ?? 0, count: 0, changed: undefined });
          const finished = await place.run(argv, interrupt);
          const { what, bytes } = now.changed ?? { what: "nothing", bytes: Buffer.alloc(0) };
          return { ...finished, what: `answer ${now.at} of ${now.count}: ${what}`, argv, input: bytes };
        },
        close: place.close,
      };
    },
  };
}

/** How many answers there usually are: what chance picks from. */
const MOST_ANSWERS: Readonly<Record<string, number>> = {
  "connect bodies": 9,
  "kafka responses": 14,
  "oracle rows": 24,
  "oracle bytes": 24,
  "jmx bytes": 9,
  "metrics pages": 2,
};

export const PLAN = (plan: string): readonly string[] => ["plan", plan, ...TIMEOUT];
const CONFIGURED = (plan: string, path: string): readonly (readonly string[])[] => [
  [...PLAN(plan), "--config", path],
  ["doctor", "setup-sql", "--config", path],
];
const CONNECTOR_HERE = (url: string): readonly string[] => ["--connect-url", url, "--name", CONNECTOR];

/** The context's URL leads to another port. */
async function leadTo(world: ChangedWorld, port: number): Promise<string> {
  const url = `http://127.0.0.1:${port}`;
  const text = await readFile(join(world.dir, "contexts.yaml"), "utf8");
  await world.writePlan("contexts.yaml", text.replace(/url: .*/, `url: ${url}`));
  return url;
}

/** Rows with one cell changed, in the column's own type. */
function cellChanged(answer: Rows, chance: Chance): Rows {
  const rows = [...answer.rows].map((row) => [...row]);
  const how = chance.int(0, 9);
  if (how === 0) return { ...answer, rows: [] };
  if (how === 1) return { ...answer, rows: rows.slice(1) };
  if (how === 2) return { ...answer, rows: rows.flatMap((row) => [row, row]) };
  if (how === 3 && rows[0] !== undefined)
    return { ...answer, rows: Array.from({ length: 3_000 }, () => rows[0] ?? []) };
  if (rows.length === 0 || answer.columns.length === 0) return answer;
  const column = chance.int(0, answer.columns.length - 1);
  const row = chance.pick(rows);
  row[column] = cellOf(answer.columns[column]?.type ?? "", chance);
  return { ...answer, rows };
}

function cellOf(type: string, chance: Chance): Value {
  if (chance.likely(0.3)) return null;
  if (type === "NUMBER") return chance.pick(["-1", "0", "0.5", "9".repeat(38), "1e100", "-1e100", "4294967296"]);
  if (type.startsWith("TIMESTAMP") || type === "DATE")
    return new Date(chance.pick([-62_000_000_000_000, 0, 250_000_000_000_000]));
  if (/CHAR|LOB|LONG/.test(type))
    return chance.pick(["__proto__", "constructor", "x".repeat(30), "-1", "\u001b[2J\n", "9".repeat(30), " "]);
  return null;
}

const journalScenario = scenarioNamed("journal").options;
const jmxScenario = scenarioNamed("transactions").options;

async function recordedFacts(world: ChangedWorld, run: Run) {
  const path = join(world.dir, "facts.json");
  await run(["observe", world.plan, "--out", path, ...TIMEOUT]);
  return { text: await readFile(path, "utf8"), path, commands: [["plan", world.plan, "--facts", path]] };
}

export const TARGETS: readonly Target[] = [
  document("plan file", YAML_TEXT, async (world) => {
    const path = join(world.dir, "fuzzed.yaml");
    return {
      text: await readFile(world.plan, "utf8"),
      path,
      commands: [PLAN(path), ["validate", path], [...PLAN(path), "--format", "json"]],
    };
  }),
  document(
    "plan file of a resnapshot",
    YAML_TEXT,
    async (world) => {
      const path = join(world.dir, "fuzzed.yaml");
      return { text: await readFile(world.plan, "utf8"), path, commands: [PLAN(path), ["validate", path]] };
    },
    { change: SIGNAL_ONLY, cases: 12 },
  ),
  document("resolved plan", SEALED, async (world, run) => {
    const path = join(world.dir, "resolved.json");
    await run([...PLAN(world.plan), "--out", path]);
    return {
      text: await readFile(path, "utf8"),
      path,
      commands: [
        ["show", path],
        ["show", path, "--format", "json"],
        ["report", path, "--out", join(world.dir, "page.html"), ...TIMEOUT],
      ],
    };
  }),
  document(
    "resolved plan that is applied",
    SEALED,
    async (world, run) => {
      const path = join(world.dir, "resolved.json");
      await run([...PLAN(world.plan), "--out", path]);
      return { text: await readFile(path, "utf8"), path, commands: [["apply", path, "--yes", ...LIMITS]] };
    },
    { lasts: 1, cases: 10 },
  ),
  document("facts", SEALED, recordedFacts),
  document("facts of a resnapshot", SEALED, recordedFacts, { change: SIGNAL_ONLY, cases: 12 }),
  {
    name: "evidence",
    ends: 0,
    lasts: 1_000,
    cases: 12,
    async open() {
      const { dir, text, close } = await genuineEvidence();
      const path = join(dir, "fuzzed.json");
      return {
        async attempt(chance, interrupt) {
          const { what, bytes } = changed(text, text, SEALED, chance);
          await writeFile(path, bytes);
          const argv = ["migrate", "verify", "--check-evidence", path];
          return { ...(await runHere(argv, { env: { HOME: dir }, interrupt })), what, argv, input: bytes };
        },
        close,
      };
    },
  },
  document("contexts file", YAML_TEXT, async (world) => {
    const path = join(world.dir, "contexts.yaml");
    return { text: await readFile(path, "utf8"), path, commands: [PLAN(world.plan)] };
  }),
  document("connector configuration, JSON", JSON_TEXT, async (world) => {
    const path = join(world.dir, "config.json");
    return { text: JSON.stringify(world.sandbox.config), path, commands: CONFIGURED(world.plan, path) };
  }),
  document("connector configuration, properties", PROPERTIES, async (world) => {
    const path = join(world.dir, "config.properties");
    return {
      text: JSON.stringify(world.sandbox.config),
      written: printProperties(world.sandbox.config),
      path,
      commands: CONFIGURED(world.plan, path),
    };
  }),
  document("client properties", PROPERTIES, async (world) => {
    const path = join(world.dir, "client.properties");
    const settings = Object.entries(world.sandbox.config)
      .filter(([name]) => /^cdc\.stream\.(sasl|security)/.test(name))
      .map(([name, value]) => [name.replace("cdc.stream.", ""), value]);
    const login = ["--bootstrap-servers", world.sandbox.broker.address, "--command-config", path];
    const properties = Object.fromEntries(settings) as Record<string, string>;
    return {
      text: JSON.stringify(properties),
      written: printProperties(properties),
      path,
      commands: [[...PLAN(world.plan), ...login]],
    };
  }),
  document(
    "journal of a run",
    { parse: (text) => parseJson(`[${text.trim().split("\n").join(",")}]`), print: linesOf },
    async (world, run) => {
      await run(["apply", world.plan, "--yes", ...LIMITS]);
      const folder = join(world.dir, "state", CLUSTER_ID, CONNECTOR);
      const name = (await readdir(folder)).find((one) => one.endsWith(".journal.jsonl")) ?? "no journal";
      const path = join(folder, name);
      const run_ = name.replace(".journal.jsonl", "");
      return {
        text: await readFile(path, "utf8"),
        path,
        commands: [
          ["status"],
          ["history"],
          ["recover", "--yes", ...LIMITS],
          ["report", run_, "--out", join(world.dir, "p.html")],
        ],
      };
    },
    { lasts: 12 },
  ),
  record(
    "records on the ops topic",
    OPS_TOPIC,
    async (world, run) => {
      await run(["apply", world.plan, "--yes", ...LIMITS]);
      await rm(join(world.dir, "state"), { recursive: true, force: true });
      return [
        ["status", "--context", "sandbox", "--fail-on", "undone,in-flight,lag=100h"],
        ["connectors", "list", "--context", "sandbox", "--format", "json"],
        ["recover", "--from-ops", "--context", "sandbox", "--connector", CONNECTOR, ...LIMITS],
        PLAN(world.plan),
      ];
    },
    { change: OFFSET_CHANGE },
    { cases: 14 },
  ),
  record(
    "applying records on the ops topic",
    OPS_TOPIC,
    async (world, run) => {
      await run(["apply", world.plan, "--yes", ...LIMITS]);
      await rm(join(world.dir, "state"), { recursive: true, force: true });
      return [
        ["status", "--context", "sandbox"],
        ["recover", "--from-ops", "--context", "sandbox", "--connector", CONNECTOR, ...LIMITS],
      ];
    },
    { change: OFFSET_CHANGE },
    { cases: 10, nth: 0 },
  ),
  record(
    "signal answers",
    OPS_TOPIC,
    async (world, run) => {
      await run(["apply", world.plan, "--yes", ...LIMITS]);
      const [id = "none"] = await world.signals();
      world.answer({ id, outcome: "accepted", message: "as the connector says it" } as Parameters<
        ChangedWorld["answer"]
      >[0]);
      return [["recover", "--yes", ...LIMITS]];
    },
    UNANSWERED,
    { cases: 8 },
  ),
  record(
    "records on the signals topic",
    SIGNALS_TOPIC,
    async (world, run) => {
      await run(["apply", world.plan, "--yes", ...LIMITS]);
      return [["recover", "--yes", ...LIMITS]];
    },
    UNANSWERED,
    { cases: 6, ends: 3 },
  ),
  record(
    "records on the journal topic",
    JOURNAL_TOPIC,
    async (world) => [
      ["admin", "journal", "inspect", ...CONNECTOR_HERE(world.sandbox.connect.url), ...TIMEOUT],
      ["admin", "transactions", ...CONNECTOR_HERE(world.sandbox.connect.url), ...TIMEOUT],
    ],
    {
      options: {
        state: "STOPPED",
        ...(journalScenario.journal === undefined ? {} : { journal: journalScenario.journal }),
      },
    },
    { cases: 12, nth: 1 },
  ),
  answers(
    "connect bodies",
    async (tamper) => {
      const world = await openChangedWorld();
      const between = await betweenHttp(Number(new URL(world.sandbox.connect.url).port), (path, body) =>
        tamper(body, (chance) => bodyChanged(path, body, chance)),
      );
      const url = await leadTo(world, between.port);
      return {
        run: runIn(world),
        commands: [
          PLAN(world.plan),
          ["admin", "offsets", "show", ...CONNECTOR_HERE(url), ...TIMEOUT],
          ["report", CONNECTOR, "--context", "sandbox", "--out", join(world.dir, "page.html"), ...TIMEOUT],
          ["apply", world.plan, "--yes", ...LIMITS],
        ],
        close: async () => void (await Promise.all([between.close(), world.close()])),
      };
    },
    { cases: 24, lasts: 3 },
  ),
  answers(
    "kafka responses",
    async (tamper) => {
      const world = await openChangedWorld({
        broker: {
          alters: (api, response) =>
            tamper(response, (chance) => {
              // Usually after the correlation id: answers to unknown requests are dropped early.
              const { what, bytes } = damaged(response, chance, chance.likely(0.8) ? 4 : 0);
              return { what: `${api}: ${what}`, bytes };
            }),
        },
      });
      return {
        run: runIn(world),
        commands: [
          PLAN(world.plan),
          ["admin", "journal", "inspect", ...CONNECTOR_HERE(world.sandbox.connect.url), ...TIMEOUT],
          ["apply", world.plan, "--yes", ...LIMITS],
        ],
        close: () => world.close(),
      };
    },
    { lasts: 3 },
  ),
  answers("oracle rows", async (tamper) => {
    const world = await openChangedWorld({ state: "STOPPED" });
    world.sandbox.oracle.alters = (sql, answer) => {
      let rows = answer;
      tamper(Buffer.alloc(0), (chance) => {
        rows = cellChanged({ ...answer, rows: [...answer.rows] }, chance);
        const shown = [...rows.rows].slice(0, 3).map((row) => row.map(String).join(" | "));
        return { what: sql.replace(/\s+/g, " ").slice(0, 100), bytes: Buffer.from(`${sql}\n\n${shown.join("\n")}\n`) };
      });
      return rows;
    };
    const url = world.sandbox.connect.url;
    return {
      run: runIn(world),
      commands: [
        PLAN(world.plan),
        ["admin", "transactions", ...CONNECTOR_HERE(url), ...TIMEOUT],
        ["admin", "offsets", "show", ...CONNECTOR_HERE(url), "--check-redo", ...TIMEOUT],
        ["doctor", "explain-lag", ...CONNECTOR_HERE(url), "--interval", "10ms", ...TIMEOUT],
        ["report", CONNECTOR, "--context", "sandbox", "--out", join(world.dir, "page.html"), ...TIMEOUT],
      ],
      close: () => world.close(),
    };
  }),
  answers(
    "oracle bytes",
    async (tamper) => {
      let port = 0;
      const between = await betweenBytes(
        () => port,
        (chunk) => tamper(chunk, (chance) => damaged(chunk, chance)),
      );
      const world = await openChangedWorld({ config: { "cdc.database.port": String(between.port) } });
      port = world.sandbox.databasePort;
      return {
        run: runIn(world),
        commands: [PLAN(world.plan)],
        close: async () => void (await Promise.all([between.close(), world.close()])),
      };
    },
    { cases: 16 },
  ),
  answers("jmx bytes", async (tamper) => {
    if (jmxScenario.jmx === undefined) throw new Error("no JVM in the scenario");
    const world = await openChangedWorld({
      ...jmxScenario,
      jmx: {
        ...jmxScenario.jmx,
        login: { user: "monitor", password: JMX },
        alters: (bytes) => tamper(bytes, (chance) => damaged(bytes, chance)),
      },
    });
    const env = { ...world.env, CDCCTL_JMX_USER: "monitor", CDCCTL_JMX_PASSWORD: JMX };
    const jmx = ["--jmx-url", world.sandbox.jvm?.url ?? ""];
    const place = CONNECTOR_HERE(world.sandbox.connect.url);
    return {
      run: runIn({ env }),
      commands: [
        ["admin", "transactions", ...place, ...jmx, ...TIMEOUT],
        ["doctor", "explain-lag", ...place, ...jmx, "--interval", "10ms", ...TIMEOUT],
      ],
      close: () => world.close(),
    };
  }),
  answers(
    "metrics pages",
    async (tamper) => {
      const world = await openChangedWorld(scenarioNamed("lag-kafka").options);
      const { exporter } = world.sandbox;
      if (exporter === undefined) throw new Error("no exporter in the scenario");
      exporter.answer((request, response, page) => {
        const expected = `Basic ${Buffer.from(`monitor:${JMX}`).toString("base64")}`;
        if (request.headers.authorization !== expected) return response.writeHead(401).end(JMX);
        const body = tamper(Buffer.from(page), (chance) => pageChanged(page, chance));
        return response.writeHead(200, { "content-type": "text/plain; version=0.0.4" }).end(body);
      });
      const env = { ...world.env, CDCCTL_METRICS_USER: "monitor", CDCCTL_METRICS_PASSWORD: JMX };
      const words = ["--metrics-url", exporter.url, "--interval", "10ms", ...TIMEOUT];
      const place = CONNECTOR_HERE(world.sandbox.connect.url);
      return {
        run: runIn({ env }),
        commands: [
          ["doctor", "explain-lag", ...place, ...words],
          ["doctor", "explain-lag", ...place, ...words, "--format", "json"],
        ],
        close: () => world.close(),
      };
    },
    { cases: 24 },
  ),
];

const NO_COUNTS = ["NaN", "+Inf", "-Inf", "-1.0", "0.5", "1e400", "9".repeat(400), "0x10", "", "text", "1_000"];

/** A page of the JMX exporter with one sample changed; bytes now and then. */
function pageChanged(page: string, chance: Chance): Mutated {
  if (chance.likely(0.3)) return damaged(Buffer.from(page), chance);
  const lines = page.split("\n");
  const index = chance.int(0, lines.length - 1);
  const [name = "", value = ""] = (lines[index] ?? "").split(/ (?=\S+$)/);
  const line = chance.pick([
    `${name} ${chance.pick(NO_COUNTS)}`,
    name.replace("server", chance.pick(["__proto__", "constructor", "9", "sérver", "", "a".repeat(70_000)])) +
      ` ${value}`,
    name.replace(/"[^"]*"/, chance.pick(['"\u001b[2J\u202e"', '"\\n\\n"', '"\\x"', '"', `"${"x".repeat(60_000)}"`])) +
      ` ${value}`,
    `${name.replace(/^[^{]*/, chance.pick(["__proto__", "toString", "oracle_cdc_", "{", "-"]))} ${value}`,
    `${name} ${value} ${chance.pick(["1", "-1", "9".repeat(30), "soon"])}`,
    `${lines[index]}\n${lines[index]}`,
    "<html><body>Please sign in</body></html>",
  ]);
  lines[index] = line;
  return { what: `line ${index + 1}: ${line.slice(0, 60)}`, bytes: Buffer.from(lines.join("\n")) };
}

/** JSON as a worker answers it with other members; bytes now and then. */
function bodyChanged(path: string, body: Buffer, chance: Chance): Mutated {
  let json: Json | undefined;
  try {
    json = parseJson(body.toString());
  } catch {
    json = undefined;
  }
  const { what, bytes } =
    json === undefined || isDecimal(json) || chance.likely(0.2) ? damaged(body, chance) : memberChanged(json, chance);
  return { what: `${path}: ${what}`, bytes };
}

/** The entries of a list, each as JSON in a line of its own. */
export function linesOf(tree: Tree): string {
  if (tree.kind !== "array") return "";
  return tree.members.map(({ value }) => `${compact(value)}\n`).join("");
}

function compact(tree: Tree): string {
  switch (tree.kind) {
    case "scalar":
      return tree.text;
    case "array":
      return `[${tree.members.map(({ value }) => compact(value)).join(",")}]`;
    default:
      return `{${tree.members.map(({ name, value }) => `${JSON.stringify(name)}:${compact(value)}`).join(",")}}`;
  }
}

/** What a verification of a cutover wrote. */
async function genuineEvidence(): Promise<{ readonly dir: string; readonly text: string; close(): Promise<void> }> {
  const { mkdtemp } = await import("node:fs/promises");
  const sandbox = await cutOverSandbox();
  const dir = await mkdtemp(join(tmpdir(), "cdcctl-fuzz-"));
  try {
    const path = join(dir, "evidence.json");
    const { output } = await runHere(
      [
        ...["migrate", "verify", "--connector", NEW_CONNECTOR, "--connect-url", sandbox.connect.url],
        ...["--table", "SALES.ORDERS", "--legacy-topic", LEGACY_TOPIC, "--check-scn", String(CHECK_SCN)],
        ...["--output", path],
      ],
      { env: { HOME: dir, XDG_STATE_HOME: join(dir, "state") } },
    );
    const text = await readFile(path, "utf8").catch(() => {
      throw new Error(output);
    });
    return { dir, text, close: () => rm(dir, { recursive: true, force: true }) };
  } finally {
    await sandbox.close();
  }
}
