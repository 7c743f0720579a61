import { nearest } from "../document/nearest.ts";
import { type Check, fail, pass } from "./check.ts";
import { sentences } from "./listed.ts";

/** A name that accepts nothing may be a slip of one that should. */
export const acceptedInVain: Check<"Cutover"> = {
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
