import { type Check, fail, pass } from "./check.ts";
import { sentences } from "./listed.ts";

/**
 * A property that nothing translates has to be dealt with by somebody, and that is said one by one: an acceptance of
 * all of them would cover the next one, too.
 *
 * Rule: specification, "Translation rules", manual.
 */
export const manualPropertiesOpen: Check<"Cutover"> = {
  code: "MIG101",
  title: "Properties that nothing translates are open",
  problem: "What the legacy connector did by these properties the new one does not do unless somebody sees to it.",
  remedy: "Do what the instruction of each says, then name each in `spec.accept`, by the property's name.",
  grade: "refusal",

  run(_intent, { open }) {
    if (open.length === 0) return pass;
    return fail({
      seen: sentences(
        open.map(({ name, instruction }) => `${name}: ${instruction}`),
        open.length,
      ),
      remedies: [
        "Do what is said of each; then add those that are done, or not needed, to spec.accept:  " +
          `${JSON.stringify(open.map(({ name }) => name))}`,
      ],
      at: "spec.accept",
    });
  },
};
