import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type ClassArchives, classArchives } from "./class-archives.ts";
import type { Jars, KafkaLine } from "./jars.ts";

/** The runtime that the broker and the workers of one stack share: jars, folder, logging. */
export interface Runtime {
  readonly jars: Jars;
  /** Configuration, data and logs; also the folder the processes run in. */
  readonly folder: string;
  readonly archives: ClassArchives;
  /** JVM flags for one kind of process. */
  flags(kind: "format" | "broker" | "worker"): readonly string[];
}

const LOG4J2 = `status=warn
appender.out.type=Console
appender.out.name=out
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=[%d] %p %m (%c)%n
rootLogger.level=INFO
rootLogger.appenderRef.out.ref=out
`;
export const LOG4J1 = `log4j.rootLogger=INFO, out
log4j.appender.out=org.apache.log4j.ConsoleAppender
log4j.appender.out.layout=org.apache.log4j.PatternLayout
log4j.appender.out.layout.ConversionPattern=[%d] %p %m (%c)%n
`;

export async function prepareRuntime(line: KafkaLine, jars: Jars, folder: string): Promise<Runtime> {
  const logging = join(folder, "log.properties");
  await writeFile(logging, line === "3" ? LOG4J1 : LOG4J2);
  const logFlag = line === "3" ? `-Dlog4j.configuration=file:${logging}` : `-Dlog4j2.configurationFile=${logging}`;
  const archives = classArchives(jars.folder);
  return { jars, folder, archives, flags: (kind) => [logFlag, ...archives.flags(kind)] };
}
