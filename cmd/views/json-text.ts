import { printJson } from "../../core/values/json.ts";
import { documentText, type Rendered } from "./rendered.ts";

/** A document as JSON with a final line end. Invisible characters are escaped like `\\u001b`. */
export function jsonText(document: unknown): Rendered {
  return documentText(`${printJson(document)}\n`);
}
