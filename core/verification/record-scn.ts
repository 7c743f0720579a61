import { MAX_SCN, parseScn, type Scn } from "../values/scn.ts";
import { bigintOf } from "./byte-work.ts";

/** The SCN that decimal digits stand for; undefined where they are none. */
export function scnOf(bytes: Uint8Array, start: number, end: number): Scn | undefined {
  if (start < 0 || end <= start || end - start > 19) return undefined;
  let number = 0;
  for (let at = start; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    number = number * 10 + digit;
  }
  if (end - start <= 15) return bigintOf(number);
  const scn = BigInt(decoder.decode(bytes.subarray(start, end)));
  return scn <= MAX_SCN ? scn : undefined;
}

const decoder = new TextDecoder();

/**
 * The SCN of a record's header: digits, in quotation marks where the header converter writes JSON, in an envelope where
 * that one writes schemas.
 */
export function scnOfHeader(value: Uint8Array | undefined): Scn | undefined {
  if (value === undefined || value.length === 0) return undefined;
  const plain = scnOf(value, 0, value.length);
  if (plain !== undefined) return plain;
  const text = /^(?:\{"schema":[\s\S]*,"payload":)?"?(\d{1,19})"?\}?$/.exec(decoder.decode(value));
  return text?.[1] === undefined ? undefined : parseScn(text[1]);
}
