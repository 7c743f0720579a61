import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { UsageError } from "../../core/errors.ts";
import { parseProperties } from "../../core/values/java-properties.ts";
import { readTextFile } from "./text-file.ts";

interface ReferenceSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Base folder of relative paths in references: the folder of the file that contains them. */
  readonly folder: string;
}

/**
 * A reference in the syntax of Kafka's configuration providers: `${provider:[path:]key}`. Without a colon it is not a
 * reference: `${prefix}`.
 */
const REFERENCE = /\$\{([^}:]*):(?:([^}:]*):)?([^}]*)\}/g;

export function holdsReference(text: string): boolean {
  return text.search(REFERENCE) >= 0;
}

interface Resolved {
  /** The text with every resolvable reference replaced; the others are unchanged. */
  readonly text: string;
  /** Why references were not resolved, one sentence each. Never a value. */
  readonly failures: readonly string[];
}

/**
 * Replaces `${env:NAME}`, `${file:path:key}` (a Java properties file) and `${directory:path:key}` (one file for each
 * key, used as it is) with their values, as a worker's providers would. The values are not searched for references.
 *
 * Only for texts that the operator's own files hold (see `trust.ts`).
 */
export async function resolveReferences(text: string, sources: ReferenceSources): Promise<Resolved> {
  const failures: string[] = [];
  const parts: string[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [reference, provider = "", path, key = ""] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + reference.length;
    try {
      parts.push(await lookUp(provider, path, key, sources));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      failures.push(`${reference}: ${error.message}`);
      parts.push(reference);
    }
  }
  return { text: parts.join("") + text.slice(end), failures };
}

async function lookUp(
  provider: string,
  path: string | undefined,
  key: string,
  { env, folder }: ReferenceSources,
): Promise<string> {
  switch (provider) {
    case "env": {
      const value = path === undefined ? env[key] : undefined;
      if (value === undefined) throw new UsageError(`environment variable ${key} is not set`);
      return value;
    }
    case "file": {
      if (path === undefined) throw new UsageError("file: the key is missing; separate path and key by a colon");
      const file = resolve(folder, path);
      const properties = parseProperties((await readTextFile(file, "the file")).text, file);
      const value = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (value === undefined) throw new UsageError(`${file} has no property ${key}`);
      return value;
    }
    case "directory": {
      if (path === undefined) throw new UsageError("directory: the key is missing; separate path and key by a colon");
      const directory = resolve(folder, path);
      // A key is the name of a file in the folder and can't leave it.
      if (!(await namesIn(directory)).includes(key)) throw new UsageError(`${directory} has no file ${key}`);
      return (await readTextFile(resolve(directory, key), "the file")).text;
    }
    default:
      throw new UsageError(`cdcctl resolves env, file and directory, not ${provider}`);
  }
}

async function namesIn(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new UsageError(`the folder ${directory} can't be read (${code})`);
  }
}
