import { UsageError } from "../../core/errors.ts";
import type { BrokerSettings, DatabaseSettings } from "../../core/facts/connector/settings.ts";
import {
  CONNECT_LIMITS,
  type ConnectLimits,
  JMX_LIMITS,
  type JmxLimits,
  KAFKA_LIMITS,
  type KafkaLimits,
} from "../../providers/limits.ts";
import type { Patience } from "../host.ts";
import { durationOf } from "./typed-values.ts";

/** Logins of a port, in the form of connector settings, with time limits for calls. */
export interface Logins {
  readonly brokers: BrokerSettings;
  readonly database: DatabaseSettings;
  readonly limits: Pick<TimeLimits, "kafka" | "oracle">;
}

/** How long calls to each system may take, milliseconds. */
export interface TimeLimits {
  readonly connect: ConnectLimits;
  readonly kafka: KafkaLimits;
  readonly jmx: JmxLimits;
  readonly oracle: { readonly connectMillis?: number; readonly callMillis?: number };
}

/**
 * How long a worker restart may take on a busy host: until its port is open, its REST API responds, and it has joined
 * its group.
 */
const RESTARTING = { firstContactMillis: 30_000, startingMillis: 120_000, retryMillis: 120_000 };
/** The default of `--timeout`; `RESTARTING` is for it. */
const USUAL_MILLIS = 60_000;

/**
 * The time limits of one command. `--timeout` limits every database call, and lowers the other systems' limits but
 * never raises them. A Connect call that changes something keeps its limit: the worker's own timer decides whether it
 * takes effect, and giving up earlier leaves it in doubt.
 *
 * @param timeout as given; undefined if the command has no such option @param patience a test's limits, in place of the
 * providers' @param restarts whether to wait for restarting workers
 * @throws UsageError for a limit of 0
 */
export function timeLimits(timeout: string | undefined, patience: Patience | undefined, restarts: boolean): TimeLimits {
  const connect = { ...CONNECT_LIMITS, ...(restarts ? RESTARTING : {}), ...patience?.connect };
  const kafka = { ...KAFKA_LIMITS, ...patience?.kafka };
  const jmx = { ...JMX_LIMITS, ...patience?.jmx };
  if (timeout === undefined) return { connect, kafka, jmx, oracle: {} };
  const millis = durationOf("timeout", timeout);
  if (millis < 1) throw new UsageError("--timeout must be longer than 0", "Write it as 30s, 10m or 1h30m.");
  const atMost = (limit: number): number => Math.min(limit, millis);
  // Scaled in proportion: a restart takes longer than any call.
  const waiting = (limit: number): number => Math.min(limit, Math.max(millis, (limit * millis) / USUAL_MILLIS));
  return {
    connect: {
      ...connect,
      callMillis: atMost(connect.callMillis),
      retryMillis: waiting(connect.retryMillis),
      firstContactMillis: atMost(connect.firstContactMillis),
      startingMillis: waiting(connect.startingMillis),
    },
    kafka: {
      connectMillis: atMost(kafka.connectMillis),
      requestMillis: atMost(kafka.requestMillis),
      readMillis: atMost(kafka.readMillis),
    },
    jmx: { connectMillis: atMost(jmx.connectMillis), callMillis: atMost(jmx.callMillis) },
    oracle: { connectMillis: millis, callMillis: millis },
  };
}
