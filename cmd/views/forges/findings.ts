import type { Finding } from "../../../core/checks/finding.ts";
import type { PreflightFinding } from "../../../core/doctor/preflight.ts";
import type { Intent } from "../../../core/document/intent.ts";
import type { YamlNode } from "../../../core/document/tree.ts";
import { readYaml } from "../../../core/document/yaml-tree.ts";
import type { Plan } from "../../../core/plan/plan.ts";
import type { PlannedStep, StepName } from "../../../core/plan/steps.ts";
import { lineOf } from "../../../core/values/remedy.ts";
import type { Place } from "../error-text.ts";
import { jsonText } from "../json-text.ts";
import type { UnplannedView, Unsettled } from "../plan.ts";
import type { Rendered } from "../rendered.ts";
import { type Judged, judgedError } from "./forms.ts";

const GRADE_OF_EFFECT = { blocks: "error", warns: "warning", accepted: "accepted", none: "passed" } as const;

/**
 * What planning found, a finding each: at the key that decides it, else at the name of the connector.
 *
 * @param texts of the plan files
 */
export function judgedPlans(
  {
    plans,
    unplanned,
    unsettled,
  }: {
    readonly plans: readonly Plan[];
    readonly unplanned: readonly UnplannedView[];
    readonly unsettled: readonly Unsettled[];
  },
  texts: ReadonlyMap<string, string>,
): readonly Judged[] {
  const places = new Map([...texts].map(([file, text]) => [file, placesIn(text, file)]));
  const placed = ({ origin }: Pick<Intent, "origin">, path: string, known?: Finding["at"]): Place => {
    const { file = origin.file, line = origin.lines[path] } = known ?? {};
    // A key that is not there is missed where it would stand.
    const isAt = (one: KeyPlace) => one.line === Number(line) && `${path}.`.startsWith(`${one.path}.`);
    const at = places.get(file ?? "")?.findLast(isAt);
    return { file, line, column: at?.column };
  };
  const atTarget = (intent: Pick<Intent, "origin">) => placed(intent, "target.connector");
  return [
    ...unsettled.map(({ plan: { intent }, code, seen: text, remedies, connector }) => ({
      ...{ code, title: "", grade: "error" as const, text, remedies, subject: connector, place: atTarget(intent) },
    })),
    ...plans.flatMap(({ intent, findings }) =>
      findings.map(({ code, title, effect, seen, remedies, at }) => ({
        ...{ code, title, remedies, path: at?.path, subject: intent.metadata.name, text: seen ?? title },
        grade: GRADE_OF_EFFECT[effect],
        // A policy has a file of its own.
        place: at?.line === undefined ? atTarget(intent) : placed(intent, at.path, at),
      })),
    ),
    ...unplanned.flatMap(({ intent, own }) => judgedError(own, intent.metadata.name, atTarget(intent))),
  ];
}

const GRADE_OF_LEVEL = { blocking: "error", unknown: "error", warning: "warning", fine: "passed" } as const;

/**
 * What a preflight found, a finding each: at the setting that it or one of its remedies names, else at the beginning.
 *
 * @param text of the file; undefined if a worker or standard input gave the configuration
 */
export function judgedPreflight(
  findings: readonly PreflightFinding[],
  subject: string,
  file: string,
  text: string | undefined,
): readonly Judged[] {
  const places = text === undefined ? [] : placesIn(text, file);
  const placeOf = (said: string) => {
    for (const [setting] of said.matchAll(/\b[a-z][\w-]*(?:\.[\w-]+)+/g)) {
      const at = places.find(({ path }) => path === setting || path === `config.${setting}`);
      if (at !== undefined) return at;
    }
    return { file, line: 1, column: 1 };
  };
  return findings.map(({ code, title, level, seen, remedies }) => ({
    ...{ code, title, remedies, subject, text: seen, grade: GRADE_OF_LEVEL[level] },
    place: text === undefined ? undefined : placeOf([seen, ...remedies.map(lineOf)].join("\n")),
  }));
}

type KeyPlace = { readonly path: string; readonly file: string; readonly line: number; readonly column: number };

/** Where each key stands in YAML or JSON, and in what is neither, Java properties. */
export function placesIn(text: string, file: string): readonly KeyPlace[] {
  const places: KeyPlace[] = [];
  const visit = (node: YamlNode, path: string): void => {
    if (node.form === "scalar") return;
    const children =
      node.form === "map"
        ? node.entries
        : node.items.map((value, at) => ({ key: String(at), place: value.place, value }));
    for (const { key, place, value } of children) {
      const own = path === "" ? key : `${path}.${key}`;
      places.push({ path: own, ...place });
      visit(value, own);
    }
  };
  for (const document of readYaml(text, file).documents) visit(document, "");
  if (places.length > 0) return places;
  return text.split(/\r\n|\r|\n/).flatMap((line, at) => {
    const [, before = "", path] = /^(\s*"?)([\w.-]+)"?\s*[=:]/.exec(line) ?? [];
    return path === undefined ? [] : [{ path, file, line: at + 1, column: before.length + 1 }];
  });
}

/** What of the steps lasts; to stop, to start and to record only leads there. */
const LASTING: { readonly [step in StepName]?: "create" | "update" | "delete" } = {
  "create-connector": "create",
  "patch-offset": "update",
  "write-signal": "update",
  "resume-legacy": "update",
  "remove-records": "delete",
  "delete-offsets": "delete",
  "delete-connector": "delete",
  "delete-topics": "delete",
};

/** GitLab's Terraform report, from which a merge request shows three counts. */
export function terraformReport(plans: readonly Pick<Plan, "steps" | "outcome">[]): Rendered {
  const steps: readonly PlannedStep[] = plans.flatMap((plan) => (plan.outcome.state === "ready" ? plan.steps : []));
  const count = (what: string) => BigInt(steps.filter(({ step }) => LASTING[step] === what).length);
  return jsonText({ create: count("create"), update: count("update"), delete: count("delete") });
}
