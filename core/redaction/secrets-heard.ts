import { saidWithout, secretsOf } from "./said.ts";

/**
 * Secrets of the configurations that a command works with: nothing that a worker or a record repeats of them is shown,
 * journaled or stored.
 */
export interface SecretsHeard {
  /** @param config with its literal values, and with what its references stand for, as far as that is known here */
  hear(config: Readonly<Record<string, string>>): void;
  /** What somebody else says, without them. */
  told(said: string): string;
}

export function secretsHeard(): SecretsHeard {
  const secrets = new Set<string>();
  return {
    hear(config) {
      for (const secret of secretsOf(config)) secrets.add(secret);
    },
    told: (said) => saidWithout(said, [...secrets]),
  };
}
