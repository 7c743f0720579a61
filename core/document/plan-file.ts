import { type Problem, UsageError } from "../errors.ts";
import { showBytes, showCount } from "../values/amounts.ts";
import { nearest } from "../values/nearest.ts";
import { quote } from "./formats.ts";
import { type Intent, type Kind, MIGRATION_PHASES, type MigrationPhase, type Origin } from "./intent.ts";
import { DOCUMENT_KINDS, isKind, KINDS } from "./kinds.ts";
import { codePoint, NO_BREAK_SPACE, NOT_IN_LINES } from "./printable.ts";
import { problemsOf } from "./schema.ts";
import { linesOf, type Place, plainValue, type YamlNode, type YamlScalar } from "./tree.ts";
import { readYaml } from "./yaml-tree.ts";

/** Callers that read plan files from a disk check the size first. */
export const MAX_PLAN_FILE_BYTES = 1024 * 1024;

/** More problems than a person reads at once. */
const MAX_PROBLEMS = 50;

export interface PlanFileOptions {
  /** The phase of its migrations, whatever the file contains; a document of another kind is refused then. */
  readonly phase?: MigrationPhase | undefined;
  /**
   * Codes that `spec.accept` may name, those of notices, which block nothing, and those of findings that cannot be
   * accepted. If omitted, codes are not checked.
   */
  readonly codes?: {
    readonly acceptable: readonly string[];
    readonly notices?: readonly string[];
    readonly others: readonly string[];
  };
}

/**
 * Reads a plan file: one or several YAML documents; empty ones are skipped.
 *
 * @param file as given on the command line; named in every problem and in the intents' origins
 * @throws UsageError with all problems of the file, each with line and column
 */
export function parsePlanFile(
  text: string,
  file: string,
  { codes, phase }: PlanFileOptions = {},
): { readonly intents: readonly Intent[] } {
  if (text.length > MAX_PLAN_FILE_BYTES)
    throw new UsageError({
      message: `a plan file has at most ${showBytes(MAX_PLAN_FILE_BYTES)}, and this one has more`,
      remedy: "Check that it is the right file. Split a long plan file into several.",
      file,
    });
  const binary = notText(text, file);
  if (binary !== undefined) throw new UsageError(binary);

  const { documents, problems: syntax } = readYaml(text, file);
  const problems: Problem[] = [...syntax];
  if (documents.length === 0 && problems.length === 0)
    problems.push({
      message: text.trim() === "" ? "the file is empty" : "the file holds no document, only comments or ---",
      remedy: `Start from a template:  cdcctl init ${KINDS[0]}`,
      file,
      line: 1,
      column: 1,
    });

  const intents: Intent[] = [];
  for (const written of documents) {
    const { document, phaseOfFile, problem } = inPhase(phase, written);
    if (problem !== undefined) problems.push(problem);
    const origin = (): Origin => ({
      ...{ by: "plan file", file, lines: linesOf(document) },
      ...(phaseOfFile === undefined ? {} : { phaseOfFile }),
    });
    const read = readDocument(document, origin, codes);
    if ("problems" in read) for (const one of read.problems) problems.push(one);
    else if (syntax.length === 0 && problem === undefined) intents.push(read.intent);
  }
  if (problems.length > 0) throw new UsageError(inOrder(problems, file));
  return { intents };
}

/**
 * Replaces or adds a document's phase. A value that is not a phase is left for its schema to report.
 *
 * @param phase `--phase`
 */
function inPhase(
  phase: MigrationPhase | undefined,
  document: YamlNode,
): { readonly document: YamlNode; readonly phaseOfFile?: MigrationPhase; readonly problem?: Problem } {
  const kind = kindOf(document);
  if (phase === undefined || kind === undefined) return { document };
  if (kind !== "Migration") {
    const message = `--phase ${phase} is for plan files of kind Migration; this one is of kind ${kind}`;
    return { document, problem: { message, remedy: "Leave out --phase.", ...document.place } };
  }
  const spec = child(document, "spec");
  const written = spec === undefined ? undefined : child(spec, "phase");
  const phaseOfFile = MIGRATION_PHASES.find((one) => written?.form === "scalar" && written.value === one);
  if (spec?.form !== "map" || phaseOfFile === phase || (written !== undefined && phaseOfFile === undefined))
    return { document };
  const value: YamlScalar = {
    form: "scalar",
    place: (written ?? spec).place,
    value: phase,
    source: phase,
    quoted: false,
  };
  const withPhase = withEntry(document, "spec", withEntry(spec, "phase", value));
  return phaseOfFile === undefined ? { document: withPhase } : { document: withPhase, phaseOfFile };
}

/** A map with one of its values replaced or added. */
function withEntry(node: YamlNode, key: string, value: YamlNode): YamlNode {
  if (node.form !== "map") return node;
  const place = node.entries.findLast((entry) => entry.key === key)?.place ?? value.place;
  return { ...node, entries: [...node.entries.filter((entry) => entry.key !== key), { key, place, value }] };
}

/**
 * Converts a document to an intent; the only way to do so. Checks its schema, that it contains no reference, and that
 * it accepts only acceptable codes.
 *
 * @param origin called only if there are no problems
 */
export function readDocument(
  document: YamlNode,
  origin: () => Origin,
  codes: PlanFileOptions["codes"],
): { readonly intent: Intent } | { readonly problems: readonly Problem[] } {
  const kind = kindOf(document);
  if (kind === undefined) return { problems: problemsOfStranger(document) };
  const { schema, intent } = DOCUMENT_KINDS[kind];
  const problems = [...problemsOf(document, schema), ...references(document), ...accepted(document, codes)];
  return problems.length > 0 ? { problems } : { intent: intent(plainValue(document), origin()) };
}

