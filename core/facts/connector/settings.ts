import type { ConnectorSeen, DeployedConnector } from "../../../schemas/generated/facts.ts";
import type { Secret } from "../../values/secret.ts";

/**
 * The connector's configuration as cdcctl uses it (reference: connector settings). Holds secrets: it is passed to
 * providers and is never a fact.
 */
export interface ConnectorSettings
  extends Omit<ConnectorSeen, keyof DeployedConnector | "configOrigin">,
    Pick<DeployedConnector, "connectorClass"> {
  /** Where it was read from: `GET /connectors/orders-cdc` or the file's name. */
  readonly origin: string;
  readonly journalTopic: string;
  /** Compacted: the versions of each table's layout. */
  readonly schemaTopic: string;
  readonly startScn: string | undefined;
  readonly journalConverter: JournalConverter;
  readonly database: DatabaseSettings;
  readonly brokers: BrokerSettings;
}

/** How the task reads the transaction journal back. */
export interface JournalConverter {
  /** `cdc.journal.converter`, a class; undefined: the connector's default. */
  readonly name: string | undefined;
  /** `cdc.journal.converter.schemas.enable`. */
  readonly schemas: string | undefined;
}

/**
 * Settings whose credentials may be sent to their hosts. Only `bindCredentials` of `providers/contexts/trust.ts`
 * creates them, so that no client is opened with a host of one source and a login of another.
 */
export type Bound<Settings> = Settings & { readonly [BOUND]: true };
declare const BOUND: unique symbol;

export type BoundSettings = ConnectorSettings & {
  readonly database: Bound<DatabaseSettings>;
  readonly brokers: Bound<BrokerSettings>;
};

export interface DatabaseSettings {
  readonly host: string | undefined;
  readonly port: string | undefined;
  /** `service` before `sid`; `url`, a JDBC URL, overrides all. */
  readonly service: string | undefined;
  readonly sid: string | undefined;
  readonly url: string | undefined;
  readonly user: string | undefined;
  readonly password: Secret | undefined;
  readonly walletLocation: string | undefined;
  readonly truststoreLocation: string | undefined;
  readonly truststorePassword: Secret | undefined;
  /** `JKS` or `PKCS12`. */
  readonly truststoreType: string | undefined;
  /** `k=v;k=v` for the JDBC driver. */
  readonly connectionProperties: string | undefined;
}

export interface BrokerSettings {
  /** `host:port,host:port`. */
  readonly bootstrapServers: string | undefined;
  /** Java client properties (`security.protocol`, `sasl.jaas.config`, …), each value sealed. */
  readonly properties: Readonly<Record<string, Secret>>;
}

/** Whether two clients would be opened with the same hosts, login and options. */
export function sameSettings(
  one: DatabaseSettings | BrokerSettings,
  other: DatabaseSettings | BrokerSettings,
): boolean {
  return isSame({ ...one }, { ...other });
}

function isSame(one: unknown, other: unknown): boolean {
  if (isSecret(one) && isSecret(other)) return one.open() === other.open();
  if (!isRecord(one) || !isRecord(other) || isSecret(one) || isSecret(other)) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => isSame(one[name], other[name]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function isSecret(value: unknown): value is Secret {
  return isRecord(value) && typeof value["open"] === "function";
}
