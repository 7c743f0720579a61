import type { ConnectionOptions } from "node:tls";
import { type KeyStoreFile, readKeyStore, readTrustStore, type TrustStoreFile } from "../tls/key-stores.ts";

/** TLS to a JVM's JMX agent. If present, no login is sent without TLS. */
export interface JmxTls {
  /** Replaces the system's authorities. */
  readonly trustStore?: TrustStoreFile;
  /** The store for a JVM that requires a client certificate. */
  readonly keyStore?: KeyStoreFile;
  /**
   * Whether the registry speaks TLS too (`com.sun.management.jmxremote.registry.ssl=true`). A registry without TLS can
   * be spoofed by an attacker on the network, who then redirects the login; checking the server's certificate still
   * prevents this.
   */
  readonly registry: boolean;
  /** Whether the certificate must match the host. Java's own client does not check it before version 26. */
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
