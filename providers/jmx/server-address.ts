import type { Address } from "./channel.ts";

/** Where a remote object may be reached. */
export interface ServerPlaces {
  /** In this order. */
  readonly hosts: readonly string[];
  /** Why the advertised address is not tried. */
  readonly useless: boolean;
}

/**
 * A JVM advertises its own idea of its address, often 127.0.1.1 or a name that only its network resolves. The host of
 * its registry is the next best. A loopback address of another machine would be this machine, which must not get the
 * login.
 */
export function serverPlaces(given: string, registryHost: string): ServerPlaces {
  if (given.toLowerCase() === registryHost.toLowerCase()) return { hosts: [registryHost], useless: false };
  if (isOwn(given) && !isOwn(registryHost)) return { hosts: [registryHost], useless: true };
  return { hosts: [given, registryHost], useless: false };
}

function isOwn(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1|0\.0\.0\.0|::|(::ffff:)127\.\d+\.\d+\.\d+)$/i.test(host);
}

/** What to change on the worker. */
export function hostnameRemedy(registry: Address, port: number): string {
  return (
    `start the worker's JVM with -Djava.rmi.server.hostname=${registry.host}, fix its second port with ` +
    `-Dcom.sun.management.jmxremote.rmi.port, and let that port (now ${port}) through firewalls`
  );
}
