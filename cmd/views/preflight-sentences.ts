import { countLevels, type Level, type PreflightFinding } from "../../core/doctor/preflight.ts";
import type { PreflightReading } from "../../core/facts/preflight-reading.ts";
import { counted } from "./quantities.ts";

/** What `doctor check` found, for the views. */
export interface PreflightShown {
  readonly file: string;
  /** The connector's name, where the file says it. */
  readonly connector: string | undefined;
  /** `host:port/service`. */
  readonly address: string;
  readonly reading: PreflightReading;
  readonly findings: readonly PreflightFinding[];
  readonly ready: boolean;
}

export const HEADINGS: { readonly [L in Level]: string } = {
  blocking: "blocking",
  unknown: "unknown",
  warning: "warnings",
  fine: "fine",
};

/** Which configuration, database and login. */
export function subjectSentence({ file, connector, address, reading: { facts } }: PreflightShown): string {
  const of = connector === undefined ? file : `${connector} (${file})`;
  const database = facts.database.known ? `${facts.database.value.name} at ` : "";
  const user = facts.account.known ? facts.account.value.user : facts.settings.user;
  return `preflight of ${of}: ${database}${address}${user === undefined ? "" : ` as ${user}`}`;
}

export function outcomeSentence({ findings, ready }: PreflightShown): string {
  const { blocking, unknown, warning, fine } = countLevels(findings);
  return (
    `${ready ? "ready" : "not ready"}: ${blocking} blocking, ${unknown} unknown, ${counted(warning, "warning")}, ` +
    `${fine} fine`
  );
}

/** Findings of one level; those that are unknown for one reason together, because one thing mends them all. */
export interface Grouped {
  readonly codes: readonly string[];
  readonly finding: PreflightFinding;
}

export function grouped(findings: readonly PreflightFinding[], level: Level): readonly Grouped[] {
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
