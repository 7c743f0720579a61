import type { TableSeen } from "../../../schemas/generated/shared.ts";
import { CallFailed } from "../../errors.ts";
import { isStopped } from "../../facts/connector/connector.ts";
import { legacyOf, positionRulesOf, possibleLegacy } from "../../legacy/legacy-kind.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import { highest } from "../../values/lists.ts";
import type { Scn } from "../../values/scn.ts";

/** The last commit that the legacy connector delivered, or why it is unknown. */
export type LegacyEnd =
  | { readonly known: true; readonly connector: string; readonly lastDelivered: Scn }
  | { readonly known: false; readonly why: string };

/**
 * Determines the last commit that the legacy connector of some tables delivered. Up to that commit, a record may
 * contain the SCN of a change that was committed after a check SCN; beyond it, this cannot happen.
 *
 * Only a stopped connector's offsets are final: a running one continues to deliver and stores its position
 * periodically.
 *
 * Rule: specification, "Takeover rules", 4: the highest table `cscn`, or what the connector stores in its place.
 *
 * @param named the legacy connector, if its name is known; otherwise the workers' connectors are searched for one that
 * stores an offset of a table, or lists it
 */
export async function legacyEnd(
  connect: ConnectPort,
  named: string | undefined,
  tables: readonly TableSeen[],
): Promise<LegacyEnd> {
  try {
    const connectors = named === undefined ? await legacyConnectorsOf(connect, tables) : [named];
    if (connectors.length === 0) return unknown("these workers have no legacy connector of it");
    const commits: Scn[] = [];
    for (const name of connectors) {
      const status = await connect.status(name);
      if (status === undefined) return unknown(`these workers have no connector ${name}`);
      if (!isStopped(status)) return unknown(`${name} is not stopped`);
      const offsets = await connect.offsets(name);
      const commit = positionRulesOf({ config: {}, offsets }).lastCommit(offsets);
      if (commit === "unreadable") return unknown(`an offset of ${name} has a commit SCN that can't be read`);
      if (commit === undefined) return unknown(`no offset of ${name} tells of a commit`);
      commits.push(commit);
    }
    return { known: true, connector: connectors.join(", "), lastDelivered: highest(commits) as Scn };
  } catch (failure) {
    if (failure instanceof CallFailed) return unknown(failure.message);
    throw failure;
  }
}

function unknown(why: string): LegacyEnd {
  return { known: false, why };
}

async function legacyConnectorsOf(connect: ConnectPort, tables: readonly TableSeen[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of [...(await connect.connectors())].sort()) {
    const description = await connect.connector(name);
    if (description === undefined) continue;
    const { config } = description;
    if (possibleLegacy(config) === undefined) continue;
    const legacy = legacyOf({ from: { connector: name } }, { config, offsets: await connect.offsets(name) });
    const all = legacy.position.deliveredTables(legacy, [], [], { containers: [], answering: [], tables });
    if (all.some(({ mayBe: [one] }) => one !== undefined && tables.some((table) => isSame(one, table))))
      found.push(name);
  }
  return found;
}

/** @param delivered its container is one, or the connector's name for it; empty if its offset names none */
function isSame(delivered: TableSeen, { container, owner, name }: TableSeen): boolean {
  if (delivered.owner !== owner || delivered.name !== name) return false;
  const { container: own } = delivered;
  return own === "" || container === "" || own === container || own.endsWith(`.${container}`);
}
