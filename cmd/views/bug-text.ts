import { redactText } from "../../core/redaction/redact.ts";

/**
 * The printed form of an error that is a bug: its message in one line, and its stack. The message may come from
 * outside, so line ends in it are escaped.
 */
export function bugLines(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [redactText(String(error))];
  const { message, stack = "" } = error;
  const at = stack.indexOf(message);
  const end = at + message.length;
  if (at < 0 || message === "")
    return [redactText(message === "" ? error.name : `${error.name}: ${message}`), ...callsIn(stack)];
  return [redactText(stack.slice(0, end)), ...callsIn(stack.slice(end))];
}

function callsIn(stack: string): readonly string[] {
  return redactText(stack)
    .split("\n")
    .filter((line) => /^ {4}at /.test(line));
}
