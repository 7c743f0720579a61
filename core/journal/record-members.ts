import type { JournalForm } from "./journal-form.ts";
import { type JsonMembers, jsonMembers, membersWithin, NotJson } from "./json-members.ts";

/** The members of a record's data. */
export type RecordMembers = JsonMembers;

/** @returns a function that throws NotJson for data that the task cannot read */
export function recordMembers(form: JournalForm): (bytes: Uint8Array) => RecordMembers {
  return (bytes) => dataOf(bytes, form);
}

/** An envelope is an object of `schema` and `payload` and nothing else. */
function dataOf(bytes: Uint8Array, form: JournalForm): RecordMembers {
  const members = jsonMembers(bytes);
  const inner = members.size === 2 && members.has("schema") ? members.get("payload") : undefined;
  if (form === "plain" || (inner === undefined && form === "either")) return members;
  if (inner === undefined) throw new NotJson("it has no schema envelope, which schemas.enable demands");
  if (inner.kind !== "object") throw new NotJson(`the envelope holds a JSON ${inner.kind}, not an object`);
  return membersWithin(bytes, inner);
}
