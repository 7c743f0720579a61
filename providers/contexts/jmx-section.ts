import { secret } from "../../core/values/secret.ts";
import type { JmxSection, KeyStore, TrustStore } from "../../schemas/generated/contexts.ts";
import type { JmxOptions } from "../jmx/open-jmx.ts";
import type { KeyStoreFile, TrustStoreFile } from "../tls/key-stores.ts";
import type { JmxHost } from "./contexts.ts";

/** How a JVM's MBeans are reached, for `openJmx`. */
export type JmxAccess = Pick<JmxOptions, "login" | "tls" | "domain">;

/** The section with its references resolved. @param pathTo makes a path absolute */
export function jmxAccess({ login, tls, domain }: JmxSection, pathTo: (path: string) => string): JmxAccess {
  return {
    ...(login === undefined ? {} : { login: { user: login.user, password: secret(login.password) } }),
    ...(tls === undefined
      ? {}
      : {
          tls: {
            ...(tls.trustStore === undefined ? {} : { trustStore: storeFile(tls.trustStore, pathTo) }),
            ...(tls.keyStore === undefined ? {} : { keyStore: keyStoreFile(tls.keyStore, pathTo) }),
            registry: tls.registry ?? false,
            checkHost: tls.checkHost ?? true,
          },
        }),
    ...(domain === undefined ? {} : { domain }),
  };
}

function storeFile({ path, type, password }: TrustStore, pathTo: (path: string) => string): TrustStoreFile {
  return { path: pathTo(path), type, ...(password === undefined ? {} : { password: secret(password) }) };
}

function keyStoreFile(store: KeyStore, pathTo: (path: string) => string): KeyStoreFile {
  const { keyPassword } = store;
  return {
    ...storeFile(store, pathTo),
    ...(keyPassword === undefined ? {} : { keyPassword: secret(keyPassword) }),
  };
}

/** @param entry of `jmx.hosts`: `host`, `host:port`, `[::1]:port`; without a port it matches every port */
export function isHostOf(entry: string, { host, port }: JmxHost): boolean {
  const [, named = "", at] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  const bare = named.replace(/^\[|\]$/g, "").toLowerCase();
  return bare !== "" && bare === host.toLowerCase() && (at === undefined || Number(at) === port);
}
