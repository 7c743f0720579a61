import type { JournalForm } from "./journal-form.ts";
import { type JsonSpan, jsonMembers, membersWithin, NotJson, scalarAt } from "./json-members.ts";

/** The members of a record's data. Good until the next record is read. */
export interface RecordMembers {
  get(name: string): JsonSpan | undefined;
}

/**
 * Reads the members of one record after the other. A writer writes its records alike: what stands between two values, names and envelope
 * among it, is the same bytes each time. So it is only compared with the record before, and parsed when it differs.
 *
 * @returns a function that throws NotJson for what the task can't read
 */
export function recordMembers(form: JournalForm): (bytes: Uint8Array) => RecordMembers {
  let pattern: Pattern | undefined;
  return (bytes) => {
    if (pattern !== undefined && matches(pattern, bytes)) return pattern;
    const members = dataOf(bytes, form);
    pattern = patternOf(bytes, members);
    return members;
  };
}

/** An envelope is an object of `schema` and `payload` and nothing else. */
function dataOf(bytes: Uint8Array, form: JournalForm): ReadonlyMap<string, JsonSpan> {
  const members = jsonMembers(bytes);
  const inner = members.size === 2 && members.has("schema") ? members.get("payload") : undefined;
  if (form === "plain" || (inner === undefined && form === "either")) return members;
  if (inner === undefined) throw new NotJson("it has no schema envelope, which schemas.enable demands");
  if (inner.kind !== "object") throw new NotJson(`the envelope holds a JSON ${inner.kind}, not an object`);
  return membersWithin(bytes, inner);
}

interface Pattern extends RecordMembers {
  /** What stands before each value, and behind the last. */
  readonly between: readonly Uint8Array[];
  /** Of the record that matched last. */
  readonly spans: JsonSpan[];
}

/** Undefined where a value is a list or an object, or a name stands there twice. */
function patternOf(bytes: Uint8Array, members: ReadonlyMap<string, JsonSpan>): Pattern | undefined {
  const between: Uint8Array[] = [];
  let at = 0;
  for (const { kind, start, end } of members.values()) {
    const quotes = kind === "text" || kind === "escaped" ? 1 : 0;
    if (kind === "list" || kind === "object" || start < at) return undefined;
    // Copied, so that the page they came with can go.
    between.push(bytes.slice(at, start - quotes));
    at = end + quotes;
  }
  between.push(bytes.slice(at));
  const places = new Map([...members.keys()].map((name, place) => [name, place]));
  const spans = [...members.values()];
  return {
    between,
    spans,
    get(name) {
      const place = places.get(name);
      return place === undefined ? undefined : spans[place];
    },
  };
}

function matches({ between, spans }: Pattern, bytes: Uint8Array): boolean {
  let at = 0;
  for (let part = 0; part < between.length; part++) {
    const expected = between[part];
    if (expected === undefined || !standsAt(bytes, at, expected)) return false;
    at += expected.length;
    if (part === between.length - 1) break;
    const span = scalarAt(bytes, at);
    if (span === undefined) return false;
    spans[part] = span;
    at = span.kind === "text" || span.kind === "escaped" ? span.end + 1 : span.end;
  }
  return at === bytes.length;
}

function standsAt(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  if (expected.length > bytes.length - start) return false;
  for (let at = 0; at < expected.length; at++) if (bytes[start + at] !== expected[at]) return false;
  return true;
}
