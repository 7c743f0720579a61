/** A name as an operator writes it: its parts, each with whether it was quoted (then it is meant to the letter). */
export interface TableName {
  readonly text: string;
  readonly parts: readonly { readonly name: string; readonly quoted: boolean }[];
}

/** Longest name of an Oracle object, bytes. */
export const LONGEST_NAME = 128;

/**
 * Reads `PDB.OWNER.TABLE` or `OWNER.TABLE`; a part in double quotes may hold anything but a quote. A name with dots may
 * be written without quotes as well: it is compared as a whole first.
 *
 * @returns undefined for a text that is no name, or has a part that no object of Oracle's could be named
 */
export function parseTableName(text: string): TableName | undefined {
  const parts: { name: string; quoted: boolean }[] = [];
  const part = /\s*(?:"([^"\0]+)"|([^".\0]+?))\s*(\.|$)/y;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (match === null) return undefined;
    const name = match[1] ?? match[2] ?? "";
    if (name.trim() === "" && match[1] === undefined) return undefined;
    if (new TextEncoder().encode(name).length > LONGEST_NAME) return undefined;
    parts.push({ name, quoted: match[1] !== undefined });
    if (match[3] === "") return parts.length < 2 ? undefined : { text, parts };
  }
  return undefined;
}

/**
 * The names of a comma-separated list (`--tables`): cut at commas outside of quotes, white space around each dropped,
 * empty ones left out. What stands behind a quote that is not closed belongs to its name, which is then none.
 */
export function parseTableList(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?:"[^"]*(?:"|$)|[^",])+/g), ([name]) => name.trim()).filter((name) => name !== "");
}

/** A name of Oracle's as SQL takes it, in quotation marks where Oracle would read it otherwise. */
export function identifier(name: string): string {
  return /^[A-Z][A-Z0-9_$#]*$/.test(name) ? name : quoted(name);
}

/**
 * The same to the letter, reserved words included. No name holds a quotation mark: one that claims to is written so
 * that it ends nothing.
 */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
