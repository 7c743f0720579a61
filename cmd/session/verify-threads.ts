import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import type { BrokerSettings, DatabaseSettings } from "../../core/facts/connector/settings.ts";
import { type Secret, secret } from "../../core/values/secret.ts";
import type { UnitThreads } from "../../core/verification/cutover/request.ts";
import { runInThreads } from "../../providers/threads/run-in-threads.ts";
import type { TableJob } from "../../schemas/generated/verification-job.ts";
import type { Host } from "../host.ts";
import type { Logins } from "./time-limits.ts";

/**
 * Input of a thread. Threads exchange only plain values, so secrets are in plain text here, only in this process's
 * memory.
 */
export interface ThreadData {
  readonly job: TableJob;
  readonly access: Opened;
  readonly place: string;
  readonly spool: string;
  readonly verbose: boolean;
}

interface Opened {
  readonly brokers: Omit<BrokerSettings, "properties"> & { readonly properties: Readonly<Record<string, string>> };
  readonly database: Omit<DatabaseSettings, Sealed> & { readonly [S in Sealed]: string | undefined };
  readonly limits: Logins["limits"];
}

type Sealed = "password" | "truststorePassword";

/** Number of records and rows above which reading takes longer than starting threads. */
const WORTH_STARTING = 200_000;

/** Maximum number of threads; more would wait for the brokers and the database. */
const MOST = 2;

/**
 * Starts threads that verify over their own connections.
 *
 * @returns undefined when there is one processor, or no built thread to start: one thread then does all the work
 */
export function verifyThreads(
  logins: Logins,
  place: string,
  { threads: given, trace }: Pick<Host, "threads" | "trace">,
): UnitThreads | undefined {
  const threads = given === undefined ? Math.min(MOST, availableParallelism()) : MOST;
  const module = given?.module ?? new URL("./verify-thread.js", import.meta.url);
  if (threads < 2 || !existsSync(module)) return undefined;
  const access = opened(logins);
  return {
    from: given?.from ?? WORTH_STARTING,
    open(job, spool) {
      const data: ThreadData = { job, access, place, spool, verbose: trace !== undefined };
      return runInThreads(module, data, threads, trace?.line);
    },
  };
}

function opened({ brokers, database, limits: { kafka, oracle } }: Logins): Opened {
  return {
    limits: { kafka, oracle },
    brokers: {
      ...brokers,
      properties: Object.fromEntries(Object.entries(brokers.properties).map(([name, value]) => [name, value.open()])),
    },
    database: {
      ...database,
      password: database.password?.open(),
      truststorePassword: database.truststorePassword?.open(),
    },
  };
}

/** The logins, sealed again immediately. */
export function sealed({ brokers, database, limits }: Opened): Logins {
  const again = (value: string | undefined): Secret | undefined => (value === undefined ? undefined : secret(value));
  return {
    limits,
    brokers: {
      ...brokers,
      properties: Object.fromEntries(Object.entries(brokers.properties).map(([name, value]) => [name, secret(value)])),
    },
    database: {
      ...database,
      password: again(database.password),
      truststorePassword: again(database.truststorePassword),
    },
  };
}
