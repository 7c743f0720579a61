import { isObject, type Json, type JsonObject } from "../values/json.ts";
import { truncate } from "../values/truncate.ts";
import { type Diff, NOT_KNOWN } from "./plan.ts";

/** What has kept its name and meaning. */
const KEPT = ["intent", "plannedAt", "outcome", "world", "findings", "steps", "timeline", "decided", "decision"];

/**
 * A plan as cdcctl wrote it before version 2 of its JSON, in today's shape: what it decided, found and would do. What
 * it said is kept in part: the stored offset field by field, and what is lost (tables not named, topics deleted).
 *
 * @param plan a document's; whether it is one is for the schema of version 2 to say, once it has its shape
 */
export function fromVersion1(plan: Json): Json {
  if (!isObject(plan) || "connectors" in plan) return plan;
  const { intent, decided, offset } = plan;
  const kept = KEPT.flatMap((member) => (member in plan ? [[member, plan[member] ?? null] as const] : []));
  const connector = (member: string, role?: string): readonly JsonObject[] => {
    const one = plan[member];
    return isObject(one) ? [{ ...(role === undefined ? {} : { role }), ...one }] : [];
  };
  const connectors = [...connector("connector"), ...connector("legacy", "legacy"), ...connector("next", "new")];
  const names = connectors.flatMap((one) => textAt(one, "name")).map((name) => truncate(name, 300));
  const summary = `${[...textAt(intent, "kind"), ...textAt(intent, "phase")].join(", ")} of ${names.join(" and ")}`;
  return {
    ...Object.fromEntries(kept),
    connectors,
    summary,
    asks: summary,
    inShort: { change: NOT_KNOWN, cost: NOT_KNOWN },
    diff: [
      ...named("Tables that are not named", "table", "unchanged", listAt(decided, "unlisted")),
      ...named("Topics that are deleted", "topic", "removed", listAt(decided, "topics")),
      ...offsetDiff(isObject(offset) ? offset["rows"] : undefined),
    ],
    notes: [
      { label: "version", text: "planned by an earlier cdcctl; plan again to see what it costs", tone: "caution" },
    ],
    figures: {},
  };
}

function textAt(of: Json | undefined, member: string): readonly string[] {
  const text = isObject(of) ? of[member] : undefined;
  return typeof text === "string" ? [text] : [];
}

function listAt(of: Json | undefined, member: string): readonly string[] {
  const list = isObject(of) ? of[member] : undefined;
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

function named(
  title: string,
  what: string,
  change: Diff["rows"][number]["change"],
  names: readonly string[],
): readonly JsonObject[] {
  if (names.length === 0) return [];
  return [{ title, what, shown: "always", rows: names.map((name) => ({ label: truncate(name, 500), change })) }];
}

function offsetDiff(rows: Json | undefined): readonly JsonObject[] {
  if (!Array.isArray(rows)) return [];
  const changes = rows.filter(isObject).map(({ field = NOT_KNOWN, ...row }) => ({ label: field, ...row }));
  return [{ title: "Stored offset", what: "field", rows: changes }];
}
