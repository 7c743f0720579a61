type Config = Readonly<Record<string, string>>;

/**
 * Puts references back in texts for people: what they resolve to is for cdcctl's own use, and for no output.
 *
 * @param written the configuration as it is written, and `resolved` the same with what its references hold
 * @param settings those that the text could be about
 * @returns writes `${env:PDBS}` where the text has what a reference of one of these settings holds, whole or an element
 * of its list
 */
export function asWritten(written: Config, resolved: Config, settings: readonly string[]): (text: string) => string {
  const references = new Map<string, string>();
  for (const setting of settings) {
    const shown = written[setting];
    const value = resolved[setting];
    if (shown === undefined || value === undefined || shown === value) continue;
    const plain = new Set(elementsOf(shown));
    for (const element of [value.trim(), ...elementsOf(value)])
      if (element !== "" && !plain.has(element)) references.set(element.toUpperCase(), shown);
  }
  if (references.size === 0) return (text) => text;
  // The longest first: a list goes before its elements. A name within another is another name.
  const held = [...references.keys()]
    .sort((a, b) => b.length - a.length)
    .map((one) => one.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\w$#])(?:${held.join("|")})(?![\\w$#])`, "giu");
  return (text) => text.replace(pattern, (found) => references.get(found.toUpperCase()) ?? found);
}

/** Lists are separated by commas; `cdc.key.columns` by semicolons and colons too. */
function elementsOf(value: string): readonly string[] {
  return value.split(/[,;:]/).map((element) => element.trim());
}
