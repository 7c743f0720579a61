import type { LegacyWrites, OtherConnector } from "../../schemas/generated/facts.ts";
import { legalInTopic } from "../facts/tables/topic-names.ts";
import { compilePatterns, isBad } from "../patterns/pattern-list.ts";
import { type Fit, fitsOf, gives, inAnyCase, isReference } from "./written-topics.ts";

/**
 * Whether another connector may write to a topic, judged by name: true unless it certainly does not. A reference that
 * only the worker resolves may resolve to any name, and a transformation may produce any.
 */
export function mayWriteTo({
  prefix,
  writes,
  templates = [],
  reroutings: through = [],
}: Pick<OtherConnector, "prefix" | "writes" | "templates" | "reroutings">): (topic: string) => boolean {
  if (through.length > 0 || (writes?.reroutings.length ?? 0) > 0) return () => true;
  const below = prefix?.trim() ?? "";
  const all = below === "" ? templates : [`${below}.\${name}`, ...templates];
  const byTable = writes === undefined ? () => false : writtenByTable(writes);
  return (topic) => all.some((template) => gives(template, topic)) || byTable(topic);
}

function writtenByTable(writes: LegacyWrites): (topic: string) => boolean {
  // Patterns take long to compile, and most names fit no template.
  let captured: ((fit: Fit) => boolean) | undefined;
  const isCaptured = (fit: Fit): boolean => {
    captured ??= capturing(writes);
    return captured(fit);
  };
  return (topic) =>
    fitsAny(writes, writes.redo, topic).length > 0 ||
    [writes.tables, writes.lobs].some(
      (template) =>
        template !== "" && fitsAny(writes, template, topic).some((fit) => fit === "many" || isCaptured(fit)),
    );
}

/** The database's name is any of those that it may have; the redo log topic may also be named after the SID alone. */
function fitsAny({ connector, databases }: LegacyWrites, template: string, topic: string): readonly (Fit | "many")[] {
  const known = { connectorName: connector };
  const sids = databases.flatMap((name) => name.split(".")[0] ?? []);
  const names =
    databases.length === 0 || databases.some(isReference)
      ? [known]
      : [...new Set([...databases, ...sids])].map((databaseName) => ({ ...known, databaseName }));
  return names.flatMap((one): readonly (Fit | "many")[] => {
    const fits = fitsOf(template, topic, one);
    return fits === "many" ? [fits] : fits;
  });
}

/** Whether a table that a template would need may be captured; a table not named may be any. */
function capturing({ databases, include, exclude }: LegacyWrites): (fit: Fit) => boolean {
  const compiled = (pattern: string | undefined, topics: "some" | "all") =>
    pattern === undefined || isReference(pattern) ? undefined : compilePatterns([pattern], true, topics);
  const [included, excluded] = [compiled(include, "some"), compiled(exclude, "all")];
  return ({ databaseName = [], schemaName, tableName }) => {
    if (schemaName === undefined || tableName === undefined) return true;
    const names = [...databases.filter((name) => !isReference(name)), databaseName]
      .flat()
      .flatMap(inAnyCase)
      .map((database) => legalInTopic(`${database}.${schemaName}.${tableName}`));
    if (names.length === 0) return true;
    const surely = (patterns: typeof included, matched: "yes" | "no") =>
      patterns !== undefined && !isBad(patterns) && names.every((name) => patterns.matches(name).matched === matched);
    return !surely(included, "no") && !surely(excluded, "yes");
  };
}
