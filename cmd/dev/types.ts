/**
 * Generates the types of the documents from their JSON Schemas: schemas/NAME.schema.json → schemas/generated/NAME.ts.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const SCHEMAS = fileURLToPath(new URL("../../schemas/", import.meta.url));
const GENERATED = join(SCHEMAS, "generated");

/**
 * Documents that are read again: by people written, or by cdcctl. The other schemas describe outputs, whose types are
 * those of core.
 */
const DOCUMENTS = ["contexts", "evidence", "facts", "migration", "offset-change", "resnapshot"] as const;

/** @returns path and content of every generated file, as they should be */
export async function generatedTypes(): Promise<ReadonlyMap<string, string>> {
  return new Map(
    await Promise.all(
      DOCUMENTS.map(async (name): Promise<[string, string]> => {
        const file = `${name}.schema.json`;
        const schema: unknown = JSON.parse(await readFile(join(SCHEMAS, file), "utf8"));
        const text = await compile(forTypes(schema) as Parameters<typeof compile>[0], name, {
          bannerComment: `// Generated from ${file} by npm run types. Edit the schema, not this file.`,
          strictIndexSignatures: true,
          ignoreMinAndMaxItems: true,
          unknownAny: true,
          style: { printWidth: 120 },
        });
        return [join(GENERATED, `${name}.ts`), text];
      }),
    ),
  );
}

/** Which keys exclude each other has no readable form as a type; and every integer is a bigint in memory. */
function forTypes(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(forTypes);
  if (typeof schema !== "object" || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !(key === "oneOf" && isPresence(value)) && !(key === "not" && isPresence([value])) && key !== "$id",
  );
  const entries = kept.map(([key, value]): [string, unknown] => [key, forTypes(value)]);
  return Object.fromEntries(
    "type" in schema && schema.type === "integer" ? [...entries, ["tsType", "bigint"]] : entries,
  );
}

function isPresence(members: unknown): boolean {
  return (
    Array.isArray(members) &&
    members.every(
      (member: unknown) => typeof member === "object" && member !== null && Object.keys(member).join() === "required",
    )
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await mkdir(GENERATED, { recursive: true });
  for (const [path, text] of await generatedTypes()) await writeFile(path, text);
}
