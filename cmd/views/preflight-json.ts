import { countLevels } from "../../core/doctor/preflight.ts";
import type { PreflightShown } from "./preflight.ts";

/** `doctor check --format json` (`schemas/preflight.schema.json`). Printed with `printJson`. */
export function preflightDocument({ file, connector, address, reading, findings, ready }: PreflightShown) {
  const { facts, captured } = reading;
  const database = facts.database.known ? facts.database.value : undefined;
  return {
    apiVersion: "cdcctl/v1",
    kind: "Preflight",
    formatVersion: 1n,
    file,
    connector: connector ?? null,
    ready,
    counts: mapped(countLevels(findings)),
    database: {
      address,
      name: database?.name ?? null,
      version: database?.version ?? null,
      container: database?.container ?? null,
      connected_to: database?.connectedTo ?? null,
      user: facts.account.known ? facts.account.value.user : (facts.settings.user ?? null),
    },
    captured_tables: captured.known ? BigInt(captured.tables.length) : null,
    findings: findings.map(({ code, title, level, seen, remedies, items }) => ({
      code,
      title,
      level,
      seen,
      remedies,
      items: items.map((one) => ({ name: one.name, seen: one.seen ?? null, sql: one.sql ?? null })),
    })),
  };
}

function mapped(counts: ReturnType<typeof countLevels>) {
  return Object.fromEntries(Object.entries(counts).map(([level, count]) => [level, BigInt(count)]));
}
