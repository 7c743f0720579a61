import { CallFailed } from "../../core/errors.ts";
import type { RowScn, TableSeen } from "../../core/facts/tables/tables.ts";
import { grouped } from "../../core/values/lists.ts";
import { goTo } from "./containers.ts";
import type { Driver } from "./driver.ts";
import { type Grantee, grantOfTables } from "./grants.ts";
import { oraCode } from "./oracle-failure.ts";
import type { Session } from "./session.ts";
import { ROW_SCNS, SESSION } from "./statements.ts";

const TABLES_A_CALL = 300;

/** So many tables may take too long; after that the rest is not tried, or the operator waits all night. */
const MOST_TOO_SLOW = 3;

/** Longest name in bytes is 128; SQLERRM is 512, cut at 1000 by the block. */
const NAME_BYTES = 512;
const MESSAGE_BYTES = 4000;

/** SQLCODE of a table that may not be read, or is not there. */
function isDenied(code: number): boolean {
  return code === -942 || code === -1031;
}

interface Answer {
  readonly done: number;
  readonly scns: readonly (string | null)[];
  readonly codes: readonly number[];
  readonly messages: readonly (string | null)[];
}

type Answered = Omit<RowScn, keyof TableSeen>;

/**
 * Reads `MAX(ORA_ROWSCN)` of many tables: a call for 300 of one container. The session must be used for nothing else:
 * it goes from one container to the next.
 *
 * @param callMillis what a call may take; a table that takes longer is left out, with its problem
 * @throws CallFailed `forbidden` without SET CONTAINER, `lost` when the connection breaks
 */
export async function readRowScns(
  session: Session,
  tables: readonly TableSeen[],
  callMillis: number,
): Promise<readonly RowScn[]> {
  if (tables.length === 0) return [];
  const answers = new Map<TableSeen, Answered>();
  const answerAll = (some: readonly TableSeen[], problem: string) => {
    for (const table of some) if (!answers.has(table)) answers.set(table, { scn: undefined, problem });
  };
  let call = 0;
  let tooSlow = 0;

  async function readIn(members: readonly TableSeen[]): Promise<void> {
    let rest = members;
    while (rest.length > 0 && tooSlow < MOST_TOO_SLOW) {
      const some = rest.slice(0, TABLES_A_CALL);
      call++;
      try {
        const answer = await session.run<Answer>(ROW_SCNS, (driver) => bindsOf(driver, some, call, callMillis));
        const grantee = answer.codes.some(isDenied) ? await session.doingAs() : session.doing;
        for (const [at, table] of some.slice(0, answer.done).entries())
          answers.set(table, answered(answer, at, grantee));
        rest = rest.slice(answer.done);
      } catch (error) {
        const slow = isTimeout(error) ? await tableBeingRead(session, some, call) : undefined;
        if (slow === undefined) throw error;
        tooSlow++;
        answers.set(slow, {
          scn: undefined,
          problem: `not read within ${callMillis / 1000} s; a scan may take longer`,
        });
        rest = rest.filter((table) => table !== slow);
      }
    }
  }

  const [here] = await session.query(SESSION);
  let at = here?.[0];
  for (const [container, members] of grouped(tables, ({ container }) => container)) {
    try {
      if (container !== at) await session.run(goTo(container), () => ({}));
      at = container;
      await readIn(members);
    } catch (error) {
      if (!isOfContainer(error)) throw error;
      answerAll(members, error.message);
    }
  }
  answerAll(tables, `not tried: ${MOST_TOO_SLOW} other tables took longer than ${callMillis / 1000} s each`);
  return tables.map((table) => ({ ...table, ...(answers.get(table) ?? { scn: undefined }) }));
}

function bindsOf(driver: Driver, tables: readonly TableSeen[], call: number, callMillis: number) {
  const { BIND_IN, BIND_OUT, STRING, NUMBER } = driver;
  const out = { dir: BIND_OUT, maxArraySize: tables.length };
  return {
    mark: { dir: BIND_IN, type: STRING, val: String(call), maxSize: 64 },
    hundredths: { dir: BIND_IN, type: NUMBER, val: Math.ceil(callMillis / 40) },
    owners: { dir: BIND_IN, type: STRING, val: tables.map(({ owner }) => owner), maxSize: NAME_BYTES },
    names: { dir: BIND_IN, type: STRING, val: tables.map(({ name }) => name), maxSize: NAME_BYTES },
    done: { dir: BIND_OUT, type: NUMBER },
    scns: { ...out, type: STRING, maxSize: 64 },
    codes: { ...out, type: NUMBER },
    messages: { ...out, type: STRING, maxSize: MESSAGE_BYTES },
  };
}

function answered({ scns, codes, messages }: Answer, at: number, grantee: Grantee): Answered {
  const scn = scns[at] ?? null;
  const code = codes[at] ?? 0;
  if (code === 0) return { scn: scn === null ? undefined : BigInt(scn) };
  const [said = ""] = (messages[at] ?? oraCode(code)).split("\n");
  const why = isDenied(code) ? ` (dropped since, or not granted: ${grantOfTables(grantee)})` : "";
  return { scn: undefined, problem: `${said}${why}` };
}

function isTimeout(error: unknown): boolean {
  return error instanceof CallFailed && error.kind === "timeout";
}

/** What the session was at when the call was given up. @returns undefined where it can't be told */
async function tableBeingRead(
  session: Session,
  tables: readonly TableSeen[],
  call: number,
): Promise<TableSeen | undefined> {
  const [row] = await session.query(SESSION);
  const [said, number] = row?.[1]?.split(" ") ?? [];
  return said === String(call) ? tables[Number(number) - 1] : undefined;
}

/** It is closed, or gone: that concerns its own tables. */
function isOfContainer(error: unknown): error is CallFailed {
  return error instanceof CallFailed && (error.kind === "rejected" || error.kind === "unreachable");
}
