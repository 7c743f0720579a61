/**
 * What an operator can do, and what to copy for it: a command for a shell, a statement for SQL*Plus or RMAN, or an
 * option or key with its value.
 */
export interface Remedy {
  /** What it is for: `Choose another name`. */
  readonly text: string;
  readonly command?: string;
  readonly sql?: string;
  readonly setting?: string;
  /** Additional text: where else that can be set. */
  readonly note?: string;
}

/** A remedy; words alone where there is nothing to copy. */
export type Advice = string | Remedy;

/** What there is to copy. */
export function copyOf(advice: Advice): string | undefined {
  return typeof advice === "string" ? undefined : (advice.command ?? advice.sql ?? advice.setting);
}

/** On one line, as documents hold it: `Choose another name:  spec.to.name`. */
export function lineOf(advice: Advice): string {
  if (typeof advice === "string") return advice;
  return `${advice.text}:  ${copyOf(advice) ?? ""}${advice.note === undefined ? "" : `   ${advice.note}`}`;
}

/** Applies a change to each text: escaping, or truncating. */
export function mapAdvice(advice: Advice, change: (text: string) => string): Advice {
  if (typeof advice === "string") return change(advice);
  const { text, command, sql, setting, note } = advice;
  return {
    text: change(text),
    ...(command === undefined ? {} : { command: change(command) }),
    ...(sql === undefined ? {} : { sql: change(sql) }),
    ...(setting === undefined ? {} : { setting: change(setting) }),
    ...(note === undefined ? {} : { note: change(note) }),
  };
}

/** Several, one a line. */
export function linesOf(remedies: readonly Advice[]): string {
  return remedies.map(lineOf).join("\n");
}
