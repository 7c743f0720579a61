import type { ConnectionOptions } from "node:tls";
import { type KeyStoreFile, readKeyStore, readTrustStore, type TrustStoreFile } from "../tls/key-stores.ts";

/** TLS to a JVM's JMX agent. Given at all, no login is sent without it. */
export interface JmxTls {
  /** In place of the system's authorities. */
  readonly trustStore?: TrustStoreFile;
  /** Where the JVM wants a client certificate. */
  readonly keyStore?: KeyStoreFile;
  /**
   * Whether the registry speaks TLS too (`com.sun.management.jmxremote.registry.ssl=true`). A registry without it can
   * be replaced by somebody on the network, who then says where the login goes; a certificate that is checked still
   * stops them.
   */
  readonly registry: boolean;
  /** Whether the certificate has to be made out to the host. Java's own client before 26 did not ask. */
  readonly checkHost: boolean;
}

/** @throws UsageError naming the store that can't be read */
export async function tlsOptions(tls: JmxTls | undefined): Promise<ConnectionOptions> {
  if (tls === undefined) return { rejectUnauthorized: true };
  const [trust, key] = [
    tls.trustStore === undefined ? {} : await readTrustStore(tls.trustStore),
    tls.keyStore === undefined ? {} : await readKeyStore(tls.keyStore),
  ];
  return {
    ...trust,
    ...key,
    rejectUnauthorized: true,
    ...(tls.checkHost ? {} : { checkServerIdentity: () => undefined }),
  };
}
