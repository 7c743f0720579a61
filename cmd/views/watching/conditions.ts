import type { Judged } from "../../../core/watching/conditions.ts";
import type { Tone } from "../colour.ts";
import { trunc } from "../layout.ts";
import { RANK, type Section, section, tableOf } from "../report/model.ts";

const RESULTS: { readonly [verdict in Judged["verdict"]]: readonly [word: string, tone: Tone] } = {
  pass: ["holds", "good"],
  fail: ["FAILS", "bad"],
  unknown: ["FAILS: could not be read", "bad"],
};

/** The conditions of `--fail-on`, a line each. */
export function conditionsSection(conditions: readonly Judged[]): readonly Section[] {
  if (conditions.length === 0) return [];
  const table = tableOf("Conditions", conditions, { what: "condition", bare: true }, [
    ["Condition", ({ condition }) => condition],
    ["Result", ({ verdict }) => ({ text: RESULTS[verdict][0], tone: RESULTS[verdict][1] })],
    ["Seen", ({ seen }) => trunc(seen, 600), { wraps: true }],
  ]);
  return section(RANK.refusals, [table], { title: "Conditions", terminal: "no title" });
}
