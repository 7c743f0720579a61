import { type Problem, UsageError } from "../errors.ts";

/**
 * Reads a Java `.properties` text by the grammar of `java.util.Properties.load`: `#` and `!` comments; `=`, `:` or
 * white space between key and value; lines continued by an odd number of backslashes; `\uXXXX`, `\t`, `\n`, `\r`, `\f`;
 * a backslash before any other character is dropped. Characters beyond ASCII are kept. The last of equal keys wins, an
 * empty key is allowed.
 *
 * @param file named in the problems
 * @throws UsageError with the line of every malformed `\uXXXX`
 */
export function parseProperties(text: string, file?: string): Record<string, string> {
  return Object.fromEntries(propertyEntries(text, file).map(({ key, value }) => [key, value]));
}

/** The same, with every occurrence of a property and its line (from 1). @throws UsageError as `parseProperties` */
export function propertyEntries(
  text: string,
  file?: string,
): readonly { readonly key: string; readonly value: string; readonly line: number }[] {
  const entries: { key: string; value: string; line: number }[] = [];
  const problems: Problem[] = [];
  for (const { line, content } of logicalLines(text)) {
    const { key, value } = split(content);
    try {
      entries.push({ key: unescaped(key), value: unescaped(value), line });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      problems.push({
        message: error.message,
        remedy: "Write four hexadecimal digits after \\u, or \\\\ for a backslash.",
        ...(file === undefined ? {} : { file }),
        line,
      });
    }
  }
  if (problems.length > 0) throw new UsageError(problems);
  return entries;
}

/**
 * Logical lines of the grammar: without comments and blank lines, continuations joined. `line` is where each begins,
 * from 1.
 */
function* logicalLines(text: string): Generator<{ line: number; content: string }> {
  let open: { line: number; content: string } | undefined;
  let number = 0;
  for (const natural of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    number += 1;
    const trimmed = natural.replace(/^[ \t\f]+/, "");
    if (open === undefined && (trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith("!"))) continue;
    const continued = trailingBackslashes(trimmed) % 2 === 1;
    const content: string = (open?.content ?? "") + (continued ? trimmed.slice(0, -1) : trimmed);
    const line: number = open?.line ?? number;
    if (continued) {
      open = { line, content };
      continue;
    }
    open = undefined;
    yield { line, content };
  }
  // Java returns a continuation that is cut off by the end of the text, unless nothing precedes it.
  if (open !== undefined && open.content !== "") yield open;
}

function trailingBackslashes(line: string): number {
  let count = 0;
  while (line[line.length - 1 - count] === "\\") count += 1;
  return count;
}

/**
 * The key ends at the first unescaped `=`, `:` or white space; one `=` or `:` among the white space after it belongs to
 * neither.
 */
function split(content: string): { key: string; value: string } {
  let end = 0;
  while (end < content.length && !/[=: \t\f]/.test(content.charAt(end))) end += content[end] === "\\" ? 2 : 1;
  const rest = content.slice(end).replace(/^[ \t\f]*[=:]?[ \t\f]*/, "");
  return { key: content.slice(0, end), value: rest };
}

const LETTERS: Readonly<Record<string, string>> = { t: "\t", n: "\n", r: "\r", f: "\f" };

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([\s\S]{0,4})|([\s\S]?))/g,
    (_, unicode: string | undefined, letter: string | undefined) => {
      if (unicode === undefined) return LETTERS[letter ?? ""] ?? letter ?? "";
      // The text itself may be part of a password, so the message does not show it.
      if (!/^[0-9a-fA-F]{4}$/.test(unicode)) throw new SyntaxError("malformed \\uXXXX escape in a properties text");
      return String.fromCharCode(Number.parseInt(unicode, 16));
    },
  );
}
