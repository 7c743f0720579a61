import { ByteSink } from "./byte-sink.ts";
import { writeBase64 } from "./values/base64.ts";
import { writeUnscaled } from "./values/decimal.ts";

const unscaled = new ByteSink(64);

const SCALE = [..."scale"].map((character) => character.charCodeAt(0));
const VALUE = [..."value"].map((character) => character.charCodeAt(0));

/**
 * Writes the canonical text of a `VariableScaleDecimal`: the JSON object `{"scale":2,"value":"MDk="}`, its members in
 * any order and none other.
 *
 * @returns why it can't be
 */
export function variableScale(bytes: Uint8Array, start: number, end: number, sink: ByteSink): string | undefined {
  const wrong = "no VariableScaleDecimal";
  let scale: number | undefined;
  let valueStart = -1;
  let valueEnd = -1;
  let at = start + 1;
  for (let member = 0; member < 2; member++) {
    // A member is at least `"scale":0`, followed by a comma or the brace.
    if (at + 10 > end || bytes[at] !== 0x22 || bytes[at + 6] !== 0x22 || bytes[at + 7] !== 0x3a) return wrong;
    const name = at + 1;
    at += 8;
    if (scale === undefined && spells(bytes, name, SCALE)) {
      const from = at;
      while (at < end && isOfNumber(bytes[at] as number)) at++;
      scale = smallInteger(bytes, from, at);
      if (scale === undefined) return wrong;
    } else if (valueStart < 0 && spells(bytes, name, VALUE) && bytes[at] === 0x22) {
      valueStart = ++at;
      while (at < end && bytes[at] !== 0x22) at++;
      valueEnd = at++;
    } else return wrong;
    if (bytes[at++] !== (member === 0 ? 0x2c : 0x7d)) return wrong;
  }
  if (at !== end || scale === undefined || valueStart < 0) return wrong;
  unscaled.clear();
  return (
    writeBase64(bytes, valueStart, valueEnd, unscaled) ?? writeUnscaled(unscaled.bytes, unscaled.length, scale, sink)
  );
}

function spells(bytes: Uint8Array, at: number, name: readonly number[]): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return true;
}

function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d;
}

function smallInteger(bytes: Uint8Array, start: number, end: number): number | undefined {
  const negative = bytes[start] === 0x2d;
  const first = negative ? start + 1 : start;
  if (end - first < 1 || end - first > 4) return undefined;
  let value = 0;
  for (let at = first; at < end; at++) {
    const digit = (bytes[at] as number) - 0x30;
    if (digit < 0) return undefined;
    value = value * 10 + digit;
  }
  return negative ? -value : value;
}
