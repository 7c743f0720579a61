import { printJson } from "../../core/values/json.ts";
import { documentText, type Rendered } from "./rendered.ts";

/** A document as JSON with a final line end. Invisible characters are escaped like `\\u001b`. */
export function jsonText(document: unknown): Rendered {
  return documentText(`${printJson(document)}\n`);
}

/**
 * How a document for a pipeline begins. Its other members follow; one without a value is not printed.
 *
 * @param kind as in its schema under `schemas/`; the version rises when a member changes its meaning or goes
 */
export function documentOf<K extends string>(kind: K, formatVersion = 1n) {
  return { apiVersion: "cdcctl/v1", kind, formatVersion } as const;
}

/** Members under the names that documents have, `firstScn` as `first_scn`; null where there is no value. */
export function published(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const named = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [named(name), value ?? null]));
}

/** A list that is not printed when it is empty. */
export function unlessEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}
