/** The published schemas, each of which stands alone: what one takes from another is copied into it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./bundle.ts";

interface Definitions {
  readonly $defs?: Readonly<Record<string, unknown>>;
}

const SCHEMAS = join(ROOT, "schemas");
const SUFFIX = ".schema.json";

/** @returns the text of each schema, by its file name */
export function standaloneSchemas(): ReadonlyMap<string, string> {
  const files = readdirSync(SCHEMAS).filter((name) => name.endsWith(SUFFIX));
  return new Map(files.map((name) => [name, standalone(name)]));
}

/** One of them. A definition `X` of `plan.schema.json` becomes `plan.X`, together with all that it needs there. */
export function standalone(name: string): string {
  const text = readFileSync(join(SCHEMAS, name), "utf8");
  const copied: Record<string, unknown> = {};
  const written = JSON.parse(text) as Definitions;
  const own = inlined(written, undefined, copied) as Definitions;
  if (JSON.stringify(own) === JSON.stringify(written)) return text;
  return `${JSON.stringify({ ...own, $defs: { ...own.$defs, ...copied } }, null, 2)}\n`;
}

/** @param from the other schema that a value is copied from; undefined: the schema itself */
function inlined(value: unknown, from: string | undefined, copied: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, from, copied));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(typed(value)).map(([key, member]) => [
      key,
      key === "$ref" && typeof member === "string" ? reference(member, from, copied) : inlined(member, from, copied),
    ]),
  );
}

/** Strict readers want the type beside every word that is about one; here, what is referred to has it. */
function typed(value: object): object {
  if (!("$ref" in value) || !("properties" in value || "unevaluatedProperties" in value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      key === "$ref" ? [[key, member] as const, ["type", "object"] as const] : [[key, member] as const],
    ),
  );
}

function reference(ref: string, from: string | undefined, copied: Record<string, unknown>): string {
  const [, file = "", definition] = /^([^#]*)#\/\$defs\/([^/]+)$/.exec(ref) ?? [];
  if (definition === undefined) throw new Error(`${ref} is not a definition`);
  const other = file === "" ? from : file;
  if (other === undefined) return ref;
  const name = `${other.replace(/\..*$/, "")}.${definition}`;
  if (!(name in copied)) {
    copied[name] = true; // A definition may need itself.
    const { $defs = {} } = JSON.parse(readFileSync(join(SCHEMAS, other), "utf8")) as Definitions;
    if ($defs[definition] === undefined) throw new Error(`${other} does not define ${definition}`);
    copied[name] = inlined($defs[definition], other, copied);
  }
  return `#/$defs/${name}`;
}
