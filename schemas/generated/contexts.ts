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
   * A context a name, as in target.context of a plan file.
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
  /**
   * An own configuration file a connector, where the worker's copy has references that only the worker resolves.
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
  url: string;
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
   * Password of the client key, where it has one.
   */
  clientKeyPassword?: string;
  proxy?: Proxy;
}
/**
 * Who cdcctl is to the REST API: basic or bearer. Left out: nobody.
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
   * The token as it is sent.
   */
  token: string;
}
/**
 * The proxy on the way to the REST API. Left out: that of HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
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
 * The brokers of the ops, signals and journal topics, in place of the connector's cdc.stream.* settings.
 */
export interface Brokers {
  /**
   * host:port list.
   */
  bootstrapServers?: string;
  /**
   * Java client properties file with the security settings. References in it are resolved.
   */
  commandConfig?: string;
}
export interface ConnectorSection {
  /**
   * The connector's configuration, as JSON or as a Java properties file. References in it are resolved.
   */
  config: string;
}
