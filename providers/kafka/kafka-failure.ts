import { CallFailed, type FailureKind } from "../../core/errors.ts";
import { errorName, failureKind, MOVED } from "./error-codes.ts";

/** An error code in an answer that was otherwise understood. */
export class BrokerRefused extends Error {
  override readonly name = "BrokerRefused";
  readonly code: number;

  constructor(code: number) {
    super(errorName(code));
    this.code = code;
  }
}

export function tooOld(address: string): CallFailed {
  return new CallFailed("kafka", "unsupported", {
    message: `${address} is a Kafka broker older than 0.11`,
    remedy: "Kafka 0.11 or later is required",
  });
}

/** Returns the broker's error code in an error of the requests here or of kafkajs. */
export function brokerCode(error: unknown): number | undefined {
  if (error instanceof BrokerRefused) return error.code;
  if (!(error instanceof Error) || error.name !== "KafkaJSProtocolError" || !("code" in error)) return undefined;
  // kafkajs 2.2.4 replaces every code that it does not know with this one, and puts the broker's code into the message.
  if (error.code === UNKNOWN_TO_KAFKAJS) return Number(/\d+$/.exec(error.message)?.[0] ?? UNKNOWN_TO_KAFKAJS);
  return typeof error.code === "number" ? error.code : undefined;
}

const UNKNOWN_TO_KAFKAJS = -99;

/** Whether another broker leads the partition now; the request had no effect. */
export function hasMoved(error: unknown): boolean {
  const code = brokerCode(error);
  return code !== undefined && MOVED.includes(code);
}

export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && /^KafkaJS(Connection|RequestTimeout|ConnectionClosed|LockTimeout)/.test(error.name);
}

const REMEDIES: Partial<Record<FailureKind, string>> = {
  forbidden: "Grant the login the operation on this topic (kafka-acls).",
  missing: "Create the topic, or name the right one in the connector's configuration.",
};

/** @param doing the request and the broker: `write to orders.cdc.ops at broker-1:9092` */
export function translate(error: unknown, doing: string): CallFailed {
  if (error instanceof CallFailed) return error;
  const failed = (kind: FailureKind, why: string, code?: string) =>
    new CallFailed("kafka", kind, {
      message: `could not ${doing}: ${why}`,
      code,
      remedy: code === undefined ? undefined : REMEDIES[kind],
      cause: error,
    });
  const code = brokerCode(error);
  if (code !== undefined) return failed(failureKind(code), errorName(code), errorName(code));
  const name = error instanceof Error ? error.name : "";
  const why = error instanceof Error ? error.message : String(error);
  if (name === "KafkaJSRequestTimeoutError" || name === "KafkaJSLockTimeout")
    return failed("timeout", "no answer in time");
  if (name === "KafkaJSSASLAuthenticationError") return failed("unauthorized", why);
  if (name.startsWith("KafkaJSConnection")) return failed("lost", `the connection broke (${why})`);
  if (name === "KafkaJSServerDoesNotSupportApiKey")
    return failed("unsupported", "the broker is too old for this request");
  return failed("protocol", `the answer can't be parsed (${why})`);
}
