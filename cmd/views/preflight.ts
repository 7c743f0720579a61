import { countLevels, LEVELS, type Level, type PreflightFinding } from "../../core/doctor/preflight.ts";
import type { PreflightReading } from "../../core/facts/preflight.ts";
import { counted } from "../../core/values/amounts.ts";
import { lineOf } from "../../core/values/remedy.ts";
import type { Tone } from "./colour.ts";
import { documentOf } from "./json-text.ts";
import { trunc } from "./layout.ts";
import {
  type Detail,
  type Field,
  field,
  fields,
  items,
  notice,
  RANK,
  type Rank,
  type Report,
  section,
} from "./report/model.ts";

export interface PreflightView {
  readonly file: string;
  /** The connector's name, if the file contains it. */
  readonly connector: string | undefined;
  /** `host:port/service`. */
  readonly address: string;
  readonly reading: PreflightReading;
  readonly findings: readonly PreflightFinding[];
  readonly ready: boolean;
}

/** Names the configuration, database and login. */
function subjectSentence({ file, connector, address, reading: { facts } }: PreflightView): string {
  const of = connector === undefined ? file : `${connector} (${file})`;
  const database = facts.database.known ? `${facts.database.value.name} at ` : "";
  const user = facts.account.known ? facts.account.value.user : facts.settings.user;
  return `preflight of ${of}: ${database}${address}${user === undefined ? "" : ` as ${user}`}`;
}

function outcomeSentence({ findings, ready }: PreflightView): string {
  const { blocking, unknown, warning, fine } = countLevels(findings);
  return (
    `${ready ? "ready" : "not ready"}: ${blocking} blocking, ${unknown} unknown, ${counted(warning, "warning")}, ` +
    `${fine} fine`
  );
}

/** Findings of one level; unknown ones with the same reason are grouped, because one fix resolves them all. */
interface Grouped {
  readonly codes: readonly string[];
  readonly finding: PreflightFinding;
}

function grouped(findings: readonly PreflightFinding[], level: Level): readonly Grouped[] {
  const groups: { codes: string[]; finding: PreflightFinding }[] = [];
  for (const finding of findings) {
    if (finding.level !== level) continue;
    const same = groups.find(
      ({ finding: { seen, items } }) => level === "unknown" && seen === finding.seen && items.length === 0,
    );
    if (same === undefined) groups.push({ codes: [finding.code], finding });
    else same.codes.push(finding.code);
  }
  return groups;
}

const LOOKS: { readonly [L in Level]: readonly [tone: Tone, rank: Rank] } = {
  blocking: ["bad", RANK.refusals],
  unknown: ["caution", RANK.subject],
  warning: ["caution", RANK.consequences],
  fine: ["good", RANK.steps],
};

/** The report of `doctor check`: blocking findings first, passed ones last. */
export function preflightReport(shown: PreflightView): Report {
  const { ready, findings } = shown;
  return {
    heading: {
      title: trunc(subjectSentence(shown)),
      outcome: { word: ready ? "ready" : "not ready", mark: ready ? "good" : "bad" },
    },
    lead: [notice(outcomeSentence(shown), ready ? "good" : "bad")],
    sections: LEVELS.flatMap((level) => {
      const [tone, rank] = LOOKS[level];
      return section(rank, fields(grouped(findings, level).map(fieldOf)), {
        title: level === "warning" ? "warnings" : level,
        tone,
      });
    }),
  };
}

/** A statement is never wrapped, so that it can be copied. */
function fieldOf({ codes: [first = "", ...others], finding: { seen, remedies, items: all } }: Grouped): Field {
  const text = `${trunc(seen, 1000)}${others.length === 0 ? "" : ` (so are ${others.join(", ")})`}`;
  const details = items(
    all,
    "item",
    ({ name, seen: of, sql }): Detail => {
      const what = [{ code: trunc(name) }, ...(of === undefined ? [] : [`: ${trunc(of, 600)}`])];
      return sql === undefined ? what : { text: what, copied: sql };
    },
    "few",
  );
  return { ...field(first, text, undefined, details), remedies };
}

/** `doctor check --format json` (`schemas/preflight.schema.json`). Printed with `printJson`. */
export function preflightDocument({ file, connector, address, reading, findings, ready }: PreflightView) {
  const { facts, captured } = reading;
  const counts = countLevels(findings);
  const database = facts.database.known ? facts.database.value : undefined;
  return {
    ...documentOf("Preflight"),
    file,
    connector: connector ?? null,
    ready,
    counts: Object.fromEntries(LEVELS.map((level) => [level, BigInt(counts[level])])),
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
      remedies: remedies.map(lineOf),
      items: items.map((one) => ({ name: one.name, seen: one.seen ?? null, sql: one.sql ?? null })),
    })),
  };
}
