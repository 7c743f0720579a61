/**
 * Generates the types of the documents from their JSON Schemas: schemas/NAME.schema.json → schemas/generated/NAME.ts;
 * and of what they share, schemas/shared.json → schemas/generated/shared.ts.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile, type JSONSchema } from "json-schema-to-typescript";
import { resolved, type Schema } from "../../core/document/schema.ts";

const SCHEMAS = fileURLToPath(new URL("../../schemas/", import.meta.url));
const GENERATED = join(SCHEMAS, "generated");
const SHARED = "shared.json";

/**
 * Documents that are read again: by people written, or by cdcctl. The other schemas describe outputs, whose types are
 * those of core.
 */
const DOCUMENTS = [
  "contexts",
  "evidence",
  "facts",
  "migration",
  "offset-change",
  "plan",
  "policy",
  "resnapshot",
  "run-journal",
  "shared",
  "verification-job",
  "verification-result",
] as const;

/** Types that say more than the definition of their name in a schema can, with the module of each. */
const DOMAIN: Readonly<Record<string, string>> = {
  Advice: "core/values/remedy.ts",
  Digest: "core/values/digest.ts",
  Instant: "core/values/instant.ts",
  JsonObject: "core/values/json.ts",
  Observed: "core/facts/observed.ts",
  Plan: "core/plan/plan.ts",
  RedoState: "core/timeline/timeline.ts",
  Scn: "core/values/scn.ts",
  StepName: "core/plan/steps.ts",
  Xid: "core/values/xid.ts",
};

/** Types of another document. */
const ELSEWHERE: { readonly [name in (typeof DOCUMENTS)[number]]?: Readonly<Record<string, string>> } = {
  "run-journal": {
    RecordedTransaction: "schemas/generated/facts.ts",
    RemovedRecords: "schemas/generated/plan.ts",
  },
};

/** Documents between processes, read by `core/verification/job/wire.ts`: what a definition stands for there. */
const ON_THE_WIRE: ReadonlySet<string> = new Set(["verification-job", "verification-result"]);
const WIRE_TYPES: Readonly<Record<string, string>> = {
  Bytes: "Uint8Array",
  Integer: "bigint",
  integer: "number",
  null: "undefined",
};

/** Documents with a type for every definition that is not a number, used by its name wherever it is referred to. */
const BY_NAME: ReadonlySet<string> = new Set(["facts", "plan", "shared", ...ON_THE_WIRE]);
const NUMBERS = Object.fromEntries(["AtMost", "Line", "Millis", "Signed", "Unsigned"].map((name) => [name, "bigint"]));

/** The parts of a plan: what it is asked for, what it shows, finds, decides and does. */
const PARTS_OF_PLAN = [
  "changeRow",
  "connectorShown",
  "decidedMigration",
  "decidedOffsetChange",
  "decidedResnapshot",
  "diff",
  "extent",
  "figures",
  "finding",
  "migrationIntent",
  "note",
  "offsetChangeIntent",
  "planOutcome",
  "planWorld",
  "plannedStep",
  "resnapshotIntent",
  "resolvedPlan",
  "said",
  "timeline",
  "tone",
  "tryFirst",
];

