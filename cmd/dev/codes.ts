import type { Check, Grade } from "../../core/checks/check.ts";
import { CONNECTOR_ERRORS } from "../../core/connector-errors.ts";
import { CHECKS } from "../../core/kinds/checks.ts";
import { REFUSALS } from "../../core/refusals.ts";
import { ascending } from "../../core/values/lists.ts";
import type { CodePage } from "../views/codes.ts";

const WEIGHTS: { readonly [G in Grade]: string } = {
  refusal: "blocks and cannot be accepted",
  acceptable: "blocks unless spec.accept names it; in admin commands it warns",
  advisory: "is informational and does not block",
};

/** Weights of checks that occur in no plan. */
const PREFLIGHT_WEIGHTS: { readonly [G in Grade]: string } = {
  refusal: "blocks in doctor check: exit 1",
  acceptable: "blocks in doctor check: exit 1",
  advisory: "warns in doctor check: exit 1 with --fail-on warn, otherwise 0",
};

function page(check: Omit<Check<never, never>, "run">, weights: { readonly [G in Grade]: string }): CodePage {
  const { code, title, problem, remedy, grade, unknown = grade } = check;
  const weight = weights[grade] + (unknown === grade ? "" : `; where the fact is unknown, it ${weights[unknown]}`);
  return { code, title, problem, remedy, weight };
}

/**
 * Every code that a command can print, of checks and other refusals, sorted. `explain` reads the list that is made of
 * this (schemas/generated/codes.json), so that it loads no check.
 */
export function codePages(): readonly CodePage[] {
  const { planned, preflight } = checksByCode();
  const checks = planned.map((check) => page(check, WEIGHTS));
  const own = preflight.map((check) => page(check, PREFLIGHT_WEIGHTS));
  const refusals = REFUSALS.map((page) => ({ ...page, weight: "refuses" }));
  const stops = CONNECTOR_ERRORS.map((error) => ({ ...error, weight: `stops the connector's task ${error.stops}` }));
  return [...checks, ...own, ...refusals, ...stops].sort(ascending(({ code }) => code));
}

/** Every code with its meaning: the checks that plans have, and those that only a preflight has. */
export function checksByCode() {
  const { Preflight, ...planned } = CHECKS;
  // Several kinds share checks, or a code that means the same for each of them.
  const byCode = new Map(
    Object.values(planned).flatMap((checks) => checks.map((check) => [check.code, check] as const)),
  );
  return { planned: [...byCode.values()], preflight: Preflight.filter(({ code }) => !byCode.has(code)) };
}
