import { CallFailed } from "../../core/errors.ts";
import { grouped } from "../../core/values/lists.ts";
import type { RowScn } from "../../schemas/generated/facts.ts";
import type { TableSeen } from "../../schemas/generated/shared.ts";
import { goTo } from "./containers.ts";
import type { Driver } from "./driver.ts";
import { type Grantee, granted } from "./grants.ts";
import { oraCode } from "./oracle-failure.ts";
import type { Session } from "./session.ts";
import { ROW_SCNS, SESSION } from "./statements.ts";

const TABLES_A_CALL = 300;

/** The number of slow tables after which the rest is not tried, so that the operator does not wait for hours. */
const MOST_TOO_SLOW = 3;

/** The longest name has 128 bytes; SQLERRM has 512, and is truncated to 1000 by the block. */
const NAME_BYTES = 512;
const MESSAGE_BYTES = 4000;

/** Whether this is the SQLCODE of a table that may not be read or does not exist. */
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
 * Reads `MAX(ORA_ROWSCN)` of many tables: one call for 300 tables of a container. The session must be used for nothing
 * else: it switches between containers.
 *
 * @param callMillis limit of a call; a table that takes longer is returned with its problem
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
        const isTimeout = error instanceof CallFailed && error.kind === "timeout";
        const slow = isTimeout ? await tableBeingRead(session, some, call) : undefined;
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
  let entered = here?.[0];
  for (const [container, members] of grouped(tables, ({ container }) => container)) {
    try {
      if (container !== entered) await session.run(goTo(container), () => ({}));
      entered = container;
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
  const [reason = ""] = (messages[at] ?? oraCode(code)).split("\n");
  const why = isDenied(code) ? ` (dropped since, or not granted: ${granted("SELECT ANY TABLE", grantee)})` : "";
  return { scn: undefined, problem: `${reason}${why}` };
}

/** Returns the table that the session was reading at the timeout; undefined if that is unknown. */
async function tableBeingRead(
  session: Session,
  tables: readonly TableSeen[],
  call: number,
): Promise<TableSeen | undefined> {
  const [row] = await session.query(SESSION);
  const [mark, number] = row?.[1]?.split(" ") ?? [];
  return mark === String(call) ? tables[Number(number) - 1] : undefined;
}

/** Whether a container is closed or gone, which concerns only its own tables. */
function isOfContainer(error: unknown): error is CallFailed {
  return error instanceof CallFailed && (error.kind === "rejected" || error.kind === "unreachable");
}
