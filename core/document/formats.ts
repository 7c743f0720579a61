import { showCount } from "../values/amounts.ts";
import { parseDuration } from "../values/duration.ts";
import { parseInstant } from "../values/instant.ts";
import { MAX_SCN } from "../values/scn.ts";
import { parseTableName } from "../values/table-name.ts";
import { parseXid } from "../values/xid.ts";
import { settingFault, settingValueFault } from "./own-settings.ts";
import { codePoint, NO_BREAK_SPACE, shown, unprintable } from "./printable.ts";
import type { YamlScalar } from "./tree.ts";

/** A problem of a value, worded to follow its name: `is 0, …`. */
export interface Fault {
  readonly fault: string;
  readonly remedy: string;
}

/** Checks one scalar, in more detail than a pattern could. Undefined: no problem. */
type Format = (scalar: YamlScalar, key: string, path: string) => Fault | undefined;

/** @param what a valid one is */
function valid(
  accepts: (text: string) => boolean,
  what: string,
  remedy: string,
): (scalar: YamlScalar) => Fault | undefined {
  return ({ source }) => (accepts(source) ? undefined : { fault: `is not a valid ${what}: ${quote(source)}`, remedy });
}

const TABLE_NAME = valid(
  (text) => parseTableName(text) !== undefined,
  "table name",
  'Write PDB.OWNER.TABLE, or OWNER.TABLE without containers; quote a part that needs it: SALES."Odd name"; each has ' +
    "at most 128 bytes.",
);

/**
 * The `format`s of the schemas. A format takes the place of `pattern`, `minimum` and `maximum`, which express the same
 * for editors. Only `scn` is called for values of another type than the schema's.
 */
