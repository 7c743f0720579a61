import { startBroker } from "./broker.ts";
import { stackFolder } from "./folder.ts";
import { fetchJars, type KafkaLine } from "./jars.ts";
import { freePorts } from "./ports.ts";
import { prepareRuntime } from "./runtime.ts";

/** Starts a real broker without workers, with its PLAINTEXT listener only. It never outlives this process. */
export async function startBrokerAlone(
  line: KafkaLine,
): Promise<{ readonly bootstrap: string; stop(): Promise<void> }> {
  const jars = await fetchJars(line);
  const folder = await stackFolder(false);
  const runtime = await prepareRuntime(line, jars, folder.path);
  try {
    const broker = await startBroker({ runtime, ports: await freePorts(2), certificates: undefined, extra: {} });
    return {
      bootstrap: broker.listeners.PLAINTEXT ?? "",
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
