import type { Verdict } from "../../../core/policies/finding.ts";
import { counted } from "../../../core/values/amounts.ts";
import { documentOf } from "../json-text.ts";
import { trunc } from "../layout.ts";
import { RANK, type Report, section, tableOf } from "../report/model.ts";

/** One rule on one recorded plan; without `file` there is no plan for the rule. */
export interface PolicyTested {
  readonly rule: string;
  readonly file?: string;
  readonly expected?: Verdict["is"];
  readonly verdict?: Verdict;
}

/** A rule without a recorded plan has not been tested, and has not failed. */
export const hasFailed = ({ expected, verdict }: PolicyTested): boolean => verdict?.is !== expected;

function resultOf(one: PolicyTested) {
  if (one.file === undefined) return { text: "not tested", tone: "caution" } as const;
  return hasFailed(one) ? ({ text: "FAILED", tone: "bad" } as const) : ({ text: "ok", tone: "good" } as const);
}

function saidOf({ verdict }: PolicyTested): string {
  if (verdict === undefined) return "no plan is recorded beside it";
  return verdict.is === "failed" ? `not evaluated: ${verdict.why}` : verdict.is;
}

/** The report of `policy test`. */
export function policyTestReport(dir: string, tested: readonly PolicyTested[]): Report {
  const failed = tested.filter(hasFailed).length;
  const untested = tested.filter(({ file }) => file === undefined).length;
  const also = untested === 0 ? "" : `, ${counted(untested, "rule")} not tested`;
  return {
    heading: {
      title: `Policies of ${trunc(dir, 600)}`,
      outcome: {
        word: failed === 0 ? "as expected" : `${failed} not as expected`,
        also,
        mark: failed === 0 ? "good" : "bad",
        shown: true,
      },
    },
    sections: section(RANK.outcome, [
      tableOf("Each rule on each recorded plan", tested, { what: "plan" }, [
        ["Rule", ({ rule }) => trunc(rule, 100), { wraps: true }],
        ["Plan", ({ file }) => trunc(file ?? "", 200), { wraps: true }],
        ["Expected", ({ expected }) => expected ?? ""],
        ["Result", resultOf],
        ["Rule says", (one) => trunc(saidOf(one), 500), { wraps: true }],
      ]),
    ]),
  };
}

/** `policy test --format json` (`schemas/policy-test.schema.json`). */
export function policyTestDocument(dir: string, tested: readonly PolicyTested[]) {
  return {
    ...documentOf("PolicyTest"),
    folder: dir,
    ok: !tested.some(hasFailed),
    tests: tested.map(({ rule, file, expected, verdict }) => ({
      rule,
      plan: file ?? null,
      expected: expected ?? null,
      verdict: verdict?.is ?? null,
      why: verdict?.is === "failed" ? verdict.why : null,
    })),
  };
}
