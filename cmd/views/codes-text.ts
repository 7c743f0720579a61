import { CHECKS } from "../../core/checks/catalogue.ts";
import type { Grade } from "../../core/checks/check.ts";
import { UsageError } from "../../core/errors.ts";
import { REFUSALS } from "../../core/refusals.ts";
import { columns } from "./table.ts";

interface Page {
  readonly code: string;
  readonly title: string;
  readonly problem: string;
  readonly remedy: string;
  readonly weight: string;
}

const WEIGHTS: { readonly [G in Grade]: string } = {
  refusal: "blocks; nothing in a plan file changes that",
  acceptable: "blocks unless spec.accept names it; under admin it warns",
  advisory: "is shown, and blocks nothing",
};

/** Every code that a command can print: the checks' and the other refusals', sorted. */
export function pages(): readonly Page[] {
  // Several kinds and phases share checks.
  const checks = [...new Set(Object.values(CHECKS).flat())].map(({ code, title, problem, remedy, grade }) => ({
    code,
    title,
    problem,
    remedy,
    weight: WEIGHTS[grade],
  }));
  const refusals = REFUSALS.map((page) => ({ ...page, weight: "refuses" }));
  return [...checks, ...refusals].sort((a, b) => (a.code < b.code ? -1 : 1));
}

export function listCodes(): string {
  return `${columns(pages().map(({ code, title }) => [code, title])).join("\n")}\n`;
}

/** @throws UsageError naming the nearest codes */
export function explainCode(asked: string): string {
  const code = asked.trim().toUpperCase();
  const page = pages().find((one) => one.code === code);
  if (page === undefined) {
    const family = pages().filter((one) => one.code.startsWith(code.slice(0, 3)));
    throw new UsageError(
      `there is no code ${code.slice(0, 20)}`,
      family.length === 0
        ? "`cdcctl explain` lists them."
        : `Did you mean ${family.map((one) => one.code).join(", ")}?`,
    );
  }
  return `${page.code}  ${page.title}\n\n${page.problem}\n\nWhat to do: ${page.remedy}\nIt ${page.weight}.\n`;
}