/** @returns path and content of every generated file, as they should be */
export async function generatedTypes(): Promise<ReadonlyMap<string, string>> {
  const { $defs: shared = {} } = await schemaIn(SHARED);
  const files = (await readdir(SCHEMAS)).filter((name) => name.endsWith(".json"));
  const basesOfAll = basesIn(await Promise.all(files.map(schemaIn)));
  const typesOfShared = Object.keys(shared)
    .filter((name) => isType(shared[name] ?? {}) && !basesOfAll.includes(`${SHARED}#/$defs/${name}`))
    .map((name) => [typeNamed(`/${name}`), "schemas/generated/shared.ts"]);
  return new Map(
    await Promise.all(
      DOCUMENTS.map(async (name): Promise<[string, string]> => {
        const file = name === "shared" ? SHARED : `${name}.schema.json`;
        const whole = await schemaIn(file);
        const schema = name === "plan" ? withParts(whole, PARTS_OF_PLAN) : structuredClone(whole);
        const elsewhere = Object.entries({
          ...(name === "shared" || ON_THE_WIRE.has(name) ? {} : Object.fromEntries(typesOfShared)),
          ...DOMAIN,
          ...ELSEWHERE[name],
        });
        const byName = BY_NAME.has(name);
        const types: Record<string, string> = {
          ...(ON_THE_WIRE.has(name) ? WIRE_TYPES : { integer: "bigint" }),
          ...(byName ? NUMBERS : {}),
          ...Object.fromEntries(elsewhere.map(([type]) => [type, type])),
        };
        const base = name === "shared" ? `${SHARED}#/$defs/` : "#/$defs/";
        const parts = name === "plan" ? PARTS_OF_PLAN.map((part) => base + part) : [];
        const bases = (name === "shared" ? basesOfAll : basesIn(whole)).filter((one) => !parts.includes(one));
        if (byName)
          for (const [definition, meant] of Object.entries(schema["$defs"])) {
            const type = typeNamed(`/${definition}`);
            if (type in types || bases.includes(base + definition) || (name === "shared" && !isType(meant as Schema)))
              delete schema["$defs"][definition];
            else types[type] = type;
          }
        const text = await compile(forTypes(schema, types, whole) as JSONSchema, name, {
          bannerComment: "",
          ignoreMinAndMaxItems: true,
          unknownAny: true,
          unreachableDefinitions: byName,
          style: { printWidth: 120 },
        });
        const body = readOnly(byName ? observed(text) : text);
        const imported = elsewhere.filter(([type]) => new RegExp(`^[^*]*\\b${type}\\b`, "m").test(body));
        const head = [
          `// Generated from ${file} by npm run types. Edit the schema, not this file.`,
          ...imported.sort().map(([type, module]) => `import type { ${type} } from "../../${module}";`),
        ];
        return [join(GENERATED, `${name}.ts`), `${head.join("\n")}\n\n${body.trimStart()}`];
      }),
    ),
  );
}

async function schemaIn(file: string): Promise<Schema & JSONSchema> {
  return JSON.parse(await readFile(join(SCHEMAS, file), "utf8")) as Schema & JSONSchema;
}

/** Whether a shared definition has a type of its own; any other is that of a text, a number or a list of them. */
function isType({ properties, oneOf, enum: words }: Schema): boolean {
  return [properties, oneOf, words].some((says) => says !== undefined);
}

/** Whether a reference is to what this is made of. */
function isExtended({ $ref, properties, unevaluatedProperties }: Schema): boolean {
  return $ref !== undefined && (properties !== undefined || unevaluatedProperties !== undefined);
}

/** References to what others are made of: the type of each of these has what it takes from there. */
function basesIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { $ref = "" }: Schema = isExtended(schema) ? schema : {};
  return [$ref, ...Object.values(schema).flatMap(basesIn)];
}

/** An empty object instead of the document, and of its definitions those with such names, and what they refer to. */
function withParts(schema: JSONSchema, names: readonly string[]): JSONSchema {
  const parts = new Set(names);
  for (const part of parts)
    for (const [, referred = ""] of JSON.stringify(schema["$defs"][part]).matchAll(/"#\/\$defs\/(\w+)"/g))
      parts.add(referred);
  const $defs = Object.fromEntries([...parts].map((part) => [part, schema["$defs"][part]]));
  return { title: NO_DOCUMENT, type: "object", additionalProperties: false, $defs };
}
const NO_DOCUMENT = "NoDocument";

/**
 * Which keys exclude each other has no readable form as a type; an integer is a bigint in memory; and a type has the
 * members of its schema alone, whatever else a reader allows.
 *
 * @param types those that are not generated, by the name of their definition; and that of an integer
 * @param whole what a reference without a file leads into
 */
