import { nearest } from "../document/nearest.ts";
import type { CutoverFacts } from "../kinds/cutover/facts.ts";
import type { TranslatedProperty } from "../legacy/translation.ts";
import { truncate } from "../values/truncate.ts";
import { type Check, fail, pass, unknown } from "./check.ts";
import { TO_KNOW } from "./getting-to-know.ts";
import { listed, sentences } from "./listed.ts";

/**
 * A property that nothing translates has to be dealt with by somebody, and that is said one by one: an acceptance of
 * all of them would cover the next one, too.
 *
 * Rule: specification, "Translation rules", manual.
 */
export const manualPropertiesOpen: Check<
  unknown,
  { readonly open: readonly Extract<TranslatedProperty, { fate: "manual" }>[] }
> = {
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
        {
          text: "Do what is said of each; then add those that are done, or not needed, to spec.accept",
          setting: JSON.stringify(open.map(({ name }) => name)),
        },
      ],
      at: "spec.accept",
    });
  },
};

/**
 * A literal secret of the legacy connector is masked when it is translated: whoever plans may not be meant to see it.
 */
export const secretsLacking: Check<unknown, { readonly masked: readonly string[] }> = {
  code: "MIG102",
  title: "Settings of the new connector are still masked",
  problem: "The connector would be created with ******** as its password, and fail after the legacy one was stopped.",
  remedy:
    "Put the values, or references to them, into the context's file for the connector, or into the file of --config.",
  grade: "refusal",

  run(_intent, { masked }) {
    if (masked.length === 0) return pass;
    return fail({
      seen:
        `of ${listed(masked, masked.length)} there is only the mask ********: ` +
        `${masked.length === 1 ? "its value is" : "their values are"} given nowhere`,
    });
  },
};

const LONGEST = 300;

/**
 * What the worker would refuse at the creation, it says beforehand. Of a masked value it can only say nonsense: MIG102
 * names those.
 */
export const configurationInvalid: Check<
  unknown,
  { readonly facts: Pick<CutoverFacts, "installed" | "problems">; readonly masked: readonly string[] }
> = {
  code: "MIG104",
  title: "A worker finds the new connector's configuration invalid",
  problem: "The worker would refuse to create the connector, or its task would fail, with the legacy one stopped.",
  remedy: "Correct the settings in `spec.to.config`, or in the file that the context or --config names.",
  grade: "refusal",

  run(_intent, { facts: { installed, problems }, masked }) {
    if (!installed.known)
      return unknown(`no worker was asked: ${installed.why}`, installed.remedies ?? TO_KNOW.classes);
    // That says another check, and nothing was asked then.
    if (!installed.value) return pass;
    if (!problems.known)
      return unknown(`no worker could validate it: ${problems.why}`, problems.remedies ?? TO_KNOW.validation);
    const found = problems.value.filter(({ setting }) => !masked.includes(setting));
    if (found.length === 0) return pass;
    return fail({
      seen: sentences(found.map(({ setting, errors }) => `${setting}: ${onOneLine(errors.join(" "))}`)),
      at: "spec.to.config",
    });
  },
};

function onOneLine(text: string): string {
  return truncate(text.replaceAll(/\s+/g, " ").trim(), LONGEST);
}

/** A name that accepts nothing may be a slip of one that should. */
export const acceptedInVain: Check<
  unknown,
  {
    readonly acceptedInVain: readonly string[];
    readonly open: readonly Extract<TranslatedProperty, { fate: "manual" }>[];
  }
> = {
  code: "MIG113",
  title: "A name in `spec.accept` is no manual property",
  problem: "It accepts nothing: it is mistyped, or the legacy connector's configuration has changed since.",
  remedy: "Correct the name, or remove it.",
  grade: "advisory",

  run(_intent, { acceptedInVain: names, open }) {
    if (names.length === 0) return pass;
    const candidates = open.map(({ name }) => name);
    return fail({
      seen: sentences(
        names.map((name) => {
          const meant = nearest(name, candidates);
          return (
            `${name} is no manual property of the legacy ` +
            `connector${meant === undefined ? "" : `; did you mean ${meant}?`}`
          );
        }),
      ),
      at: "spec.accept",
    });
  },
};
