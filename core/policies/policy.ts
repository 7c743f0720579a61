import type { Policy } from "../../schemas/generated/policy.ts";
import policySchema from "../../schemas/policy.schema.json" with { type: "json" };
import { problemsOf, type Schema } from "../document/schema.ts";
import { plainValue, type YamlNode } from "../document/tree.ts";
import { readYaml } from "../document/yaml-tree.ts";
import { type Problem, UsageError } from "../errors.ts";
import { faultOf } from "./expression.ts";

/** A rule on plans, with where it is written. */
export interface Rule extends Policy {
  readonly file: string;
  /** Line of each condition, 1-based. */
  readonly lines: Readonly<Partial<Record<Condition, number>>>;
}

const CONDITIONS = ["when", "deny", "warn"] as const;

type Condition = (typeof CONDITIONS)[number];

const SCHEMA: Schema = policySchema;

/**
 * Reads the file of one rule.
 *
 * @param file as named in problems and findings
 * @throws UsageError with all problems of the file, each with line and column; a condition that can never be evaluated
 * is one
 */
export function parsePolicy(text: string, file: string): Rule {
  const { documents, problems: syntax } = readYaml(text, file);
  const [document, second] = documents;
  if (syntax.length > 0) throw new UsageError(syntax);
  if (document === undefined)
    throw new UsageError({ message: "the file holds no rule", remedy: "See `cdcctl schema Policy`.", file });
  if (second !== undefined)
    throw new UsageError({
      message: "a file holds one rule, and this one has several documents",
      remedy: "Write each into a file of its own.",
      ...second.place,
    });
  const problems = [...problemsOf(document, SCHEMA), ...conditionsOf(document).flatMap(problemOf)];
  if (problems.length > 0) throw new UsageError(problems);
  const lines = Object.fromEntries(conditionsOf(document).map(({ name, line }) => [name, line]));
  return { ...(plainValue(document) as Policy), file, lines };
}

interface Written {
  readonly name: Condition;
  readonly line: number;
  readonly value: YamlNode;
}

function conditionsOf(document: YamlNode): readonly Written[] {
  const entries = document.form === "map" ? document.entries : [];
  return CONDITIONS.flatMap((name) =>
    entries.filter(({ key }) => key === name).map(({ place, value }) => ({ name, line: place.line, value })),
  );
}

function problemOf({ name, value }: Written): readonly Problem[] {
  const fault = value.form === "scalar" && typeof value.value === "string" ? faultOf(value.value) : undefined;
  return fault === undefined
    ? []
    : [
        {
          message: `${name} is not a condition: ${fault}`,
          remedy: "Write it in CEL, over plan and now.",
          ...value.place,
        },
      ];
}
