import { createHash } from "node:crypto";
import { accessSync, constants } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { CONNECTOR_CLASS, DEBEZIUM_CLASS, LEGACY_CLASS } from "../../core/legacy/connector-class.ts";
import { cached } from "./cached.ts";
import { run } from "./command.ts";

/** Kafka 3.9.2 or 4.3.1. */
export type KafkaLine = "3" | "4";

/** Values of `connector.class`. The stand-in also has the real connector's name. */
export const STAND_IN_CLASS = "cdcctl.standin.StandInConnector";
/** The stand-ins of the legacy connectors are in `plugin/legacy` and `plugin/debezium`. */
const CLASSES = [STAND_IN_CLASS, CONNECTOR_CLASS, LEGACY_CLASS, DEBEZIUM_CLASS];

const HERE = import.meta.dirname;
const POM = join(HERE, "pom.xml");
const YARN_POM = join(HERE, "yarn", "pom.xml");
const PROFILE: Readonly<Record<KafkaLine, readonly string[]>> = { "3": ["-Pkafka3"], "4": [] };
const NEEDED = ["java", "javac", "jar", "keytool", "mvn", "openssl"];

/** The requirements of the real tier that this machine does not meet; undefined if it meets all. */
export function missingForRealStack(): string | undefined {
  const missing = NEEDED.filter((command) => !onPath(command));
  return missing.length === 0 ? undefined : `${missing.join(", ")} not found on PATH`;
}

function onPath(command: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

export interface Jars {
  /** The folder of all jars and class archives. */
  readonly folder: string;
  /** The class path of a broker or a worker with the launcher. */
  readonly classPath: string;
  /** The folder for the worker's `plugin.path`. */
  readonly plugins: string;
}

/**
 * The jars of one Kafka line with the launcher and the stand-in connector: fetched and compiled once for each state of
 * the sources here. Needs Java 17 or later.
 */
export async function fetchJars(line: KafkaLine): Promise<Jars> {
  const [plugin, launcher] = await Promise.all([javaSources("plugin"), javaSources("launch")]);
  const name = `kafka${line}-${await digestOf([POM, ...plugin, ...launcher])}`;
  const folder = await cached(name, (draft) => build(line, draft, plugin, launcher));
  return { folder, classPath: classPathOf(folder), plugins: join(folder, "plugins") };
}

/**
 * A YARN cluster as jars, with the launcher, cached in the same way.
 *
 * @returns its class path
 */
export async function fetchYarn(): Promise<string> {
  const sources = (await Promise.all([javaSources("launch"), javaSources("yarn")])).flat();
  const name = `yarn-${await digestOf([YARN_POM, ...sources])}`;
  const folder = await cached(name, async (draft) => {
    await fetchDependencies(YARN_POM, [], draft);
    await compile(join(draft, "launch.jar"), join(draft, "launch"), sources, join(draft, "lib"));
  });
  return classPathOf(folder);
}

const classPathOf = (folder: string): string => [join(folder, "launch.jar"), join(folder, "lib", "*")].join(delimiter);

async function fetchDependencies(pom: string, profile: readonly string[], folder: string): Promise<void> {
  const copy = ["dependency:copy-dependencies", "-DincludeScope=runtime", `-DoutputDirectory=${join(folder, "lib")}`];
  await run("mvn", ["-B", "-q", "-f", pom, ...profile, ...copy]);
}

async function build(line: KafkaLine, draft: string, plugin: string[], launcher: string[]): Promise<void> {
  const lib = join(draft, "lib");
  await fetchDependencies(POM, PROFILE[line], draft);
  await compile(join(draft, "launch.jar"), join(draft, "launch"), launcher, lib);
  const pluginFolder = join(draft, "plugins", "stand-in");
  const classes = join(draft, "plugin");
  const services = join(classes, "META-INF", "services");
  await mkdir(services, { recursive: true });
  await mkdir(pluginFolder, { recursive: true });
  await writeFile(join(services, "org.apache.kafka.connect.source.SourceConnector"), `${CLASSES.join("\n")}\n`);
  await compile(join(pluginFolder, "stand-in.jar"), classes, plugin, lib);
}

async function compile(jar: string, classes: string, sources: string[], lib: string): Promise<void> {
  await run("javac", ["--release", "17", "-cp", join(lib, "*"), "-d", classes, ...sources]);
  await run("jar", ["--create", "--file", jar, "-C", classes, "."]);
}

async function javaSources(folder: string): Promise<string[]> {
  const names = await readdir(join(HERE, folder), { recursive: true });
  return names
    .filter((name) => name.endsWith(".java"))
    .sort()
    .map((name) => join(HERE, folder, name));
}

async function digestOf(files: readonly string[]): Promise<string> {
  const sum = createHash("sha256");
  for (const file of files) sum.update(await readFile(file));
  return sum.digest("hex").slice(0, 12);
}
