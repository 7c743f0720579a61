import type { Kind } from "./intent.ts";
import { DOCUMENT_KINDS } from "./kinds.ts";

/** @returns a commented plan file to start from, which is itself valid. */
export function planFileTemplate(kind: Kind): string {
  return DOCUMENT_KINDS[kind].template;
}
