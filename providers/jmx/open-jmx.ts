import { UsageError } from "../../core/errors.ts";
import { type AttributeSeen, serverOfBean, TASK_METRICS_DOMAIN } from "../../core/facts/connector/task-metrics.ts";
import type { JmxPort } from "../../core/ports/jmx.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { truncate } from "../../core/values/truncate.ts";
import { JMX_LIMITS, type JmxLimits } from "../limits.ts";
import { attributeValue } from "./attribute-value.ts";
import { GraphProblem, isObject, type JavaValue, objectsWritten, SenderAborted } from "./java-graph.ts";
import { callFailure, exceptionChain, has, jmxFailure, RemoteException, rootText, textOfJvm } from "./jmx-failure.ts";
import { Broken, methodOf, printAddress } from "./remote-call.ts";
import { readServiceUrl } from "./service-url.ts";
import { type JmxLogin, type JmxTls, openSession, type Session, tlsOptions } from "./session.ts";

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

const NAME = "Ljavax/management/ObjectName;";
const SUBJECT = "Ljavax/security/auth/Subject;";
const GET_ATTRIBUTE = methodOf(`getAttribute(${NAME}Ljava/lang/String;${SUBJECT})Ljava/lang/Object;`);
const GET_ATTRIBUTES = methodOf(`getAttributes(${NAME}[Ljava/lang/String;${SUBJECT})Ljavax/management/AttributeList;`);
const QUERY_NAMES = methodOf(`queryNames(${NAME}Ljava/rmi/MarshalledObject;${SUBJECT})Ljava/util/Set;`);
const NONE = { kind: "null" } as const;

interface TaskBean {
  readonly domain: string;
  /** The connector's `cdc.topic.prefix`. */
  readonly prefix: string;
}

/**
 * Reads all attributes in one call; those missing from the answer one by one, and all of them if a single one breaks
 * the call.
 *
 * @param open returns the session; a new one if the last broke
 * @throws CallFailed; for a missing task it lists the existing ones
 */
async function readTaskAttributes(
  open: () => Promise<Session>,
  task: TaskBean,
  names: readonly string[],
): Promise<ReadonlyMap<string, AttributeSeen>> {
  const session = await open();
  const bean = taskBeanName(task.domain, task.prefix);
  const doing = `read ${textOfJvm(bean)} at ${session.address}`;
  const found = await together(session, bean, names).catch(async (error: unknown) => {
    if (isMissing(error)) throw await noSuchTask(session, task, bean);
    if (names.length > 1 && ofOneValue(error) !== undefined) return new Map<string, AttributeSeen>();
    throw callFailure(error, doing);
  });
  for (const name of names) if (!found.has(name)) found.set(name, await alone(await open(), bean, name, doing));
  const reasons = names.flatMap((name) => {
    const seen = found.get(name);
    return seen?.read === false ? [seen.why] : [];
  });
  if (names.length > 0 && reasons.length === names.length)
    throw jmxFailure({
      kind: "unsupported",
      message: `could not ${doing}: none of its attributes can be read; the first: ${reasons[0]}`,
      remedy: "Check that the MBean belongs to the connector, and that cdcctl supports its version.",
    });
  return found;
}

/** All attributes at once: the MBean silently omits those that do not exist or fail. */
async function together(session: Session, bean: string, names: readonly string[]): Promise<Map<string, AttributeSeen>> {
  const found = new Map<string, AttributeSeen>();
  const list = await session.call(GET_ATTRIBUTES, [
    { kind: "object name", name: bean },
    { kind: "texts", texts: names },
    NONE,
  ]);
  if (!isObject(list) || list.class.name !== "javax.management.AttributeList")
    throw new GraphProblem("unsupported", "it is not a list of attributes");
  for (const attribute of objectsWritten(list, "java.util.ArrayList")) {
    const name = isObject(attribute) ? attribute.fields.get("name") : undefined;
    const value = isObject(attribute) ? attribute.fields.get("value") : undefined;
    if (typeof name === "string" && value !== undefined && names.includes(name)) found.set(name, seen(name, value));
  }
  return found;
}

function seen(name: string, value: JavaValue): AttributeSeen {
  try {
    return { read: true, value: attributeValue(value) };
  } catch (error) {
    return unread(name, error) ?? fail(error);
  }
}

