import type { ConnectorStatus } from "../../schemas/generated/facts.ts";
import type { SettingProblem } from "../../schemas/generated/shared.ts";
import type { ConnectorDescription, PluginDescription, WorkerInfo } from "../facts/connector/connector.ts";
import type { OffsetEntry } from "../facts/offset/stored-offset.ts";
import type { Instant } from "../values/instant.ts";
import type { ChangeAnswer, PatchAnswer } from "./answers.ts";

/**
 * A connect cluster's REST API. Reads are retried on 409, on connection errors and while a worker is starting, with
 * back-off, up to the provider's limit. A call that changes something (stop and resume too) is one attempt: it can take
 * effect long after it was given up, so the caller has to know of each that was sent.
 */
export interface ConnectPort {
  /** The URL as shown to people: scheme, host, port, path prefix; no credentials. */
  readonly url: string;
  /** The URLs of further workers of the same cluster. */
  readonly otherUrls?: readonly string[];
  /** The context that these workers are reached by, for commands that are suggested; undefined without one. */
  readonly context?: string | undefined;
  worker(): Promise<WorkerInfo>;
  /** Names of all connectors of the cluster. */
  connectors(): Promise<readonly string[]>;
  plugins(): Promise<readonly PluginDescription[]>;
  /**
   * What the workers find wrong with a configuration for a class; empty: it is valid. The class has to be among
   * `plugins`.
   */
  validate(className: string, config: Readonly<Record<string, string>>): Promise<readonly SettingProblem[]>;
  /** Undefined only when Connect itself says that it has no such connector. */
  connector(name: string): Promise<ConnectorDescription | undefined>;
  /** Its traces are redacted: they do not repeat the configuration's secrets. */
  status(name: string): Promise<ConnectorStatus | undefined>;
  /** Committed offsets, in any state, from any worker; may be empty. */
  offsets(name: string): Promise<readonly OffsetEntry[]>;
  /**
   * The workers' current time, so that the age of a record does not depend on this machine's clock. Precise to about a
   * second. Undefined until an answer has included the time.
   */
  time(): Instant | undefined;
  /**
   * One PUT of `/connectors/{name}/stop`. Answers before STOPPED is reached: poll `status`. Never throws, as
   * `patchOffsets`.
   */
  stop(name: string): Promise<ChangeAnswer>;
  /** One PUT of `/connectors/{name}/resume`. Answers before RUNNING is reached. Never throws, as `patchOffsets`. */
  resume(name: string): Promise<ChangeAnswer>;
  /**
   * One POST of `/connectors/{name}/restart`, its tasks included. Answers before anything has restarted. Never throws,
   * as `patchOffsets`.
   */
  restart(name: string, onlyFailed: boolean): Promise<ChangeAnswer>;
  /**
   * One PATCH of `/connectors/{name}/offsets`. Never throws because of an answer or a missing answer.
   *
   * @param patience how long to wait for the answer, milliseconds; default, and the most: the provider's limit
   */
  patchOffsets(name: string, entries: readonly OffsetEntry[], patience?: number): Promise<PatchAnswer>;
  /**
   * One POST of `/connectors`. Never throws because of an answer or a missing answer. A connector of that name that is
   * there already is `rejected` with status 409: after an attempt without an answer the caller knows whether it may be
   * its own.
   *
   * @param initialState needs Kafka Connect 3.7; an earlier one rejects the request
   */
  create(
    name: string,
    config: Readonly<Record<string, string>>,
    initialState: "STOPPED" | undefined,
  ): Promise<ChangeAnswer>;
  /** One DELETE of `/connectors/{name}/offsets`: all of them, of a STOPPED connector. Never throws, as `create`. */
  deleteOffsets(name: string): Promise<ChangeAnswer>;
  /**
   * One DELETE of `/connectors/{name}`; its offsets outlive it. Never throws, as `create`. Connect's own 404 is
   * `rejected` with status 404: the caller knows whether that means that it is done.
   */
  deleteConnector(name: string): Promise<ChangeAnswer>;
  close(): Promise<void>;
}
