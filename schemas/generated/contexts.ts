// Generated from contexts.schema.json by npm run types. Edit the schema, not this file.

export type WorkerUrl = string;
export type User = string;
export type StoreType = "PKCS12" | "JKS" | "PEM";

/**
 * Binds names to connect clusters and the credentials for them. Values may refer to secrets held elsewhere: ${env:NAME}, ${file:path:key}, ${directory:path:key}. Relative paths are relative to this file.
 */
export interface ContextsFile {
  /**
   * Version of the contexts file's format.
   */
  readonly apiVersion?: "cdcctl/v1" | undefined;
  readonly kind?: "Contexts" | undefined;
  /**
   * One context per name, as in target.context of a plan file.
   */
  readonly contexts: {
    readonly [k: string]: Context;
  };
}
/**
 * One connect cluster, its brokers and the connectors in it.
 */
export interface Context {
  readonly connect: ConnectSection;
  readonly brokers?: Brokers | undefined;
  readonly jmx?: JmxSection | undefined;
  readonly spark?: SparkSection | undefined;
  readonly approvals?: ApprovalsSection | undefined;
  /**
   * Class of the new connector, if the workers have another build of it. Default: sh.oso.connect.oracle.OracleCdcSourceConnector.
   */
  readonly connectorClass?: string | undefined;
  /**
   * Folders of rules that every plan at this place is held against. A plan file can't switch them off.
   *
   * @minItems 1
   * @maxItems 20
   */
  readonly policies?: readonly string[] | undefined;
  /**
   * A configuration file per connector, for workers' copies with references that only the worker resolves.
   */
  readonly connectors?: {
    readonly [k: string]: ConnectorSection;
  } | undefined;
}
/**
 * How the REST API of the connect cluster is reached.
 */
export interface ConnectSection {
  /**
   * REST URL of a worker or of the gateway before it.
   */
  readonly url?: string | undefined;
  /**
   * REST URLs of several workers of one cluster, in place of `url`. One that does not answer is left for the next one.
   *
   * @minItems 1
   * @maxItems 50
   */
  readonly urls?: readonly WorkerUrl[] | undefined;
  readonly auth?: Auth | undefined;
  /**
   * PEM file with the authorities that sign the worker's certificate, in place of the system's.
   */
  readonly ca?: string | undefined;
  /**
   * PEM file with the client certificate (and its chain).
   */
  readonly clientCertificate?: string | undefined;
  /**
   * PEM file with the key of the client certificate.
   */
  readonly clientKey?: string | undefined;
  /**
   * Password of the client key, if it has one.
   */
  readonly clientKeyPassword?: string | undefined;
  readonly proxy?: Proxy | undefined;
}
/**
 * The login to the REST API: basic or bearer. Default: none.
 */
export interface Auth {
  readonly basic?: Login | undefined;
  readonly bearer?: Bearer | undefined;
}
export interface Login {
  readonly user: User;
  readonly password: string;
}
export interface Bearer {
  readonly token: string;
}
/**
 * The proxy on the way to the REST API. Default: from HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
 */
export interface Proxy {
  /**
   * URL of the proxy, or none.
   */
  readonly url: string;
  readonly user?: User | undefined;
  readonly password?: string | undefined;
}
/**
 * The brokers of the ops, signals and journal topics, in place of the connector's cdc.stream.* settings. Both keys or none: the login in commandConfig is sent only to these brokers.
 */
export interface Brokers {
  /**
   * host:port list.
   */
  readonly bootstrapServers: string;
  /**
   * Java client properties file with the security settings. References in it are resolved.
   */
  readonly commandConfig: string;
}
/**
 * The login to the workers' JVMs over JMX. Used if the host of --jmx-url is one of hosts.
 */
export interface JmxSection {
  /**
   * Hosts of the workers, each with or without a port: as in --jmx-url. The login is sent to no other host.
   *
   * @minItems 1
   * @maxItems 1000
   */
  readonly hosts: readonly string[];
  readonly login?: Login | undefined;
  readonly tls?: JmxTls | undefined;
  /**
   * Domain of the task's MBean. Default: sh.oso.cdc.
   */
  readonly domain?: string | undefined;
}
/**
 * TLS to the JVMs (com.sun.management.jmxremote.ssl). With it, no login is sent without TLS.
 */
export interface JmxTls {
  readonly trustStore?: TrustStore | undefined;
  readonly keyStore?: KeyStore | undefined;
  /**
   * Whether the RMI registry speaks TLS too (com.sun.management.jmxremote.registry.ssl). Default: false.
   */
  readonly registry?: boolean | undefined;
  /**
   * Whether the certificate must match the host. Default: true.
   */
  readonly checkHost?: boolean | undefined;
}
/**
 * The authorities that sign the JVMs' certificates, in place of the system's.
 */
export interface TrustStore {
  readonly path: string;
  readonly type: StoreType;
  readonly password?: string | undefined;
}
/**
 * Key and certificate of this client, if the JVMs require one (com.sun.management.jmxremote.ssl.need.client.auth).
 */
export interface KeyStore {
  readonly path: string;
  readonly type: StoreType;
  readonly password?: string | undefined;
  /**
   * Password of the key, if it differs from the store's.
   */
  readonly keyPassword?: string | undefined;
}
/**
 * How verifications are submitted to Apache Spark: spec.verify.engine of a plan file, and --engine spark. No references and no secrets: command lines are visible in process lists.
 */
export interface SparkSection {
  /**
   * The command that submits a job, for a shell, up to the script; in client deploy mode.
   */
  readonly submit: string;
  /**
   * How an executor starts a worker. Left out: cdcctl migrate verify-worker.
   */
  readonly workerCommand?: string | undefined;
  /**
   * Sessions that read the database at the same time, at most. Left out: 4.
   */
  readonly databaseSessions?: bigint | undefined;
}
/**
 * How many people have to approve a change before apply begins it, and the file of those who may sign, in OpenSSH's format allowed_signers. Holds whenever the context is used, and for a plan file that names one of its URLs. Distinct: each by another principal, with another key (default: true). Operator signs: so does whoever applies (apply --key), and is none of those who approve (default: false).
 */
export interface ApprovalsSection {
  readonly required: bigint;
  readonly signers: string;
  readonly distinct?: boolean | undefined;
  readonly operatorSigns?: boolean | undefined;
}
export interface ConnectorSection {
  /**
   * The connector's configuration, as JSON or as a Java properties file. References in it are resolved.
   */
  readonly config: string;
}