export const FORMATS: Readonly<Record<string, Format>> = {
  scn: scnFault,
  instant: ({ source }) => instantFault(source),
  xid: valid(
    (text) => parseXid(text) !== undefined,
    "transaction id",
    "Write container, undo segment, slot and sequence: 1:4.9.771 (4.9.771 where there is no container).",
  ),
  text: ({ source }) => textFault(source),
  connector: ({ source }) =>
    textFault(source) ??
    (/^\.{1,2}$/.test(source)
      ? { fault: `is ${quote(source)}, which no call of Connect reaches`, remedy: "Write the connector's name." }
      : undefined),
  "own-path": ({ source }) =>
    textFault(source) ??
    (/^(?:[/\\]|[a-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)|[/\\]$/i.test(source)
      ? {
          fault: `is ${quote(source)}, which leads out of the plan file's folder`,
          remedy: "Name a file in that folder, or in one below it:  orders-to-cdc.evidence.json",
        }
      : undefined),
  slug: ({ source }) =>
    textFault(source) ??
    (/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(source)
      ? undefined
      : {
          fault: `is ${quote(source)}, which is not a valid short name`,
          remedy: "Use letters, digits, dots, dashes and underscores, a letter or a digit first:  orders-replay",
        }),
  "check-code": valid(
    (text) => /^[A-Z]{3}\d{3}$/.test(text),
    "check code",
    "Write three capital letters and three digits:  TRX501",
  ),
  "http-url": ({ source }) => textFault(source) ?? urlFault(source),
  "proxy-url": ({ source }) => (source === "none" ? undefined : (textFault(source) ?? urlFault(source))),
  duration: valid((text) => parseDuration(text) !== undefined, "duration", "Write it as 30s, 10m or 1h30m."),
  "table-name": (scalar) => textFault(scalar.source) ?? TABLE_NAME(scalar),
  topic: valid(
    (text) => /^[A-Za-z0-9._-]{1,249}$/.test(text) && !/^\.{1,2}$/.test(text),
    "topic name",
    "letters, digits, dots, dashes and underscores, at most 249",
  ),
  "topic-prefix": valid(
    (text) => /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(text),
    "topic prefix",
    "Use letters, digits, dots, dashes and underscores, no dot first:  orders",
  ),
  "own-setting": ({ source }) => textFault(source) ?? settingFault(source),
  host: valid(
    (text) => /^(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(text),
    "host",
    "Write its name or address, with or without a port:  connect-1.example.com:9999",
  ),
  "setting-value": ({ source }, _key, path) =>
    textFault(source) ?? settingValueFault(path.replace(/^spec\.to\.config\./, ""), source),
  // A password may contain anything, and is never shown.
  secret: () => undefined,
};

/** The `NEXT_CHANGE#` of a log that is still being written. */
const NO_END = 2n ** 64n - 1n;

function scnFault({ value, source, quoted }: YamlScalar, key: string): Fault | undefined {
  const text = shown(source, 40);
  const digits = /^[0-9]+$/.test(source);
  if (quoted && typeof value === "string")
    return {
      fault: digits ? `is text in quotes: "${text}"` : `is text: ${quote(source)}`,
      remedy: `Write it as a number, without quotes:  ${key}: ${digits ? text : "2169287"}`,
    };
  if (/^-/.test(source) && typeof value !== "string")
    return { fault: `is negative: ${text}`, remedy: "Write a whole number above 0." };
  if (/^0[xo]/i.test(source))
    return {
      fault: `is not written in decimal: ${text}`,
      remedy: typeof value === "bigint" && value <= MAX_SCN ? `Write:  ${key}: ${value}` : "Write decimal digits only.",
    };
  if (typeof value === "number")
    return {
      fault: `is written with a point or an exponent: ${text}`,
      remedy:
        "Write all its digits: an SCN that went through a floating-point number has lost the last ones; look it " +
        "up again.",
    };
  if (!digits)
    return { fault: `is not a valid SCN: ${quote(source)}`, remedy: `Write decimal digits only:  ${key}: 2169287` };
  if (/^0+$/.test(source))
    return {
      fault: "is 0, which no redo begins at",
      remedy: "Write the SCN to resume from, or earliestAvailable: true for the lowest that works.",
    };
  if (source.startsWith("0"))
    return {
      fault: `begins with a zero: ${text}`,
      remedy: "Write it without: other readers take it for an octal number.",
    };
  // A bigint of a million digits takes long to print and to compare; its length is sufficient.
  const scn = source.length > 25 ? 2n ** 80n : BigInt(source);
  if (scn === NO_END)
    return {
      fault: `is ${source}, Oracle's mark for a log that has no end yet (NEXT_CHANGE#)`,
      remedy: "Use FIRST_CHANGE# of the log, or an SCN in it.",
    };
  if (scn > NO_END)
    return {
      fault: `is too large for any SCN: ${text} (2^64 or more)`,
      remedy: "Look for digits too many, or for two numbers run together.",
    };
  if (scn > MAX_SCN)
    return {
      fault: `is ${text}, above ${MAX_SCN}, the highest that a stored offset can hold`,
      remedy: "Look for a digit too many.",
    };
  return undefined;
}

function instantFault(text: string): Fault | undefined {
  if (parseInstant(text) !== undefined) return undefined;
  const remedy = "Write date, time and zone:  2026-11-20T18:30:00Z, or 2026-11-20T19:30:00+01:00";
  const withoutZone = text.replace(" ", "T");
  if (parseInstant(`${withoutZone}Z`) !== undefined)
    return {
      fault: `has no time zone: ${quote(text)}`,
      remedy: `Write ${withoutZone}Z for UTC, or ${withoutZone}+01:00 for an offset from it.`,
    };
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return { fault: `is a date without a time: ${quote(text)}`, remedy };
  if (/^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}([Zz]|[+-]\d{2}:\d{2})?$/.test(text))
    return { fault: `has no seconds: ${quote(text)}`, remedy };
  return { fault: `is not a valid timestamp: ${quote(text)}`, remedy };
}

/** The problem of any text: blank, or with a character that does not read as what it is. */
function textFault(text: string): Fault | undefined {
  if (/^\s*$/.test(text)) return { fault: "is blank", remedy: "Give it a value." };
  const bad = unprintable(text);
  if (bad === undefined) return undefined;
  if (bad === "\n" || bad === "\r")
    return { fault: "holds a line break", remedy: "Write it on one line; after a key use no | and no >, but quotes." };
  const at = `${codePoint(bad)} as character ${showCount([...text.slice(0, text.indexOf(bad))].length + 1)}`;
  const copied = "texts copied from a terminal or a document may hold such characters";
  if (bad === NO_BREAK_SPACE)
    return {
      fault: `holds ${at}, which is not a space: ${quote(text)}`,
      remedy: `Type a space in its place; ${copied}.`,
    };
  return { fault: `holds ${at}, which can't be seen: ${quote(text)}`, remedy: `Remove it; ${copied}.` };
}

const URL_FORM = /^https?:\/\/[^/?#\s\\]+(\/[^?#\s\\]*)?$/i;

function urlFault(text: string): Fault | undefined {
  const remedy = "Write scheme, host, port and the path prefix of a gateway:  http://connect.example.com:8083";
  // Anything before an @ may be a password, so the text is not shown.
  if (/@/.test(text))
    return {
      fault: "contains a user or a password",
      remedy: "Take them out of the URL; credentials belong in the contexts file (auth, proxy).",
    };
  if (!/^https?:\/\//i.test(text)) return { fault: `is not a valid http:// or https:// URL: ${quote(text)}`, remedy };
  if (/[?#]/.test(text)) return { fault: `has a query or a fragment: ${quote(text.replace(/[?#].*$/, "?…"))}`, remedy };
  if (!URL_FORM.test(text) || !URL.canParse(text)) return { fault: `is not a URL: ${quote(text)}`, remedy };
  return undefined;
}

export function quote(text: string): string {
  return `"${shown(text)}"`;
}
