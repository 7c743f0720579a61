import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fetchYarn } from "./jars.ts";
import { startJava } from "./java-process.ts";
import { LOG4J1 } from "./runtime.ts";

/** A YARN cluster of one node with 4 GiB, which never outlives this process. */
export interface YarnCluster {
  /** The folder of its `yarn-site.xml`, for `HADOOP_CONF_DIR`. */
  readonly settings: string;
  stop(): Promise<void>;
}

const LIMIT_MILLIS = 120_000;

/** @param folder for settings and log; containers run below it, and their files stay */
export async function startYarn(folder: string): Promise<YarnCluster> {
  const settings = join(folder, "conf");
  const logging = join(folder, "log.properties");
  await mkdir(settings, { recursive: true });
  await writeFile(logging, LOG4J1);
  const java = startJava({
    name: "yarn",
    folder,
    classPath: await fetchYarn(),
    // YARN's web pages are made by a library that defines classes at run time.
    flags: ["--add-opens", "java.base/java.lang=ALL-UNNAMED", `-Dlog4j.configuration=file:${logging}`],
    main: "cdcctl.yarn.Yarn",
    args: [settings],
  });
  try {
    await java.untilHealthy(() => existsSync(join(settings, "yarn-site.xml")), LIMIT_MILLIS);
  } catch (error) {
    await java.stop();
    throw error;
  }
  return { settings, stop: () => java.stop() };
}
