import { millisBetween } from "../values/instant.ts";
import type { Scn } from "../values/scn.ts";
import type { ConnectorFacts } from "./connector-facts.ts";

/** Milliseconds between two SCNs; undefined where the database does not know the time of one. */
export function span(from: Scn, to: Scn, times: ConnectorFacts["times"]): bigint | undefined {
  const at = (scn: Scn) => (times.known ? times.value.find((time) => time.scn === scn)?.at : undefined);
  const [start, end] = [at(from), at(to)];
  return start === undefined || end === undefined ? undefined : BigInt(Math.max(0, millisBetween(start, end)));
}
