import { CallFailed } from "../../core/errors.ts";
import type { TableSeen } from "../../core/facts/tables/tables.ts";
import { goTo } from "./containers.ts";
import type { Row, Session } from "./session.ts";
import { DEFAULTS_OF_TABLE, SESSION } from "./statements.ts";

/**
 * What the columns of a table have by default.
 *
 * @param session of its own: it goes into the table's container
 * @returns why they can't be read, where the database refuses: nothing but records older than a column depends on them
 */
export async function readDefaults(
  session: Session,
  { container, owner, name }: TableSeen,
): Promise<readonly Row[] | string> {
  try {
    const [here] = await session.query(SESSION);
    if (here?.[0] !== container) await session.run(goTo(container), () => ({}));
    return await session.query(DEFAULTS_OF_TABLE, ({ BIND_IN, STRING }) => {
      const bind = (val: string) => ({ dir: BIND_IN, type: STRING, val, maxSize: 512 });
      return { owner: bind(owner), table_name: bind(name) };
    });
  } catch (error) {
    if (!(error instanceof CallFailed) || error.code === undefined || error.kind === "lost") throw error;
    return error.message;
  }
}
