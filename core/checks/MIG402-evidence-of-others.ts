import { type EvidenceKnown, verificationOf } from "../facts/migration-facts.ts";
import type { OffsetEntry } from "../facts/offset/stored-offset.ts";
import { lastCommitIn } from "../legacy/stored-offsets.ts";
import { millisBetween } from "../values/instant.ts";
import { type Check, fail, pass, unknown, type Verdict } from "./check.ts";

/**
 * Anybody can write a file whose digest fits. That it came from a verification of these two connectors, the journal of
 * that run knows; and what was verified before a cutover says nothing of the connector that it created.
 */
export const evidenceOfOthers: Check<"Retirement"> = {
  code: "MIG402",
  title: "The evidence is of no verification that is known here",
  problem: "It may be edited, or of other connectors, or of a time before the cutover.",
  remedy: "Verify on this machine (`phase: verify`), or give the state of the machine that did (--state).",
  grade: "refusal",

  run({ from, to }, { facts: { evidence, verifications, cutover, legacy } }) {
    if (!evidence.known) return pass;
    const { digest, file, connector } = evidence.value;
    if (connector !== to.name)
      return fail({ seen: `${file} is evidence of ${connector}, not of ${to.name}`, at: "spec.evidence" });
    if (!verifications.known)
      return unknown(`the journals of this machine can't be read: ${verifications.why}`, verifications.remedy);
    const known = verificationOf(digest, verifications.value);
    if (known === undefined)
      return fail({
        seen:
          `no verification of ${from.connector} and ${to.name} in the journals of this machine has written ${file} ` +
          `(${digest})`,
        at: "spec.evidence",
      });
    if (!cutover.known) return unknown(`when the cutover was can't be seen: ${cutover.why}`, cutover.remedy);
    if (cutover.value !== undefined && millisBetween(cutover.value.at, known.at) <= 0)
      return fail({
        seen:
          `${file} was written by run ${known.run} (${known.at}), before the cutover of run ${cutover.value.run} ` +
          `(${cutover.value.at})`,
        remedies: ["Verify again:  spec.phase: verify"],
        at: "spec.evidence",
      });
    // The journals here may not know the latest cutover: what the legacy connector has stored since counts as well.
    const offsets = [...(cutover.value?.offsets ?? []), ...(legacy?.offsets ?? [])];
    return asOfTheCutover(evidence.value, from.connector, offsets);
  },
};

/**
 * A table that agrees as of an SCN within the overlap proves nothing of what only the new connector delivers: the
 * change of hands lies after it.
 */
function asOfTheCutover({ file, checkScn }: EvidenceKnown, legacy: string, offsets: readonly OffsetEntry[]): Verdict {
  const last = lastCommitIn(offsets);
  if (last === "unreadable") return unknown(`the last commit that ${legacy} delivered can't be read from its offsets`);
  if (last === undefined || checkScn >= last) return pass;
  return fail({
    seen:
      `${file} is as of SCN ${checkScn}, and ${legacy} delivered commits up to ${last}: it ends before the new ` +
      "connector alone delivers",
    remedies: [`Verify again, as of a later SCN:  spec.phase: verify, spec.verify.checkScn left out or above ${last}`],
    at: "spec.evidence",
  });
}
