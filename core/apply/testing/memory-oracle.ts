import type { OraclePort } from "../../ports/oracle.ts";
import { ADDRESS, DICTIONARY, databaseNow, redoNow } from "./memory-facts.ts";
import type { MemoryWorld } from "./memory-world.ts";

/** The database of the world, as far as plans look at it: none reads a table's rows. */
export function memoryOracle(
  world: Pick<MemoryWorld, "resetlogsScn" | "purged">,
  openTransactions: OraclePort["openTransactions"],
): OraclePort {
  const known: Partial<OraclePort> = {
    address: ADDRESS,
    openTransactions,
    database: async () => databaseNow(world),
    threads: async () => redoNow(world).threads,
    destinations: async () => redoNow(world).destinations,
    archivedLogs: async () => redoNow(world).archived,
    onlineLogs: async () => redoNow(world).online,
    containers: async () => DICTIONARY.containers,
    dictionary: async () => DICTIONARY,
    timesOf: async (scns) => scns.map((scn) => ({ scn, at: undefined })),
    probeLogs: async (files) => files.map((file) => ({ file, opened: true as const })),
    close: async () => {},
  };
  return known as OraclePort;
}
