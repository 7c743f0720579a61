/**
 * DATE and the TIMESTAMP types, their arithmetic, and the format models of TO_CHAR and TO_TIMESTAMP that are in use.
 */
import { OraError } from "../ora-error.ts";

export interface Moment {
  readonly is: "DATE" | "TIMESTAMP" | "TIMESTAMP_TZ";
  /** Milliseconds whose UTC fields are the wall clock. */
  readonly wall: number;
  /** Minutes east of UTC; undefined when the moment has no zone of its own. */
  readonly zone: number | undefined;
  /** Nanoseconds below the millisecond. Default: 0. */
  readonly nanos?: number;
}

export function isMoment(value: unknown): value is Moment {
  return typeof value === "object" && value !== null && "wall" in value;
}

/** @param epoch milliseconds */
export function zonedMoment(epoch: number, zone: number): Moment {
  return { is: "TIMESTAMP_TZ", wall: epoch + zone * 60_000, zone };
}

/** Milliseconds since the epoch; a moment without a zone is in `ownZone`. */
export function epochOf(moment: Moment, ownZone: number): number {
  return moment.wall - (moment.zone ?? ownZone) * 60_000;
}

/** `+01:00`, `UTC`, `GMT` in minutes. @throws OraError 01882 for region names, which are not supported */
export function zoneMinutes(zone: string): number {
  const match = /^([+-]?)(\d{1,2}):(\d{2})$/.exec(zone.trim());
  if (match !== null) return (match[1] === "-" ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
  if (/^(UTC|GMT|Z|Etc\/UTC)$/i.test(zone.trim())) return 0;
  throw new OraError(1882, "timezone region not found");
}

export function zoneText(minutes: number): string {
  const two = (value: number) => String(Math.trunc(value)).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
}

const ELEMENTS =
  /"([^"]*)"|(FM)|(SYYYY|YYYY|RRRR|MM|DD|HH24|HH12|HH|MI|SSSSS|SS|FF[1-9]?|TZH|TZM|TZR|MON|X)|([-/,.;: ]|T(?!Z)|Z)/giy;

interface Element {
  readonly kind: "field" | "fixed";
  readonly text: string;
}

/** Cache of parsed models: one is used for every row of a result. */
const READ_MODELS = new Map<string, readonly Element[]>();
const MOST_MODELS = 100;

function elementsOf(model: string): readonly Element[] {
  const known = READ_MODELS.get(model);
  if (known !== undefined) return known;
  const elements = readModel(model);
  if (READ_MODELS.size >= MOST_MODELS) READ_MODELS.clear();
  READ_MODELS.set(model, elements);
  return elements;
}

