// Generated from contexts.schema.json by npm run types. Edit the schema, not this file.

/**
 * Binds names to connect clusters and the credentials for them. Values may refer to secrets held elsewhere: ${env:NAME}, ${file:path:key}, ${directory:path:key}. Relative paths are relative to this file.
 */
export interface ContextsFile {
  /**
   * The version of the contexts file's format.
   */
  apiVersion?: "cdcctl/v1";
  /**
   * Always Contexts.
   */
  kind?: "Contexts";
  /**
   * One context per name, as in target.context of a plan file.
   */
  contexts: {
    [k: string]: Context | undefined;
  };
}
/**
 * One connect cluster, its brokers and the connectors in it.
 */
export interface Context {
  connect: ConnectSection;
  brokers?: Brokers;
  jmx?: JmxSection;
  spark?: SparkSection;
  /**
   * Class of the new connector, if the workers have another build of it. Default: sh.oso.connect.oracle.OracleCdcSourceConnector.
   */
  connectorClass?: string;
  /**
   * A configuration file per connector, for workers' copies with references that only the worker resolves.
   */
  connectors?: {
    [k: string]: ConnectorSection | undefined;
  };
}
/**
 * How the REST API of the connect cluster is reached.
 */
export interface ConnectSection {
  /**
   * REST URL of a worker or of the gateway before it.
   */
  url?: string;
  /**
   * REST URLs of several workers of one cluster, in place of `url`. One that does not answer is left for the next one.
   *
   * @minItems 1
   * @maxItems 50
   */
  urls?: string[];
  auth?: Auth;
  /**
   * PEM file with the authorities that sign the worker's certificate, in place of the system's.
   */
  ca?: string;
  /**
   * PEM file with the client certificate (and its chain).
   */
  clientCertificate?: string;
  /**
   * PEM file with the key of the client certificate.
   */
  clientKey?: string;
  /**
   * Password of the client key, if it has one.
   */
  clientKeyPassword?: string;
  proxy?: Proxy;
}
/**
 * The login to the REST API: basic or bearer. Default: none.
 */
export interface Auth {
  basic?: Login;
  bearer?: Bearer;
}
export interface Login {
  user: string;
  password: string;
}
export interface Bearer {
  /**
   * The token.
   */
  token: string;
}
/**
 * The proxy on the way to the REST API. Default: from HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
 */
export interface Proxy {
  /**
   * URL of the proxy, or none.
   */
  url: string;
  user?: string;
  password?: string;
}
/**
 * The brokers of the ops, signals and journal topics, in place of the connector's cdc.stream.* settings. Both keys or none: the login in commandConfig is sent only to these brokers.
 */
export interface Brokers {
  /**
   * host:port list.
   */
  bootstrapServers: string;
  /**
   * Java client properties file with the security settings. References in it are resolved.
   */
  commandConfig: string;
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
  hosts: string[];
  login?: Login;
  tls?: JmxTls;
  /**
   * Domain of the task's MBean. Default: sh.oso.cdc.
   */
  domain?: string;
}
/**
 * TLS to the JVMs (com.sun.management.jmxremote.ssl). With it, no login is sent without TLS.
 */
export interface JmxTls {
  trustStore?: TrustStore;
  keyStore?: KeyStore;
  /**
   * Whether the RMI registry speaks TLS too (com.sun.management.jmxremote.registry.ssl). Default: false.
   */
  registry?: boolean;
  /**
   * Whether the certificate must match the host. Default: true.
   */
  checkHost?: boolean;
}
/**
 * The authorities that sign the JVMs' certificates, in place of the system's.
 */
export interface TrustStore {
  path: string;
  type: "PKCS12" | "JKS" | "PEM";
  password?: string;
}
/**
 * Key and certificate of this client, if the JVMs require one (com.sun.management.jmxremote.ssl.need.client.auth).
 */
export interface KeyStore {
  path: string;
  type: "PKCS12" | "JKS" | "PEM";
  password?: string;
  /**
   * Password of the key, if it differs from the store's.
   */
  keyPassword?: string;
}
/**
 * How verifications are submitted to Apache Spark: spec.verify.engine of a plan file, and --engine spark. No references and no secrets: command lines are visible in process lists.
 */
export interface SparkSection {
  /**
   * The command that submits a job, for a shell, up to the script; in client deploy mode.
   */
  submit: string;
  /**
   * How an executor starts a worker. Left out: cdcctl migrate verify-worker.
   */
  workerCommand?: string;
  /**
   * Sessions that read the database at the same time, at most. Left out: 4.
   */
  databaseSessions?: bigint;
}
export interface ConnectorSection {
  /**
   * The connector's configuration, as JSON or as a Java properties file. References in it are resolved.
   */
  config: string;
}
