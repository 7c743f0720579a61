import { type Digest, digestOf } from "../values/digest.ts";
import type { Intent } from "./intent.ts";

/** Identifies an intent by its content, not by its place in a file. */
export function digestOfIntent({ origin: _origin, ...wanted }: Intent): Digest {
  return digestOf(wanted);
}
