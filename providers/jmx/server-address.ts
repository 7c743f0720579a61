import type { Address } from "./channel.ts";

/** Where a remote object is looked for. */
export interface ServerPlaces {
  /** In this order. */
  readonly hosts: readonly string[];
  /** Why what the JVM gives out is not even tried. */
  readonly useless: boolean;
}

/**
 * A JVM gives out the address that it takes for its own, often 127.0.1.1 or a name that only its own network knows. The
 * host of its registry is the next best. A loopback address from elsewhere would be this machine: something else, which
 * is to see no login.
 */
export function serverPlaces(given: string, registryHost: string): ServerPlaces {
  if (given.toLowerCase() === registryHost.toLowerCase()) return { hosts: [registryHost], useless: false };
  if (isOwn(given) && !isOwn(registryHost)) return { hosts: [registryHost], useless: true };
  return { hosts: [given, registryHost], useless: false };
}

function isOwn(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::|(::ffff:)127\.\d+\.\d+\.\d+)$/i.test(host);
}

/** What the operator of the worker should change. */
export function hostnameRemedy(registry: Address, port: number): string {
  return (
    `start the worker's JVM with -Djava.rmi.server.hostname=${registry.host}, fix its second port with ` +
    `-Dcom.sun.management.jmxremote.rmi.port, and let that port (now ${port}) through firewalls`
  );
}
