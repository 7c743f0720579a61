/**
 * An action for the operator, with the text to copy: a command for a shell, a statement for SQL*Plus or RMAN, or an
 * option or key with its value.
 */
export interface Remedy {
  /** Its purpose: `Choose another name`. */
  readonly text: string;
  readonly command?: string;
  readonly sql?: string;
  readonly setting?: string;
  /** Additional text: other places where it can be set. */
  readonly note?: string;
}

/** A remedy; only words if there is nothing to copy. */
export type Advice = string | Remedy;

/** The texts to copy. */
export function copyOf(advice: Advice): string | undefined {
  return typeof advice === "string" ? undefined : (advice.command ?? advice.sql ?? advice.setting);
}

/** A remedy on one line, as in documents: `Choose another name:  spec.to.name`. */
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

/** Several, one per line. */
export function linesOf(remedies: readonly Advice[]): string {
  return remedies.map(lineOf).join("\n");
}
