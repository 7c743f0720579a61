import { UsageError } from "../../core/errors.ts";
import type { Explained } from "../../core/refusals.ts";
import codes from "../../schemas/generated/codes.json" with { type: "json" };
import { documentOf } from "./json-text.ts";
import { list, notice, RANK, type Report, section, tableOf, type Words } from "./report/model.ts";

/** A code as `explain` shows it. */
export interface CodePage extends Explained {
  readonly weight: string;
  /** Causes of the connector's own codes, the likeliest first. */
  readonly causes?: readonly string[];
  readonly commands?: readonly string[];
}

/** Every code that a command can print, of checks and other refusals, sorted: made of them by `npm run docs`. */
export const CODES: readonly CodePage[] = codes;

/** The report of one code, or of all. @throws UsageError naming the closest codes */
export function codesReport(code: string | undefined): Report {
  return code === undefined ? listed(CODES) : explained(pageOf(code));
}

/** The codes as a document. @throws UsageError naming the closest codes */
export function codesDocument(code: string | undefined) {
  const codes = code === undefined ? CODES : [pageOf(code)];
  return { ...documentOf("Codes"), codes };
}

function listed(pages: readonly CodePage[]): Report {
  const table = tableOf("Every code", pages, { what: "code", bare: true }, [
    ["Code", ({ code }) => code],
    ["Title", ({ title }) => title],
  ]);
  return {
    sections: section(RANK.subject, [table], { flush: true }),
  };
}

/** What stands between backticks is code. */
function worded(text: string): Words {
  return text.split("`").map((part, at) => (at % 2 === 1 ? { code: part } : part));
}

function explained({ code, title, problem, remedy, weight, causes = [], commands = [] }: CodePage): Report {
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

function pageOf(asked: string): CodePage {
  const code = asked.trim().toUpperCase();
  const page = CODES.find((one) => one.code === code);
  if (page !== undefined) return page;
  const family = CODES.filter((one) => one.code.startsWith(code.slice(0, 3)));
  throw new UsageError(
    `unknown code ${code.slice(0, 20)}`,
    family.length === 0 ? "`cdcctl explain` lists them." : `Did you mean ${family.map((one) => one.code).join(", ")}?`,
  );
}
