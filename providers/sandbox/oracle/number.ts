/**
 * Oracle NUMBER on the wire: an exponent byte and base-100 digits, most significant first, each plus 1 (negative
 * numbers: 101 minus the digit, closed by 102). Decimal text on our side, because a NUMBER has 38 digits and a double
 * has 16.
 */

const ZERO = 0x80;
/** Base-100 digits a NUMBER holds. */
const DIGITS = 20;

/**
 * @throws RangeError for a value outside the range of NUMBER; TypeError for text that is not a decimal. Below 1e-130 it
 * is zero, as in Oracle.
 */
export function encodeNumber(input: string | number | bigint): Uint8Array {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(String(input));
  const [, sign = "", whole = "", fraction = "", exponentText = "0"] = match ?? [];
  if (match === null || whole + fraction === "") throw new TypeError(`not a NUMBER: ${input}`);
  const negative = sign === "-";
  let digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  let exponent = Number(exponentText) - fraction.length + digits.length - significant.length;
  digits = significant;
  if (digits === "") return Uint8Array.of(ZERO);
  if (exponent % 2 !== 0) {
    digits += "0";
    exponent--;
  }
  if (digits.length % 2 === 1) digits = `0${digits}`;
  const scale = (exponent + digits.length) / 2 + 192;
  if (scale > 255) throw new RangeError(`NUMBER overflow: ${input}`);
  if (scale < 128) return Uint8Array.of(ZERO);
  const out = [negative ? scale ^ 0xff : scale];
  for (let i = 0; i < digits.length && i < 2 * DIGITS; i += 2) {
    const pair = Number(digits.slice(i, i + 2));
    out.push(negative ? 101 - pair : pair + 1);
  }
  if (negative && out.length <= DIGITS) out.push(102);
  return Uint8Array.from(out);
}

/** @returns decimal text without an exponent. */
export function decodeNumber(bytes: Uint8Array): string {
  const [head, ...rest] = bytes;
  if (head === undefined) return "";
  if (rest.length === 0) return head & 0x80 ? "0" : "-1e126";
  const negative = (head & 0x80) === 0;
  const exponent = ((negative ? head ^ 0xff : head) & 0x7f) - 65;
  const pairs = negative && rest.at(-1) === 102 ? rest.slice(0, -1) : rest;
  const digits = pairs.map((pair) => String(negative ? 101 - pair : pair - 1).padStart(2, "0")).join("");
  const point = (exponent + 1) * 2;
  const whole = point <= 0 ? "0" : digits.slice(0, point).padEnd(point, "0");
  const fraction = (point <= 0 ? "0".repeat(-point) + digits : digits.slice(point)).replace(/0+$/, "");
  return (negative ? "-" : "") + whole.replace(/^0+(?=\d)/, "") + (fraction === "" ? "" : `.${fraction}`);
}
