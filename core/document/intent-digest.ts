import { type Digest, digestOf } from "../values/digest.ts";
import type { Intent } from "./intent.ts";

/** Tells two intents apart by what they want, not by where in which file they stand. */
export function digestOfIntent({ origin: _origin, ...wanted }: Intent): Digest {
  return digestOf(wanted);
}
