import {
  LARGEST_TRANSACTIONS,
  type LagAttribute,
  type LargestTransaction,
} from "../../../core/facts/connector/task-metrics.ts";
import type { JavaValue } from "../../jmx/java-graph.ts";
import { taskBeanName } from "../../jmx/open-jmx.ts";
import {
  arrayOf,
  attributeList,
  boxedBoolean,
  boxedLong,
  composite,
  exception,
  hashSet,
  objectName,
} from "./build-graph.ts";
import { type LoopbackJvm, type Reply, startLoopbackJvm } from "./loopback-jvm.ts";

/** The attributes of the task. The MBean does not have those that are omitted. */
export interface TaskValues {
  readonly largest?: readonly LargestTransaction[];
  readonly lag?: Readonly<Partial<Record<LagAttribute, bigint>>>;
}

export interface TaskJvmOptions {
  /** `cdc.topic.prefix` of the connector whose task runs here. */
  readonly prefix: string;
  /** Called for every request. */
  readonly values: () => TaskValues;
  readonly domain?: string;
  /** The address that the JVM advertises (`java.rmi.server.hostname`). Default: 127.0.0.1. */
  readonly host?: string;
  /** The required login, if any. */
  readonly login?: { readonly user: string; readonly password: string };
  /** Changes each answer's bytes before they are sent. */
  readonly alters?: (bytes: Buffer) => Buffer;
}

/** Starts the JVM of a worker that runs one task, with its MBean, over JMX without TLS. */
export function startTaskJvm({
  prefix,
  values,
  domain = "sh.oso.cdc",
  host,
  login,
  alters,
}: TaskJvmOptions): Promise<LoopbackJvm> {
  const bean = taskBeanName(domain, prefix);
  return startLoopbackJvm(
    (call, _nth, sent): Reply | undefined => {
      switch (call) {
        case "newClient":
          return login === undefined || (names(sent, login.user) && names(sent, login.password)) ? undefined : REFUSED;
        case "getAttributes":
          if (!names(sent, bean)) return missing(bean);
          return { value: attributeList(pick(attributesOf(values()), sent)) };
        case "getAttribute": {
          // cdcctl requests the attributes missing from the answer one by one; other clients do so from the start.
          if (!names(sent, bean)) return missing(bean);
          const [found] = Object.values(pick(attributesOf(values()), sent));
          return found === undefined ? NO_ATTRIBUTE : { value: found };
        }
        case "queryNames":
          return { value: hashSet([objectName(bean)]) };
        default:
          return undefined;
      }
    },
    { ...(host === undefined ? {} : { host }), ...(alters === undefined ? {} : { alters }) },
  );
}

const REFUSED: Reply = {
  throws: exception("java.lang.SecurityException", "Authentication failed! Invalid username or password"),
};
const NO_ATTRIBUTE: Reply = { throws: exception("javax.management.AttributeNotFoundException", "No such attribute") };

function missing(bean: string): Reply {
  return { throws: exception("javax.management.InstanceNotFoundException", bean) };
}

/** Whether a text is among the arguments, where it is preceded by its length. */
function names(sent: Buffer, text: string): boolean {
  const bytes = Buffer.from(text);
  return sent.includes(Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]));
}

function pick(all: Readonly<Record<string, JavaValue>>, sent: Buffer): Readonly<Record<string, JavaValue>> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names(sent, name)));
}

/** Rule: reference: connector metrics, `LargestTransactions`. */
const MOST_LARGEST = 20;

function attributesOf({ largest, lag = {} }: TaskValues): Readonly<Record<string, JavaValue>> {
  const numbers = Object.entries(lag).map(([name, value]) => [name, boxedLong(value)] as const);
  const bytes = ({ heapBytes, spilledBytes }: LargestTransaction) => Number(heapBytes + spilledBytes);
  const rows =
    largest &&
    [...largest]
      .sort((a, b) => bytes(b) - bytes(a))
      .slice(0, MOST_LARGEST)
      .map(row);
  return {
    ...(rows === undefined
      ? {}
      : { [LARGEST_TRANSACTIONS]: arrayOf("[Ljavax.management.openmbean.CompositeData;", rows) }),
    ...Object.fromEntries(numbers),
  };
}

function row(transaction: LargestTransaction): JavaValue {
  return composite({
    xid: transaction.xid,
    username: transaction.user ?? null,
    clientId: transaction.clientId ?? null,
    ageMillis: boxedLong(transaction.ageMillis ?? -1n),
    firstScn: boxedLong(transaction.firstScn),
    events: boxedLong(transaction.events),
    heapBytes: boxedLong(transaction.heapBytes),
    spilledBytes: boxedLong(transaction.spilledBytes),
    journaled: boxedBoolean(transaction.journaled),
  });
}
