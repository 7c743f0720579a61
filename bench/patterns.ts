import { capturedTables } from "../core/facts/tables/tables.ts";
import type { Dictionary } from "../schemas/generated/facts.ts";
import type { TableSeen } from "../schemas/generated/shared.ts";
import { median, type Result } from "./result.ts";

/**
 * Measures which of many tables are matched by twenty patterns. The peer is the simplest implementation, one
 * JavaScript expression per pattern, tried one by one: only for the patterns on which that terminates, and which have
 * the same meaning in both languages.
 */
const TABLES = 100_000;
const PATTERNS = 20;
const LIMIT_SECONDS = 1;
const WARM_UP = 1;
const ROUNDS = 5;

export function benchPatterns(): readonly Result[] {
  const dictionary = dictionaryOf(TABLES);
  const portable = Array.from({ length: PATTERNS }, (_, i) => portablePattern(i));
  const hostile = portable.map((pattern, i) => (i % 10 === 0 ? endlessPattern(i) : pattern));
  const unmatched = portable.map((pattern) =>
    pattern.replace(/^ORCLPDB1/, "ORCLPDB[2-9]").replace(/^\.\*/, ".*\\.NO_"),
  );
  const peer = timed(() => oneByOne(portable, dictionary));
  return [
    row("captured tables, plain patterns", portable, dictionary, peer),
    row(
      "captured tables, none matches",
      unmatched,
      dictionary,
      timed(() => oneByOne(unmatched, dictionary)),
    ),
    row("captured tables, some patterns backtrack without end", hostile, dictionary, peer),
    gaveUp(dictionary, portable),
  ];
}

function row(what: string, patterns: readonly string[], dictionary: Dictionary, peer: Timed): Result {
  const own = timed(() => captured(patterns, dictionary));
  return {
    what,
    input: `${dictionary.tables.length} tables x ${patterns.length} patterns`,
    measured: `${own.seconds.toFixed(3)} s (processor time ${own.processor.toFixed(3)} s), ${own.found} captured`,
    peer:
      `RegExp one by one, where it ends: ${peer.seconds.toFixed(3)} s (${peer.processor.toFixed(3)} s), ` +
      `${peer.found}`,
    ratio: `${(own.processor / peer.processor).toFixed(2)} x`,
    bar: { text: `${LIMIT_SECONDS} s of processor time`, holds: own.processor <= LIMIT_SECONDS },
  };
}

/**
 * Adds a pattern that no automaton can match and that backtracks endlessly: the result must be reported as unknown
 * quickly.
 */
function gaveUp(dictionary: Dictionary, patterns: readonly string[]): Result {
  const list = [...patterns.map((pattern) => `NO_${pattern}`), ".*(\\w*)*\\1(?!\\w)"];
  const own = timed(() => {
    const set = capturedTables(selection(list), dictionary);
    if (set.known) throw new Error("this set must be unknown");
    return 0;
  });
  return {
    what: "captured tables, given up",
    input: `${dictionary.tables.length} tables x ${list.length} patterns`,
    measured: `${own.seconds.toFixed(3)} s until it is unknown`,
    bar: { text: `${LIMIT_SECONDS} s of processor time`, holds: own.processor <= LIMIT_SECONDS },
  };
}

function selection(patterns: readonly string[]) {
  return { pdbs: ["ORCLPDB1"], include: patterns.join(","), exclude: ".*_TMP,.*[.]BIN[$].*", caseSensitive: false };
}

function captured(patterns: readonly string[], dictionary: Dictionary): number {
  const set = capturedTables(selection(patterns), dictionary);
  if (!set.known) throw new Error(set.why);
  return set.tables.length;
}

function oneByOne(patterns: readonly string[], { tables }: Dictionary): number {
  const expressions = (list: readonly string[]) => list.map((pattern) => new RegExp(`^(?:${pattern})$`, "i"));
  const included = expressions(patterns);
  const excluded = expressions([".*_TMP", ".*[.]BIN[$].*"]);
  return tables.filter(({ container, owner, name }) => {
    const whole = `${container}.${owner}.${name}`;
    return included.some((one) => one.test(whole)) && !excluded.some((one) => one.test(whole));
  }).length;
}

interface Timed {
  /** Median of the rounds after the warm-up. */
  readonly seconds: number;
  /** Processor time, including that of the garbage collector's threads: the time required on an idle machine. */
  readonly processor: number;
  readonly found: number;
}

function timed(work: () => number): Timed {
  const times: number[] = [];
  const processor: number[] = [];
  let found = 0;
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    const cpu = process.cpuUsage();
    const start = process.hrtime.bigint();
    found = work();
    if (round < WARM_UP) continue;
    times.push(Number(process.hrtime.bigint() - start) / 1e9);
    const { user, system } = process.cpuUsage(cpu);
    processor.push((user + system) / 1e6);
  }
  return { seconds: median(times), processor: median(processor), found };
}

const OWNERS = ["SALES", "HR", "FINANCE", "APP_CORE", "WMS", "CRM$", "BILLING", "LEGACY"] as const;
const WORDS = [
  "ORDERS",
  "LINES",
  "CUSTOMER",
  "INVOICE",
  "STOCK",
  "EVENT",
  "PAYMENT",
  "ADDRESS",
  "ITEM",
  "AUDIT",
] as const;

function dictionaryOf(size: number): Dictionary {
  const tables = Array.from({ length: size }, (_, i): TableSeen => {
    const words = [WORDS[i % 10], WORDS[Math.floor(i / 10) % 10], WORDS[Math.floor(i / 100) % 7]];
    return {
      container: "ORCLPDB1",
      owner: OWNERS[i % OWNERS.length] ?? "SALES",
      name: `${words.join("_")}_${i}${i % 17 === 0 ? "_TMP" : ""}`,
    };
  });
  return { containers: [{ name: "ORCLPDB1", openMode: "READ WRITE" }], tables, answering: ["ORCLPDB1"] };
}

/** Patterns of many shapes with the same meaning in Java and JavaScript. */
function portablePattern(i: number): string {
  const owner = (OWNERS[i % OWNERS.length] ?? "SALES").replace("$", "[$]");
  const word = WORDS[i % 10] ?? "";
  const other = WORDS[(i * 7) % 10] ?? "";
  const shapes = [
    `ORCLPDB1[.]${owner}[.]${word}_${other}_.*_${i}`,
    `.*[.]${word}_${other}_[A-Z]+_\\d*${i}`,
    `ORCLPDB1\\.${owner}\\.(${word}|${other})_.*${i}\\d`,
    `.*${word}.*${other}.*_${i}7`,
    `ORCLPDB1[.][^.]+[.]${word}_[A-Z]{2,8}_[A-Z]+_${i}[0-4]{1,2}`,
  ];
  return shapes[i % shapes.length]?.replaceAll(",", ";").replace("{2;8}", "+").replace("{1;2}", "+") ?? "";
}

/** A pattern on which a backtracking engine never terminates for a name that does not match. */
function endlessPattern(i: number): string {
  const shapes = [`(([A-Z0-9_.])*)*${i}!`, `(.*)*(.*)*(.*)*${i}!`, `(A|B|[A-Z]|\\w|.)+#${i}`, `(\\w+[.]?)+\\w+ ${i}`];
  return shapes[(i / 10) % shapes.length] ?? "";
}
