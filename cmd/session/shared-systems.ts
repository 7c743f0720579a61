import {
  type Bound,
  type BrokerSettings,
  type DatabaseSettings,
  sameSettings,
} from "../../core/facts/connector/settings.ts";

import type { KafkaPort } from "../../core/ports/kafka.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import type { Contexts } from "../../providers/contexts/contexts.ts";
import type { Warn } from "../../providers/contexts/text-file.ts";
import { sharedBrokers } from "../../providers/kafka/shared-brokers.ts";
import { sharedReads } from "../../providers/oracle/shared-reads.ts";

/** One document's share of the systems used by several documents. */
export interface Share {
  readonly warn: Warn;
  contexts(open: () => Promise<Contexts>): Promise<Contexts>;
  kafka(settings: Bound<BrokerSettings>, open: () => KafkaPort): KafkaPort;
  oracle(settings: Bound<DatabaseSettings>, open: () => OraclePort): OraclePort;
}

export interface SharedSystems {
  /** Observes one document, as soon as fewer than `parallel` others read from Connect. */
  observe<T>(work: (share: Share) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/**
 * Shares contexts, brokers and databases among several documents: one client per distinct settings. Brokers and
 * databases are queried only after every document has read its connector, because each stored offset must be older than
 * the database's current SCN.
 *
 * @param documents how many will be observed
 * @param parallel how many may read from Connect at a time; also the maximum number of clients for the same brokers
 */
export function shareSystems(documents: number, parallel: number, warn: Warn): SharedSystems {
  let coming = documents;
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const slots = { free: parallel, waiting: [] as (() => void)[] };
  const takeSlot = (): Promise<void> => {
    if (slots.free === 0)
      return new Promise((resolve) => {
        slots.waiting.push(resolve);
      });
    slots.free--;
    return Promise.resolve();
  };
  /** The document has read its connector, or never will. */
  const arrive = (): void => {
    const next = slots.waiting.shift();
    if (next === undefined) slots.free++;
    else next();
    coming--;
    if (coming === 0) begin();
  };

  let contexts: Promise<Contexts> | undefined;
  const brokers: Open<BrokerSettings, KafkaPort>[] = [];
  const databases: Open<DatabaseSettings, OraclePort>[] = [];
  return {
    async observe(work) {
      await takeSlot();
      let arrived = false;
      const arriveOnce = (): void => {
        if (!arrived) arrive();
        arrived = true;
      };
      try {
        return await work({
          warn,
          contexts: (open) => (contexts ??= open()),
          kafka(settings, open) {
            arriveOnce();
            return opened(brokers, settings, () => sharedBrokers(open, parallel, begun));
          },
          oracle(settings, open) {
            arriveOnce();
            return opened(databases, settings, () => {
              const oracle = open();
              return { ...sharedReads(oracle, begun), close: () => oracle.close() };
            });
          },
        });
      } finally {
        arriveOnce();
      }
    },
    async close() {
      await Promise.allSettled([...brokers, ...databases].map(({ port }) => port.close()));
    },
  };
}

interface Open<Settings, Port> {
  readonly settings: Settings;
  readonly port: Port;
}

/** Returns the client already opened with these settings, or opens one. All are closed together. */
function opened<Settings extends BrokerSettings | DatabaseSettings, Port extends { close(): Promise<void> }>(
  all: Open<Settings, Port>[],
  settings: Settings,
  open: () => Port,
): Port {
  const known = all.find((one) => sameSettings(one.settings, settings));
  const port = known?.port ?? open();
  if (known === undefined) all.push({ settings, port });
  return { ...port, close: () => Promise.resolve() };
}
