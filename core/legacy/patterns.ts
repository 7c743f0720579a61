// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the connectors

import { changed, type Fate, manual, mapped } from "./fate.ts";
import type { Source } from "./rules.ts";

/**
 * `table.inclusion.regex` and `.exclusion.regex`: matched against `PDB.SCHEMA.TABLE` as here; without a PDB the legacy
 * connector matched `SID.SCHEMA.TABLE` and this one matches `SCHEMA.TABLE`, so the SID is removed from the front of
 * each alternative.
 */
export function tableSelection(target: string, pattern: string, source: Source): Fate {
  if (pattern.includes(",")) return manual(`${target} is a comma-separated list: write the pattern without a comma`);
  if (source.get("oracle.pdb.name") !== undefined) return mapped(target, pattern);
  const databases = [source.get("oracle.sid"), source.get("oracle.service.name")].filter((name) => name !== undefined);
  const shortened = alternatives(pattern).map((one) => withoutDatabase(one, databases));
  if (shortened.some((one) => one === undefined)) {
    return manual(
      `remove the database's name from the front of each alternative, and write the result into ${target}: it is ` +
        "matched against SCHEMA.TABLE",
    );
  }
  return changed(
    target,
    shortened.join("|"),
    "without a PDB the whole name is SCHEMA.TABLE: the database's name was removed from the front",
  );
}

/** `a|(b|c)|[|]` has three: those outside groups, classes and quotations. */
function alternatives(pattern: string): readonly string[] {
  const parts: string[] = [];
  let part = "";
  let depth = 0;
  let inClass = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? "";
    if (char === "\\") {
      const end = pattern[at + 1] === "Q" ? pattern.indexOf("\\E", at + 2) : -1;
      const stop = pattern[at + 1] === "Q" ? (end < 0 ? pattern.length : end + 2) : at + 2;
      part += pattern.slice(at, stop);
      at = stop - 1;
      continue;
    }
    if (char === "[") inClass++;
    else if (char === "]" && inClass > 0) inClass--;
    else if (inClass === 0 && char === "(") depth++;
    else if (inClass === 0 && char === ")") depth--;
    else if (inClass === 0 && depth === 0 && char === "|") {
      parts.push(part);
      part = "";
      continue;
    }
    part += char;
  }
  return [...parts, part];
}

/**
 * Removes the database's name. @returns undefined if the name is not literally at the front, followed by a dot in one
 * of its spellings
 */
function withoutDatabase(alternative: string, databases: readonly string[]): string | undefined {
  // The whole name is matched: an anchor, or one group around it all, changes nothing.
  const [, anchor = "", bare = "", end = ""] = /^(\^?)(.*?)(\$?)$/s.exec(alternative) ?? [];
  const group = /^(\((?:\?:)?)(?!\?)(.*)\)$/s.exec(bare);
  if (group !== null && isOneGroup(bare)) {
    const inner = alternatives(group[2] ?? "").map((one) => withoutDatabase(one, databases));
    return inner.some((one) => one === undefined) ? undefined : `${anchor}${group[1]}${inner.join("|")})${end}`;
  }
  if (anchor !== "") {
    const rest = withoutDatabase(alternative.slice(1), databases);
    return rest === undefined ? undefined : `^${rest}`;
  }
  for (const name of databases) {
    if (!alternative.startsWith(name)) continue;
    const rest = /^(?:\[\.\]|\\\.|\.)(?![*+?{])(.+)$/s.exec(alternative.slice(name.length))?.[1];
    if (rest !== undefined) return rest;
  }
  return undefined;
}

/** Whether its last parenthesis closes its first: `(a)(b)` is two. */
function isOneGroup(pattern: string): boolean {
  let depth = 0;
  let inClass = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === "\\") {
      if (pattern[at + 1] === "Q") return false;
      at++;
    } else if (char === "[") inClass++;
    else if (char === "]" && inClass > 0) inClass--;
    else if (inClass === 0 && char === "(") depth++;
    else if (inClass === 0 && char === ")" && --depth === 0) return at === pattern.length - 1;
  }
  return false;
}

const VARIABLE = /\$\{([^}]*)\}/g;

/** `table.topic.name.template`: new topics always, below the prefix. */
export function topicTemplate(template: string, source: Source): Fate {
  if (template === "")
    return manual(
      "blank meant that only the redo log topic was written, which no longer exists: choose cdc.topic.template",
    );
  const odd = template.includes("\\")
    ? "a backslash"
    : /\$\{[^}]*$/.test(template)
      ? "an unclosed variable"
      : undefined;
  if (odd !== undefined) return manual(`it has ${odd}: write cdc.topic.template manually, beginning with \${prefix}.`);
  const database = source.get("oracle.pdb.name") === undefined ? "${database}" : "${pdb}";
  const variables: Readonly<Record<string, string>> = {
    databaseName: database,
    schemaName: "${schema}",
    tableName: "${table}",
    fullyQualifiedTableName: `${database}.\${schema}.\${table}`,
    connectorName: source.connector,
  };
  const [other] = [...template.matchAll(VARIABLE)].flatMap(([whole, name = ""]) => {
    if (Object.hasOwn(variables, name)) return [];
    return /^\w+$/.test(name) ? whole : "a variable in it";
  });
  if (other !== undefined)
    return manual(`${other} has no equivalent: write cdc.topic.template manually, beginning with \${prefix}.`);
  return changed(
    "cdc.topic.template",
    `\${prefix}.${template.replaceAll(VARIABLE, (all, name: string) => variables[name] ?? all)}`,
    "new topics, below the prefix",
  );
}
