import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { UsageError } from "../../core/errors.ts";
import { nearest } from "../../core/values/nearest.ts";
import { truncate } from "../../core/values/truncate.ts";
import { SCHEMA_KINDS, SCHEMAS, type SchemaKind } from "../options/schema.ts";

/** @throws UsageError naming the available schemas */
export async function schemaText(asked: string): Promise<string> {
  return readFile(locate(SCHEMAS[schemaKind(asked)]), "utf8");
}

/** The installed schema's path. @throws UsageError naming the available schemas */
export function schemaPath(asked: string): string {
  return fileURLToPath(locate(SCHEMAS[schemaKind(asked)]));
}

/**
 * First line of a YAML file, by which yaml-language-server (VS Code, Neovim, IntelliJ) finds the installed schema. It
 * reads up to the next space, so a path with spaces is written as a URL
 * (https://github.com/redhat-developer/yaml-language-server#using-inlined-schema).
 */
export function schemaModeline(kind: SchemaKind): string {
  const url = locate(SCHEMAS[kind]);
  const path = fileURLToPath(url);
  return `# yaml-language-server: $schema=${/\s/.test(path) ? url.href : path}\n`;
}

function schemaKind(asked: string): SchemaKind {
  const plain = asked.replaceAll(/[-_ ]/g, "").toLowerCase();
  const kind = SCHEMA_KINDS.find((name) => name.toLowerCase() === plain);
  if (kind !== undefined) return kind as SchemaKind;
  const meant = nearest(asked, SCHEMA_KINDS);
  throw new UsageError(
    `unknown schema ${truncate(asked, 40)}`,
    `${meant === undefined ? "" : `Did you mean ${meant}? `}Available: ${SCHEMA_KINDS.join(", ")}.`,
  );
}

/** Finds the file beside the built program or, when run from sources, two folders up. */
function locate(name: string): URL {
  const places = ["./schemas/", "../../schemas/"].map(
    (folder) => new URL(`${folder}${name}.schema.json`, import.meta.url),
  );
  const place = places.find((url) => existsSync(url));
  if (place === undefined) throw new Error(`the schema ${name} was not installed with cdcctl`);
  return place;
}
