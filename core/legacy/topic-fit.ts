// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables in the notation of the legacy connector

/** What the variables of a template would have to be for it to lead to a topic, by their names. */
export type Fit = Readonly<Record<string, string>>;

/** More unknown variables than this leave too many ways to divide a name. */
const MOST_OPEN = 3;

/**
 * Every way in which a template of the legacy connector leads to a topic. Names may hold whatever stands between the
 * variables, so that there can be several.
 *
 * @param known values of variables; the others may be anything but empty
 * @returns `"many"` where there are too many open variables to go through
 */
export function fitsOf(template: string, topic: string, known: Fit): readonly Fit[] | "many" {
  const parts = partsOf(
    template.replaceAll("${fullyQualifiedTableName}", "${databaseName}.${schemaName}.${tableName}"),
  );
  const open = new Set(
    parts.flatMap(({ variable }) => (variable === undefined || variable in known ? [] : [variable])),
  );
  if (open.size > MOST_OPEN) return "many";
  const fits: Fit[] = [];
  const go = (at: number, from: number, names: Fit): void => {
    const part = parts[at];
    if (part === undefined) {
      if (from === topic.length) fits.push(names);
      return;
    }
    const text = part.variable === undefined ? part.text : names[part.variable];
    if (text !== undefined) {
      if (topic.startsWith(text, from)) go(at + 1, from + text.length, names);
      return;
    }
    for (let end = from + 1; end <= topic.length; end++)
      go(at + 1, end, { ...names, [part.variable as string]: topic.slice(from, end) });
  };
  go(0, 0, Object.assign(Object.create(null), known));
  return fits;
}

interface Part {
  readonly text: string;
  readonly variable: string | undefined;
}

function partsOf(template: string): readonly Part[] {
  return template
    .split(/(\$\{[^}]*\})/)
    .filter((text) => text !== "")
    .map((text) => ({ text, variable: /^\$\{([^}]*)\}$/.exec(text)?.[1] }));
}
