import type { Address } from "./channel.ts";

/** The hosts at which a remote object may be reachable. */
export interface ServerPlaces {
  /** In the order in which they are tried. */
  readonly hosts: readonly string[];
  /** Whether the advertised address is useless to other hosts, and so is not tried. */
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

/** Returns the change to make on the worker. */
export function hostnameRemedy(registry: Address, port: number): string {
  return (
    `start the worker's JVM with -Djava.rmi.server.hostname=${registry.host}, fix its second port with ` +
    `-Dcom.sun.management.jmxremote.rmi.port, and let that port (now ${port}) through firewalls`
  );
}