/** @throws OraError 01821 for an unsupported format element */
function readModel(model: string): readonly Element[] {
  const elements: Element[] = [];
  ELEMENTS.lastIndex = 0;
  while (ELEMENTS.lastIndex < model.length) {
    const match = ELEMENTS.exec(model);
    if (match === null) throw new OraError(1821, "date format not recognized");
    const [, quoted, fillMode, field, fixed] = match;
    if (quoted !== undefined) elements.push({ kind: "fixed", text: quoted });
    else if (field !== undefined) elements.push({ kind: "field", text: field.toUpperCase() });
    else if (fixed !== undefined) {
      // Oracle requires letters in double quotes: 'YYYY-MM-DDTHH24' is ORA-01821.
      if (/[TZ]/i.test(fixed)) throw new OraError(1821, "date format not recognized");
      elements.push({ kind: "fixed", text: fixed });
    } else if (fillMode === undefined) throw new OraError(1821, "date format not recognized");
  }
  return elements;
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"] as const;

/** The default formats of a session: NLS_DATE_FORMAT and the related settings of the territory America. */
const DEFAULT_MODEL = {
  DATE: "DD-MON-RRRR",
  TIMESTAMP: "DD-MON-RRRR HH.MI.SS.FF6",
  TIMESTAMP_TZ: "DD-MON-RRRR HH.MI.SS.FF6 TZR",
} as const;

/** Cache of formatted moments, by model: the rows of a big table repeat the same ones. */
const FORMATTED = new Map<string, Map<Moment, string>>();
const MOST_FORMATTED = 10_000;

export function formatMoment(moment: Moment, model: string = DEFAULT_MODEL[moment.is]): string {
  let known = FORMATTED.get(model);
  if (known === undefined) {
    if (FORMATTED.size >= MOST_MODELS) FORMATTED.clear();
    known = new Map();
    FORMATTED.set(model, known);
  }
  let text = known.get(moment);
  if (text !== undefined) return text;
  if (known.size >= MOST_FORMATTED) known.clear();
  text = formatted(moment, model);
  known.set(moment, text);
  return text;
}

function formatted(moment: Moment, model: string): string {
  const wall = new Date(moment.wall);
  const two = (value: number) => String(value).padStart(2, "0");
  return elementsOf(model)
    .map(({ kind, text }) => {
      if (kind === "fixed") return text;
      if (text.startsWith("FF")) {
        if (moment.is === "DATE") throw new OraError(1821, "date format not recognized");
        const digits = Number(text[2] ?? 6);
        const nanos = wall.getUTCMilliseconds() * 1_000_000 + (moment.nanos ?? 0);
        return String(nanos).padStart(9, "0").slice(0, digits);
      }
      switch (text) {
        case "SYYYY":
          return ` ${String(wall.getUTCFullYear()).padStart(4, "0")}`;
        case "YYYY":
        case "RRRR":
          return String(wall.getUTCFullYear()).padStart(4, "0");
        case "MM":
          return two(wall.getUTCMonth() + 1);
        case "MON":
          return MONTHS[wall.getUTCMonth()] ?? "";
        case "DD":
          return two(wall.getUTCDate());
        case "HH24":
          return two(wall.getUTCHours());
        case "HH":
        case "HH12":
          return two(wall.getUTCHours() % 12 || 12);
        case "MI":
          return two(wall.getUTCMinutes());
        case "SS":
          return two(wall.getUTCSeconds());
        case "X":
          return ".";
        case "SSSSS":
          return String(wall.getUTCHours() * 3600 + wall.getUTCMinutes() * 60 + wall.getUTCSeconds()).padStart(5, "0");
        default:
          return zoneField(moment, text);
      }
    })
    .join("");
}

function zoneField(moment: Moment, element: string): string {
  if (moment.is === "DATE") throw new OraError(1821, "date format not recognized");
  const text = zoneText(moment.zone ?? 0);
  return element === "TZH" ? text.slice(0, 3) : element === "TZM" ? text.slice(4) : text;
}

/** @param sessionZone minutes; the zone if the text has none and the type requires one */
export function parseMoment(text: string, model: string, is: Moment["is"], sessionZone: number): Moment {
  const fields: Record<string, string> = {};
  let position = 0;
  for (const { kind, text: element } of elementsOf(model)) {
    if (kind === "fixed") {
      if (text.slice(position, position + element.length) !== element)
        throw new OraError(1861, "literal does not match format string");
      position += element.length;
      continue;
    }
    const pattern = fieldPattern(element);
    pattern.lastIndex = position;
    const found = pattern.exec(text)?.[0];
    if (found === undefined)
      throw new OraError(
        position >= text.length ? 1840 : 1858,
        "a non-numeric character was found where a numeric was expected",
      );
    fields[element.startsWith("FF") ? "FF" : element] = found;
    position = pattern.lastIndex;
  }
  if (position < text.length)
    throw new OraError(1830, "date format picture ends before converting entire input string");
  const number = (element: string, otherwise = 0) => Number(fields[element] ?? otherwise);
  const fraction = Number((fields["FF"] ?? "0").padEnd(9, "0"));
  const time = [number("HH24"), number("MI"), number("SS"), Math.trunc(fraction / 1_000_000)] as const;
  const year = number("SYYYY", number("YYYY", number("RRRR")));
  // `Date.UTC` takes the years 0 to 99 for 1900 to 1999.
  const wall = new Date(Date.UTC(2000, 0, 1, ...time)).setUTCFullYear(year, number("MM", 1) - 1, number("DD", 1));
  const hours = fields["TZH"];
  const zone =
    fields["TZR"] !== undefined
      ? zoneMinutes(fields["TZR"])
      : hours !== undefined
        ? zoneMinutes(`${hours}:${fields["TZM"] ?? "00"}`)
        : sessionZone;
  const nanos = fraction % 1_000_000;
  return { is, wall, zone: is === "TIMESTAMP_TZ" ? zone : undefined, ...(nanos === 0 ? {} : { nanos }) };
}

function fieldPattern(element: string): RegExp {
  switch (element) {
    case "SYYYY":
      return /[ -]?\d{4}/y;
    case "YYYY":
    case "RRRR":
      return /\d{4}/y;
    case "TZH":
      return /[+-]?\d{2}/y;
    case "TZR":
      return /\S+/y;
    default:
      return element.startsWith("FF") ? /\d{1,9}/y : element === "X" ? /\./y : /\d{1,2}/y;
  }
}
