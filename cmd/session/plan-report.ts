import type { Plan } from "../../core/plan/plan.ts";
import { approvalSeen } from "../../core/plan/resolved-plan.ts";
import { shellFile, shellOption } from "../../core/values/shell-word.ts";
import type { Host } from "../host.ts";
import { planDocument, planReports, type Unsettled } from "../views/plan.ts";
import type { Rendered } from "../views/rendered.ts";
import { inForm } from "./report-forms.ts";
import type { Unplanned } from "./unplanned.ts";

/** Renders plans in the requested format, with the next commands. */
export function planReport(
  plans: readonly Plan[],
  {
    format,
    files,
    out,
    flags = {},
    full = true,
    unplanned = [],
    unsettled = [],
  }: {
    readonly format: string;
    readonly files: readonly string[];
    readonly out: string | undefined;
    /** Flags of the command; the next commands repeat those that name systems and phase. */
    readonly flags?: Given;
    /** Whether text shows everything, not only the first screen or the reasons of a refusal. */
    readonly full?: boolean;
    readonly unplanned?: readonly Unplanned[];
    readonly unsettled?: readonly Unsettled[];
  },
  host: Host,
): Rendered {
  const isShort = !full && format === "text";
  const isRefused = unsettled.length > 0 || plans.some(isBlocked);
  const next =
    isShort && isRefused
      ? wholePlan(files, flags)
      : unplanned.length > 0 || unsettled.length > 0
        ? []
        : [
            ...nextCommands(plans, files, out, flags),
            ...(isShort && plans.some(isReady) ? wholePlan(files, flags) : []),
          ];
  const shown = {
    reports: () =>
      planReports(plans, { next, unplanned, unsettled, toExpect: !(isShort && isRefused), full: !isShort }),
    json: () => planDocument(plans, next, unplanned, unsettled),
  };
  return inForm(format, shown, host);
}

type Given = { readonly [name: string]: unknown };

/** Options that name the systems and how to reach them; a saved plan holds the context itself. */
const SYSTEMS = [
  "contexts",
  "connect-url",
  "config",
  "bootstrap-servers",
  "command-config",
  "connector-class",
  "state",
  "policy",
] as const;

/** The named options as given, for another command line: ` --phase verify --context prod`. */
export function given(flags: Given, names: readonly string[]): string {
  const texts = (name: string) => [flags[name]].flat().filter((one) => typeof one === "string");
  return names.flatMap((name) => texts(name).map((text) => ` ${shellOption(`--${name}`, text)}`)).join("");
}

const isBlocked = ({ outcome }: Plan): boolean => outcome.state === "blocked";
const isReady = ({ outcome }: Plan): boolean => outcome.state === "ready";

function namesOf(files: readonly string[], flags: Given): string {
  return `${files.map(shellFile).join(" ")}${given(flags, ["phase", "context", ...SYSTEMS])}`;
}

/** The command that shows the whole plan. */
export function wholePlan(files: readonly string[], flags: Given): readonly string[] {
  const facts = given(flags, ["facts"]);
  return files.length === 0 || files.includes("-")
    ? []
    : [`cdcctl plan ${namesOf(files, flags)}${facts} --full     # the whole plan`];
}

function nextCommands(
  plans: readonly Plan[],
  files: readonly string[],
  out: string | undefined,
  flags: Given,
): readonly string[] {
  if (!plans.some(isReady) || plans.some(isBlocked)) return [];
  if (out !== undefined)
    return [`cdcctl apply ${shellFile(out)} --expect ${approvalSeen(plans)}${given(flags, SYSTEMS)}`];
  if (files.length === 0 || files.includes("-")) return [];
  const names = namesOf(files, flags);
  return [`cdcctl apply ${names}`];
}
