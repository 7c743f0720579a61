import { type AttributeSeen, TASK_METRICS_DOMAIN } from "../../core/facts/connector/task-metrics.ts";
import type { JmxPort } from "../../core/ports/jmx.ts";
import { JMX_LIMITS, type JmxLimits } from "../limits.ts";
import { checkDomain } from "./bean-name.ts";
import { RemoteException } from "./jmx-failure.ts";
import { Broken, printAddress } from "./remote-call.ts";
import { has } from "./remote-exception.ts";
import { readServiceUrl } from "./service-url.ts";
import { type JmxLogin, openSession, type Session } from "./session.ts";
import { readTaskAttributes } from "./task-attributes.ts";
import { type JmxTls, tlsOptions } from "./tls-options.ts";

export interface JmxOptions extends JmxLimits {
  /** `service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi` */
  readonly url: string;
  readonly login?: JmxLogin;
  readonly tls?: JmxTls;
  /** The domain of the task's MBean. Default: `sh.oso.cdc`. */
  readonly domain?: string;
}

/**
 * Opens a JVM's MBeans over JMX/RMI, without Java. No connection is made and no store is read before the first call.
 *
 * @throws UsageError for a URL or a domain that can't be used
 */
export function openJmx(options: JmxOptions): JmxPort {
  const url = readServiceUrl(options.url);
  const { connectMillis, callMillis } = { ...JMX_LIMITS, ...options };
  const domain = checkDomain(options.domain ?? TASK_METRICS_DOMAIN);
  const address = url.form === "registry" ? printAddress(url.registry) : "the JVM of the stub in the JMX URL";
  let session: Session | undefined;
  let remarks: readonly string[] = [];
  let last: Promise<unknown> = Promise.resolve();

  const open = async (): Promise<Session> => {
    if (session?.alive === true) return session;
    session = await openSession({
      url,
      login: options.login,
      tls: options.tls,
      tlsOptions: await tlsOptions(options.tls),
      connectMillis,
      callMillis,
    });
    remarks = session.remarks;
    return session;
  };
  /** All calls are reads, so a connection that was dropped while idle is simply retried. */
  const reading = async <T>(read: () => Promise<T>): Promise<T> => {
    const known = session;
    try {
      return await read();
    } catch (error) {
      if (known === undefined || !isStale(error)) throw error;
      known.drop();
      return read();
    }
  };
  /** One connection carries one call at a time. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  return {
    address,
    get remarks() {
      return remarks;
    },
    taskAttributes(prefix, names): Promise<ReadonlyMap<string, AttributeSeen>> {
      return inTurn(() => reading(() => readTaskAttributes(open, { domain, prefix }, names)));
    },
    async close() {
      await inTurn(async () => session?.close());
      session = undefined;
    },
  };
}

/** The connection broke, or the JVM no longer knows its object. */
function isStale(error: unknown): boolean {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof Broken) return cause.by !== "timeout";
  return cause instanceof RemoteException && has(cause.chain, "java.rmi.NoSuchObjectException");
}
