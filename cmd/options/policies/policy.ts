import { formatOption, text } from "../common.ts";

/** Adds to the policies of the context; nothing removes those. */
export const policyOption = {
  policy: text("Folder of rules to hold the plans against, besides those of the context; may be repeated", {
    array: true,
  }),
} as const;

export const policyTestPositional = {
  dir: { type: "string", demandOption: true, describe: "Folder of rules, with recorded plans beside them" },
} as const;

export const policyTestOptions = formatOption;
