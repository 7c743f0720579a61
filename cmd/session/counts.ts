import { UsageError } from "../../core/errors.ts";

/** Parses an option that is a count. @returns 1 to `most`. @throws UsageError naming the option */
export function countOf(option: string, text: string, most: number): number {
  const count = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > most)
    throw new UsageError(`--${option} ${text} is out of range`, `Write a whole number from 1 to ${most}.`);
  return count;
}