function forTypes(schema: unknown, types: Readonly<Record<string, string>>, whole: Schema): unknown {
  const within = (one: unknown) => forTypes(one, types, whole);
  if (Array.isArray(schema)) return schema.map(within);
  if (typeof schema !== "object" || schema === null) return schema;
  const { type, $ref: ref, properties } = schema as JSONSchema;
  const isBase = isExtended(schema as Schema);
  const named = ref === undefined || isBase ? undefined : types[typeNamed(ref)];
  if (ref !== undefined && named === undefined && (isBase || ref.startsWith(SHARED))) {
    const meant = resolved(schema as Schema, whole);
    // What a base says of itself does not hold for what is made of it.
    const { description: _, ...others } = meant;
    return within(isBase && !("description" in schema) ? others : meant);
  }
  const kept = Object.entries(schema).filter(
    ([key, value]) =>
      !(key === "oneOf" && isPresence(value)) && !(key === "not" && isPresence([value])) && key !== "$id",
  );
  const entries = kept.map(([key, value]): [string, unknown] => [key, within(value)]);
  if (named !== undefined)
    return Object.fromEntries([...entries.filter(([key]) => key === "description"), ["tsType", named]]);
  const several = severalSteps(schema as JSONSchema);
  if (several.length > 1) return { anyOf: several.map(within) };
  if (type === "null" && types["null"] !== undefined) return { tsType: types["null"] };
  if (type === "integer") return Object.fromEntries([...entries, ["tsType", types["integer"]]]);
  return Object.fromEntries(
    type === "object" && properties !== undefined ? [...entries, ["additionalProperties", false]] : entries,
  );
}

/** Steps that take the same are one definition of a schema, and a type each: `Extract` finds it by the step's name. */
function severalSteps({ properties, ...schema }: JSONSchema): readonly JSONSchema[] {
  const names = (properties?.["step"] as JSONSchema | undefined)?.enum;
  return (Array.isArray(names) ? names : []).map((name) => ({
    ...schema,
    properties: { ...properties, step: { type: "string", const: name } },
  }));
}

/** `#/$defs/offsetEntry`: OffsetEntry. */
function typeNamed(ref: string): string {
  return ref.replace(/^.*\/(.)/, (_, first: string) => first.toUpperCase());
}

/** One type says what could not be observed, whatever the value. */
function observed(text: string): string {
  return text
    .replaceAll(
      /\s*\| \{\s*known: true;\s*value(\??): ([\s\S]*?);\s*source: string;\s*at: Instant;\s*\}\s*\| Unknown;/g,
      (_, maybe: string, value: string) =>
        ` Observed<${/\w\[\]$/.test(value) ? "readonly " : ""}${value}${maybe && " | undefined"}>;`,
    )
    .replaceAll(/( \*\n)? \* This interface was referenced by [^\n]*\n \* via [^\n]*\n/g, "")
    .replaceAll(/\/\*\*\n \*\/\n/g, "")
    .replace(`export interface ${NO_DOCUMENT} {}\n`, "");
}

/** What is read is not changed, and a member that may be left out may also be undefined. */
function readOnly(text: string): string {
  return text
    .replaceAll(/^( +)(?=(?:\w+|"[^"]+"|\[k: string\])\??:[ \n])/gm, "$1readonly ")
    .replaceAll(/^( +)(readonly .*: )(?=[{(]\n(?:\1 .*\n)+\1[})]\[\];$)/gm, "$1$2readonly ")
    .replaceAll(/(?<=[:=|] )(\w+|\([^()\n]+\))\[\](?=;$| \|)/gm, "readonly $1[]")
    .replaceAll(/^( +)(.*\?: (?:readonly )?[{(]\n(?:\1 .*\n)+\1[})](?:\[\])?);$/gm, "$1$2 | undefined;")
    .replaceAll(/(?<=\?: )([^{;\n]+);$/gm, "$1 | undefined;");
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
