import { parseJson, printJson } from "../values/json.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * The same JSON as the fast reader expects it: no white space, no escape that need not be. Read by the strict, lossless
 * parser, which refuses what is no JSON, no UTF-8, or holds a member twice.
 *
 * @returns why it can't be read
 */
export function normalisedJson(bytes: Uint8Array): Uint8Array | string {
  try {
    return encoder.encode(printJson(parseJson(decoder.decode(bytes)), 0));
  } catch {
    return "no JSON in UTF-8 (is it another converter's?)";
  }
}
