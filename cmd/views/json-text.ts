import { printJson } from "../../core/values/json.ts";
import { documentText, type Rendered } from "./rendered.ts";

/** A document as JSON, and a line end. What can't be seen in a text stands in it as `\\u001b`. */
export function jsonText(document: unknown): Rendered {
  return documentText(`${printJson(document)}\n`);
}
