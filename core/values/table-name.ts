/** A name as an operator writes it: its parts, each with whether it was quoted (and is therefore exact). */
export interface TableName {
  readonly text: string;
  readonly parts: readonly { readonly name: string; readonly quoted: boolean }[];
}

/** Longest name of an Oracle object, bytes. */
export const LONGEST_NAME = 128;

/**
 * Reads `PDB.OWNER.TABLE` or `OWNER.TABLE`; a part in double quotes may contain anything except a quote. A name with
 * dots may also be written without quotes: it is compared as a whole first.
 *
 * @returns undefined for an invalid name, or one with a part that no Oracle object could have
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
 * The names of a comma-separated list (`--tables`): split at commas outside quotes, trimmed, without empty ones. Text
 * after an unclosed quote belongs to its name, which is then invalid.
 */
export function parseTableList(text: string): readonly string[] {
  return Array.from(text.matchAll(/(?:"[^"]*(?:"|$)|[^",])+/g), ([name]) => name.trim()).filter((name) => name !== "");
}

/** An Oracle name in SQL, in quotation marks if Oracle would read it differently without them. */
export function identifier(name: string): string {
  return /^[A-Z][A-Z0-9_$#]*$/.test(name) ? name : quoted(name);
}

/**
 * The same exactly, including reserved words. No name contains a quotation mark: one in the text is doubled, so that it
 * ends nothing.
 */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
