import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";
import { sentences } from "./listed.ts";

const LONGEST = 300;

/**
 * What the worker would refuse at the creation, it says beforehand. Of a masked value it can only say nonsense: MIG102
 * names those.
 */
export const configurationInvalid: Check<"Cutover"> = {
  code: "MIG104",
  title: "A worker finds the new connector's configuration invalid",
  problem: "The worker would refuse to create the connector, or its task would fail, with the legacy one stopped.",
  remedy: "Correct the settings in `spec.to.config`, or in the file that the context or --config names.",
  grade: "refusal",

  run(_intent, { facts: { installed, problems }, masked }) {
    if (!installed.known) return unknown(`no worker was asked: ${installed.why}`, installed.remedy ?? TO_KNOW.classes);
    // That says another check, and nothing was asked then.
    if (!installed.value) return pass;
    if (!problems.known)
      return unknown(`no worker could validate it: ${problems.why}`, problems.remedy ?? TO_KNOW.validation);
    const found = problems.value.filter(({ setting }) => !masked.includes(setting));
    if (found.length === 0) return pass;
    return fail({
      seen: sentences(found.map(({ setting, errors }) => `${setting}: ${shortened(errors.join(" "))}`)),
      at: "spec.to.config",
    });
  },
};

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