function unread(name: string, error: unknown): AttributeSeen | undefined {
  const why = ofOneValue(error);
  return why === undefined ? undefined : { read: false, why: `${name} can't be read: ${why}` };
}

/** The reason, if the failure concerns one value and not the connection. */
function ofOneValue(error: unknown): string | undefined {
  if (error instanceof GraphProblem) return error.kind === "damaged" ? undefined : textOfJvm(error.message);
  if (!(error instanceof SenderAborted)) return undefined;
  return `the JVM could not write it (${rootText(exceptionChain(error.exception))})`;
}

function fail(error: unknown): never {
  throw error;
}

async function alone(session: Session, bean: string, name: string, doing: string): Promise<AttributeSeen> {
  try {
    const args = [{ kind: "object name", name: bean }, { kind: "text", text: name }, NONE] as const;
    return seen(name, await session.call(GET_ATTRIBUTE, args));
  } catch (error) {
    if (!(error instanceof RemoteException) || isMissing(error))
      return unread(name, error) ?? fail(callFailure(error, doing));
    if (has(error.chain, "javax.management.AttributeNotFoundException"))
      return { read: false, why: `the task's MBean has no attribute ${name}` };
    return { read: false, why: `${name} can't be read: the task threw ${rootText(error.chain)}` };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof RemoteException && has(error.chain, "javax.management.InstanceNotFoundException");
}

const MOST_TASKS = 10;

async function noSuchTask(session: Session, { domain, prefix }: TaskBean, bean: string): Promise<Error> {
  const here = await tasks(session, domain);
  if (here.length > 0)
    return jmxFailure({
      kind: "missing",
      message:
        `the JVM at ${session.address} runs no task for the topic prefix ${textOfJvm(prefix)}; it runs tasks for ` +
        `${some(here.map((one) => one.prefix))}`,
      remedy: "Use the JMX URL of the worker that runs the task; the connector's status names it.",
    });
  const elsewhere = [...new Set((await tasks(session, "*")).map((one) => one.domain))];
  return jmxFailure({
    kind: "missing",
    message: `the JVM at ${session.address} has no MBean ${textOfJvm(bean)}, and no other task in that domain`,
    remedy:
      elsewhere.length > 0
        ? `Set the connector's domain if it is another one: the JVM has task MBeans in ${some(elsewhere)}.`
        : "Use the JMX URL of the worker that runs the task; the connector's status names it.",
  });
}

async function tasks(session: Session, domain: string): Promise<readonly TaskBean[]> {
  const pattern = { kind: "object name", name: `${domain}:type=task,*` } as const;
  const names = await session.call(QUERY_NAMES, [pattern, NONE, NONE]).catch(() => null);
  if (!isObject(names)) return [];
  return objectsWritten(names, "java.util.HashSet").flatMap((name) => {
    const text = isObject(name) ? objectsWritten(name, "javax.management.ObjectName")[0] : undefined;
    const task = typeof text === "string" ? taskOf(text) : undefined;
    return task === undefined ? [] : [task];
  });
}

function some(texts: readonly string[]): string {
  const names = [...texts].sort().slice(0, MOST_TASKS).map(textOfJvm);
  return `${names.join(", ")}${texts.length > MOST_TASKS ? ` and ${texts.length - MOST_TASKS} more` : ""}`;
}

/** Names of the tasks' MBeans: `DOMAIN:type=task,server=PREFIX` (reference: wire formats, "Task metrics over JMX"). */

/** @throws UsageError for an invalid domain */
export function checkDomain(domain: string): string {
  if (/^[^:*?\n"=,]{1,200}$/.test(domain)) return domain;
  throw new UsageError(
    `"${escapeTerminal(truncate(domain, 200))}" is not a valid MBean domain`,
    "Write it like sh.oso.cdc.",
  );
}

export function taskBeanName(domain: string, prefix: string): string {
  return `${domain}:type=task,server=${serverOfBean(prefix)}`;
}

/** Domain and prefix in the name of a task's MBean; undefined for any other name. */
export function taskOf(name: string): { readonly domain: string; readonly prefix: string } | undefined {
  const [, domain, properties = ""] = /^([^:]*):(.*)$/s.exec(name) ?? [];
  const server = /(?:^|,)server=("(?:[^"\\]|\\.)*"|[^,]*)/s.exec(properties)?.[1];
  if (domain === undefined || server === undefined) return undefined;
  return { domain, prefix: server.startsWith('"') ? unquoted(server) : server };
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
}