/**
 * Refuses two changes to one connector, since each would be planned from an offset that the other one moves.
 *
 * @param intents of all plan files given
 * @throws UsageError naming both places
 */
export function checkTogether(intents: readonly Intent[]): void {
  const first = new Map<string, Intent>();
  const problems: Problem[] = [];
  for (const intent of intents) {
    const { context, connectUrl, connector } = intent.target;
    const key = JSON.stringify([
      context ?? null,
      connectUrl === undefined ? null : new URL(connectUrl).href.replace(/\/+$/, ""),
      connector,
    ]);
    const before = first.get(key);
    if (before === undefined) first.set(key, intent);
    else
      problems.push({
        message:
          `${quote(connector)} is the target twice: here, and at ` +
          `${placeOf(before).file ?? "the command line"}:${placeOf(before).line ?? 1}`,
        remedy: "Keep one change a connector; apply the other when this one is done.",
        ...placeOf(intent),
      });
  }
  if (problems.length > 0) throw new UsageError(problems);
}

function placeOf({ origin }: Intent): { readonly file?: string; readonly line?: number } {
  const line = origin.lines["target.connector"];
  return {
    ...(origin.file === undefined ? {} : { file: origin.file }),
    ...(line === undefined ? {} : { line: Number(line) }),
  };
}

/** A comment, up to a control character, or to one that turns what a reviewer reads around. */
const COMMENT = /(?<=^|\s)#[^\p{Cc}\ufffd\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*/gmu;

function notText(text: string, file: string): Problem | undefined {
  const found = NOT_IN_LINES.exec(text.replace(/^\ufeff/, " ").replace(COMMENT, ({ length }) => " ".repeat(length)));
  if (found === null) return undefined;
  const before = text.slice(0, found.index).split(/\r\n|\r|\n/);
  const place = { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  if (found[0] === "\0" || found[0] === "\ufffd")
    return { message: "the file is not valid UTF-8", remedy: "Save the plan file as UTF-8 text.", ...place };
  const code = codePoint(found[0]);
  return found[0] === NO_BREAK_SPACE
    ? { message: `a no-break space (${code}), which YAML takes for a letter`, remedy: "Type a blank.", ...place }
    : { message: `a character that can't be seen (${code})`, remedy: "Remove it.", ...place };
}

function child(node: YamlNode, key: string): YamlNode | undefined {
  return node.form === "map" ? node.entries.findLast((entry) => entry.key === key)?.value : undefined;
}

function kindOf(document: YamlNode): Kind | undefined {
  const kind = child(document, "kind");
  return kind?.form === "scalar" && isKind(kind.value) ? kind.value : undefined;
}

/** A document of unknown kind has only this problem. */
function problemsOfStranger(document: YamlNode): readonly Problem[] {
  const meant = (kind: YamlNode | undefined): string | undefined =>
    kind?.form === "scalar" ? nearest(kind.source, KINDS) : undefined;
  const kind = child(document, "kind");
  const suggestion = meant(kind);
  const problems = problemsOf(document, STRANGER);
  return problems.map((problem) =>
    suggestion !== undefined && problem.message.startsWith("kind ")
      ? { ...problem, remedy: `Write:  kind: ${suggestion}` }
      : problem,
  );
}

const STRANGER = {
  type: "object",
  required: ["apiVersion", "kind"],
  properties: {
    apiVersion: { type: "string", const: "cdcctl/v1" },
    kind: { type: "string", enum: KINDS, examples: KINDS },
  },
} as const;

/**
 * A user who may edit a plan file must not make cdcctl (or a worker) read a secret, so nothing in it may be a
 * reference, not even where it would be harmless.
 */
function references(root: YamlNode): readonly Problem[] {
  const problems: Problem[] = [];
  const check = (text: string, place: Place): void => {
    if (text.includes("${"))
      problems.push({
        message: `${quote(text)} holds a reference (\${…}), which a plan file must not`,
        remedy: "Write the value itself; secrets belong in the contexts file.",
        ...place,
      });
  };
  const visit = (node: YamlNode): void => {
    if (node.form === "scalar") check(node.source, node.place);
    else if (node.form === "list") node.items.forEach(visit);
    else
      for (const { key, place, value } of node.entries) {
        check(key, place);
        visit(value);
      }
  };
  visit(root);
  return problems;
}

function accepted(document: YamlNode, codes: PlanFileOptions["codes"]): readonly Problem[] {
  const accept = child(child(document, "spec") ?? document, "accept");
  if (codes === undefined || accept?.form !== "list") return [];
  return accept.items
    .filter((item): item is YamlScalar => item.form === "scalar" && /^[A-Z]{3}\d{3}$/.test(item.source))
    .flatMap(({ source, place }): Problem[] => {
      if (codes.acceptable.includes(source)) return [];
      const meant = nearest(source, codes.acceptable);
      const [why, remedy] = codes.notices?.includes(source)
        ? ["is a notice: it blocks nothing", "Remove it."]
        : codes.others.includes(source)
          ? ["can't be accepted", `Remove it. What to do about the finding:  cdcctl explain ${source}`]
          : [
              "is not a known check",
              `${meant === undefined ? "" : `Did you mean ${meant}? `}List the codes:  cdcctl explain`,
            ];
      return [{ message: `spec.accept names ${source}, which ${why}`, remedy, ...place }];
    });
}

function inOrder(problems: readonly Problem[], file: string): readonly Problem[] {
  const sorted = [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  if (sorted.length <= MAX_PROBLEMS) return sorted;
  return [
    ...sorted.slice(0, MAX_PROBLEMS),
    { message: `… and ${showCount(sorted.length - MAX_PROBLEMS)} more problems`, remedy: "Fix these first.", file },
  ];
}
