/**
 * PL/SQL blocks, recognized by their calls and the names of their binds: this is not a PL/SQL engine. An unknown block
 * is refused as one that does not compile.
 */
import { modeOf } from "./dictionary-views.ts";
import { addLogFile, endLogMiner, type LogMiner, startLogMiner } from "./logminer.ts";
import type { Bind, Done } from "./options.ts";
import { OraError } from "./ora-error.ts";
import { epochOf, formatMoment } from "./sql/moment.ts";
import type { Surroundings } from "./sql/scope.ts";
import { blankLiterals } from "./sql-text.ts";
import type { Value } from "./values.ts";
import { isReadable } from "./views.ts";
import type { OracleWorld, TableRow } from "./world.ts";

export interface BlockContext {
  readonly world: OracleWorld;
  readonly surroundings: Surroundings;
  readonly miner: LogMiner;
  /** The container of the session. */
  readonly container: string;
  /** `DBMS_APPLICATION_INFO.SET_CLIENT_INFO`. */
  setClientInfo(text: string): void;
}

type Block = (binds: ReadonlyMap<string, Bind>, context: BlockContext) => Done | Promise<Done>;

/** Longest SQLERRM, in bytes. */
const SQLERRM_LENGTH = 512;

const BLOCKS: readonly (readonly [calls: RegExp, needs: readonly string[], run: Block])[] = [
  [/\bSCN_TO_TIMESTAMP\s*\(/i, ["SCNS", "TIMES", "CODES"], timesOfScns],
  [/\bDBMS_LOGMNR\s*\.\s*ADD_LOGFILE\s*\(/i, ["FILES", "ADDED", "CODES", "MESSAGES"], addLogFiles],
  [
    /\bEXECUTE\s+IMMEDIATE\b[\s\S]*\bDBMS_ASSERT\s*\.\s*ENQUOTE_NAME\s*\(/i,
    ["OWNERS", "NAMES", "MARK", "DONE", "SCNS", "CODES", "MESSAGES"],
    latestRows,
  ],
  [/\bEXECUTE\s+IMMEDIATE\s+texts\s*\(/i, ["TEXTS", "CODES"], parsed],
  [/\bDBMS_LOGMNR\s*\.\s*START_LOGMNR\s*\(/i, ["START_SCN", "END_SCN"], startSession],
  [/^\s*BEGIN\s+(SYS\s*\.\s*)?DBMS_LOGMNR\s*\.\s*END_LOGMNR\s*;\s*END\s*;\s*$/i, [], endSession],
];

/** @throws OraError 06550 for an unknown block, or that uses a package which was not granted */
export function runBlock(sql: string, binds: readonly Bind[], context: BlockContext): Done | Promise<Done> {
  const code = blankLiterals(sql);
  refuseDenied(code, context.world);
  const byName = new Map(binds.map((bind) => [bind.name, bind]));
  const block = BLOCKS.find(([calls, needs]) => calls.test(code) && needs.every((name) => byName.has(name)));
  if (block === undefined) throw doesNotCompile(sql, 0, "PLS-00103: the loopback database does not know this block");
  return block[2](byName, context);
}

function refuseDenied(code: string, { denied }: OracleWorld): void {
  for (const match of code.matchAll(/\bDBMS_\w+/gi)) {
    const name = match[0].toUpperCase();
    if (denied.has(name)) throw doesNotCompile(code, match.index, `PLS-00201: identifier '${name}' must be declared`);
  }
}

function doesNotCompile(sql: string, offset: number, why: string): OraError {
  const before = sql.slice(0, offset).split("\n");
  const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}:`;
  return new OraError(6550, `${place}\n${why}\nORA-06550: ${place}\nPL/SQL: Statement ignored`, offset);
}

function arrayOf(bind: Bind | undefined): readonly Value[] {
  return Array.isArray(bind?.value) ? bind.value : [];
}

/** Returns an error as WHEN OTHERS sees it. @throws errors that are not from the database */
function caught(error: unknown): { readonly code: string; readonly message: string } {
  if (!(error instanceof OraError)) throw error;
  return {
    code: String(-error.code),
    message: Buffer.from(error.message.replace(/\nORA-06512[^\n]*/g, ""))
      .subarray(0, SQLERRM_LENGTH)
      .toString(),
  };
}

function timesOfScns(binds: ReadonlyMap<string, Bind>, { surroundings }: BlockContext): Done {
  const answers = arrayOf(binds.get("SCNS")).map((scn) => {
    try {
      const epoch = surroundings.timeOfScn(BigInt(String(scn)));
      const utc = epochOf({ is: "TIMESTAMP", wall: epoch, zone: undefined }, 0);
      return {
        time: formatMoment({ is: "TIMESTAMP", wall: utc, zone: undefined }, 'YYYY-MM-DD"T"HH24:MI:SS'),
        code: "0",
      };
    } catch (error) {
      return { time: null, code: caught(error).code };
    }
  });
  return { out: { TIMES: answers.map(({ time }) => time), CODES: answers.map(({ code }) => code) } };
}

function addLogFiles(binds: ReadonlyMap<string, Bind>, { world, miner, container }: BlockContext): Done {
  let added = Number(binds.get("ADDED")?.value ?? 0);
  const answers = arrayOf(binds.get("FILES")).map((file) => {
    try {
      addLogFile(world, miner, container, String(file), added === 0 ? "NEW" : "ADDFILE");
      added++;
      return { code: "0", message: null };
    } catch (error) {
      return caught(error);
    }
  });
  return {
    out: {
      ADDED: String(added),
      CODES: answers.map(({ code }) => code),
      MESSAGES: answers.map(({ message }) => message),
    },
  };
}

function startSession(binds: ReadonlyMap<string, Bind>, { world, miner }: BlockContext): Done {
  const scn = (name: string) => BigInt(String(binds.get(name)?.value));
  startLogMiner(world, miner, scn("START_SCN"), scn("END_SCN"));
  return {};
}

function endSession(_: ReadonlyMap<string, Bind>, { world, miner }: BlockContext): Done {
  endLogMiner(world, miner);
  return {};
}

/** Parses statements: queries without INTO, and blocks without effect. */
function parsed(binds: ReadonlyMap<string, Bind>, { world }: BlockContext): Done {
  const codes = arrayOf(binds.get("TEXTS")).map((value) => {
    const text = String(value);
    const view = /^SELECT NULL FROM (\S+)$/.exec(text)?.[1];
    try {
      if (view === undefined) refuseDenied(text, world);
      else if (!isReadable(world, view)) throw new OraError(942, "table or view does not exist");
      return "0";
    } catch (error) {
      return caught(error).code;
    }
  });
  return { out: { CODES: codes } };
}

/** `MAX(ORA_ROWSCN)` of tables of the current container. A table with `takesForEver` is read forever. */
async function latestRows(binds: ReadonlyMap<string, Bind>, context: BlockContext): Promise<Done> {
  const { world, container, setClientInfo } = context;
  if (modeOf(world, container) === "MOUNTED")
    throw new OraError(1219, "database or pluggable database not open: queries allowed on fixed tables or views only");
  const owners = arrayOf(binds.get("OWNERS")).map(String);
  const names = arrayOf(binds.get("NAMES")).map(String);
  const answers: { readonly scn: string | null; readonly code: string; readonly message: string | null }[] = [];
  for (const [at, name] of names.entries()) {
    setClientInfo(`${binds.get("MARK")?.value} ${at + 1}`);
    const table = world.tables.find(
      (one) => one.owner === owners[at] && one.name === name && (one.pdb ?? world.database.name) === container,
    );
    if (table?.takesForEver) await new Promise<never>(() => undefined);
    answers.push(latestRow(table));
  }
  return {
    out: {
      DONE: String(answers.length),
      SCNS: answers.map(({ scn }) => scn),
      CODES: answers.map(({ code }) => code),
      MESSAGES: answers.map(({ message }) => message),
    },
  };
}

function latestRow(table: TableRow | undefined) {
  try {
    if (table === undefined) throw new OraError(942, "table or view does not exist");
    if (table.unreadable !== undefined) throw new OraError(table.unreadable.code, table.unreadable.text);
    return { scn: table.rowScn === undefined ? null : String(table.rowScn), code: "0", message: null };
  } catch (error) {
    return { scn: null, ...caught(error) };
  }
}
