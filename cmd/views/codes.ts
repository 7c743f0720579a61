import type { Check, Grade } from "../../core/checks/check.ts";
import { CONNECTOR_ERRORS } from "../../core/connector-errors.ts";
import { UsageError } from "../../core/errors.ts";
import { checksByCode } from "../../core/kinds/checks.ts";
import { type Explained, REFUSALS } from "../../core/refusals.ts";
import { ascending } from "../../core/values/lists.ts";
import { documentOf } from "./json-text.ts";
import { list, notice, RANK, type Report, section, tableOf, type Words } from "./report/model.ts";

interface Page extends Explained {
  readonly weight: string;
  /** Causes of the connector's own codes, the likeliest first. */
  readonly causes?: readonly string[];
  readonly commands?: readonly string[];
}

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

function page(check: Omit<Check<never, never>, "run">, weights: { readonly [G in Grade]: string }): Page {
  const { code, title, problem, remedy, grade, unknown = grade } = check;
  const weight = weights[grade] + (unknown === grade ? "" : `; where the fact is unknown, it ${weights[unknown]}`);
  return { code, title, problem, remedy, weight };
}

/** Every code that a command can print, of checks and other refusals, sorted. */
export function pages(): readonly Page[] {
  const { planned, preflight } = checksByCode();
  const checks = planned.map((check) => page(check, WEIGHTS));
  const own = preflight.map((check) => page(check, PREFLIGHT_WEIGHTS));
  const refusals = REFUSALS.map((page) => ({ ...page, weight: "refuses" }));
  const stops = CONNECTOR_ERRORS.map((error) => ({ ...error, weight: `stops the connector's task ${error.stops}` }));
  return [...checks, ...own, ...refusals, ...stops].sort(ascending(({ code }) => code));
}

/** The report of one code, or of all. @throws UsageError naming the closest codes */
export function codesReport(code: string | undefined): Report {
  return code === undefined ? listed(pages()) : explained(pageOf(code));
}

/** Like `codesReport`, as a document. @throws UsageError naming the closest codes */
export function codesDocument(code: string | undefined) {
  const codes = code === undefined ? pages() : [pageOf(code)];
  return { ...documentOf("Codes"), codes };
}

function listed(pages: readonly Page[]): Report {
  const table = tableOf("Every code", pages, { what: "code", bare: true }, [
    ["Code", ({ code }) => code],
    ["Title", ({ title }) => title],
  ]);
  return {
    heading: { title: "", outcome: undefined },
    sections: section(RANK.subject, [table], { flush: true }),
  };
}

/** What stands between backticks is code. */
function worded(text: string): Words {
  return text.split("`").map((part, at) => (at % 2 === 1 ? { code: part } : part));
}

function explained({ code, title, problem, remedy, weight, causes = [], commands = [] }: Page): Report {
  return {
    heading: { title: `${code}  ${title}`, outcome: undefined },
    sections: [
      ...section(RANK.outcome, [notice(worded(problem))], { flush: true }),
      ...section(RANK.details, list(causes.map(worded), "cause"), { title: "Likely causes" }),
      ...section(RANK.subject, [notice(worded(`What to do: ${remedy}`)), notice(`It ${weight}.`)], { flush: true }),
    ],
    next: commands,
  };
}

function pageOf(asked: string): Page {
  const code = asked.trim().toUpperCase();
  const page = pages().find((one) => one.code === code);
  if (page !== undefined) return page;
  const family = pages().filter((one) => one.code.startsWith(code.slice(0, 3)));
  throw new UsageError(
    `unknown code ${code.slice(0, 20)}`,
    family.length === 0 ? "`cdcctl explain` lists them." : `Did you mean ${family.map((one) => one.code).join(", ")}?`,
  );
}
