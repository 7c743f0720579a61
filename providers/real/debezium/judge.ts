import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type JsonObject, printJson } from "../../../core/values/json.ts";
import { cached } from "../cached.ts";
import { run } from "../command.ts";
import { endWithUs } from "../end-with-us.ts";

/** The versions of Debezium whose classes are asked. */
export const JUDGES = ["2.7.3", "3.6.1"] as const;

interface Question {
  readonly offsets: readonly JsonObject[];
  /** `config`; `type` of a column; `value` as LogMiner writes it. */
  readonly values: readonly JsonObject[];
}

interface Answer {
  readonly offsets: readonly OffsetHeld[];
  /** Names of its ConfigDef. */
  readonly properties: readonly string[];
  readonly values: readonly ({ readonly plain: string; readonly enveloped: string } | { readonly refused: string })[];
}

/** What Debezium's loader holds of an offset. */
export type OffsetHeld =
  | { readonly refused: string }
  | {
      readonly scn: string | null;
      readonly snapshotScn: string | null;
      readonly lastCommit: string | null;
      /** The last commit of each redo thread. */
      readonly threads: Readonly<Record<string, string>>;
      readonly snapshotRunning: boolean;
    };

const HERE = import.meta.dirname;
const POM = join(HERE, "pom.xml");

/** Asks Debezium's own classes of this version. Their jars are fetched once. */
export async function askDebezium(version: (typeof JUDGES)[number], question: Question): Promise<Answer> {
  const digest = createHash("sha256")
    .update(await readFile(POM))
    .digest("hex")
    .slice(0, 12);
  const folder = await cached(`debezium-${version}-${digest}`, async (draft) => {
    const copy = ["dependency:copy-dependencies", "-DincludeScope=runtime", `-DoutputDirectory=${draft}`];
    await run("mvn", ["-B", "-q", "-f", POM, `-Ddebezium.version=${version}.Final`, ...copy]);
  });
  const words = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", join(folder, "*"), join(HERE, "Judge.java")];
  const java = spawn("java", words, { stdio: ["pipe", "pipe", "pipe"] });
  endWithUs(java);
  java.ref();
  const [said, complaints] = [text(java.stdout), text(java.stderr)];
  java.stdin.end(printJson({ ...question }, 0));
  const [code] = (await once(java, "close")) as [number | null];
  if (code !== 0) throw new Error(`the judge ended with ${code}: ${(await complaints).slice(-2000)}`);
  return JSON.parse(await said) as Answer;
}
