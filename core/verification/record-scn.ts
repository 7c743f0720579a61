import { bigintOf } from "../values/bytes.ts";
import { MAX_SCN, parseScn, type Scn } from "../values/scn.ts";
import { integerAt } from "./byte-work.ts";

/** The SCN written in decimal digits; undefined if they are not a valid SCN. */
export function scnOf(bytes: Uint8Array, start: number, end: number): Scn | undefined {
  if (start < 0 || end <= start || end - start > 19) return undefined;
  if (end - start <= 15) {
    const middle = Math.max(start, end - 9);
    const high = integerAt(bytes, start, middle);
    const low = integerAt(bytes, middle, end);
    return high < 0 || low < 0 ? undefined : bigintOf(high * 1_000_000_000 + low);
  }
  for (let at = start; at < end; at++) if (((bytes[at] as number) - 0x30) >>> 0 > 9) return undefined;
  const scn = BigInt(decoder.decode(bytes.subarray(start, end)));
  return scn <= MAX_SCN ? scn : undefined;
}

const decoder = new TextDecoder();

/**
 * The SCN in a record's header: digits, in quotation marks if the header converter writes JSON, in an envelope if it
 * writes schemas.
 *
 * @param start negative for a header that is missing
 */
export function scnOfHeader(bytes: Uint8Array, start: number, end: number): Scn | undefined {
  if (start < 0 || start === end) return undefined;
  const plain = scnOf(bytes, start, end);
  if (plain !== undefined) return plain;
  const value = decoder.decode(bytes.subarray(start, end));
  const text = /^(?:\{"schema":[\s\S]*,"payload":)?"?(\d{1,19})"?\}?$/.exec(value);
  return text?.[1] === undefined ? undefined : parseScn(text[1]);
}
