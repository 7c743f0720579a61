import { type BrokerLogin, startBroker } from "./broker.ts";
import { stackFolder } from "./folder.ts";
import { fetchJars, type KafkaLine } from "./jars.ts";
import { freePorts } from "./ports.ts";
import { prepareRuntime } from "./runtime.ts";

export interface BrokerAlone {
  /** Takes clients without a login. */
  readonly bootstrap: string;
  /** Takes the login only; undefined without one. */
  readonly secured: string | undefined;
  stop(): Promise<void>;
}

/**
 * Starts a real broker without workers, with its PLAINTEXT listener and, given a login, SASL_PLAINTEXT with PLAIN. It
 * never outlives this process.
 */
export async function startBrokerAlone(line: KafkaLine, login?: BrokerLogin): Promise<BrokerAlone> {
  const jars = await fetchJars(line);
  const folder = await stackFolder(false);
  const runtime = await prepareRuntime(line, jars, folder.path);
  try {
    const broker = await startBroker({ runtime, ports: await freePorts(3), certificates: undefined, login, extra: {} });
    return {
      bootstrap: broker.listeners.PLAINTEXT ?? "",
      secured: broker.listeners.SASL_PLAINTEXT,
      async stop() {
        await broker.process.stop();
        runtime.archives.keep();
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
