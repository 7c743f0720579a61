import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "@babel/parser";
import { anyOf } from "../../core/values/regexp.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The formatter's line width, `biome.json`. */
const WIDTH = 120;

/** One figure of the sources, with what it is to come down to. */
export interface Figure {
  readonly what: string;
  readonly aim: number;
  /** Where the aim is missed: what the figure may not rise above again, and why it is where it is. */
  readonly missed?: { readonly held: number; readonly why: string };
  readonly count: (sources: Sources) => number;
}

/** Paths from the root, with the text of each. */
type Sources = ReadonlyMap<string, string>;

/** Lines of one function, at most. */
const LONGEST = 120;
/** Lines of a scope in which a variable need not say what it is. */
const AT_A_GLANCE = 12;
const VAGUE = ["at", "one", "of"];

const NOT_PRODUCT = anyOf([
  /\.test\.ts$/,
  /\/(?:testing|testdata|generated)\//,
  /contract\.ts$/,
  /^cmd\/(?:behaviour|transcripts|bad-input|dev)\//,
  /^providers\/(?:sandbox|real)\//,
]);
const TESTING = /\/testing\/|^cmd\/(?:behaviour|transcripts|bad-input)\/|^providers\/real\//;
const REVIEW = /\/(?:approvals|forges|policies|watching)\//;
/** The second legacy connector, the table that tells the two apart, and the audit that comes before a migration. */
const DEBEZIUM = /\/(?:audit|debezium)\/|\/(?:legacy-kind|foreign-connectors)\.ts$/;
const REVIEW_SCHEMA = /\/(?:approval|policy)[^/]*$/;
const isProduct = (path: string): boolean => /^(?:core|providers|cmd)\//.test(path) && !NOT_PRODUCT.test(path);
/** What serves the review of changes; it came after the aim of the other product lines, and has a figure of its own. */
const isReview = (path: string): boolean => REVIEW.test(path) && isProduct(path);
const isDebezium = (path: string): boolean => DEBEZIUM.test(path) && isProduct(path);
/** What came after the aims were set, each with a figure of its own. */
const isLater = (path: string): boolean => isReview(path) || isDebezium(path);
const linesIn = (text: string): number => text.split("\n").length - 1;

const total = (sources: Sources, within: (path: string) => boolean): number =>
  [...sources].reduce((sum, [path, text]) => sum + (within(path) ? linesIn(text) : 0), 0);

export const FIGURES: readonly Figure[] = [
  {
    what: "product lines",
    aim: 52500,
    missed: {
      held: 82902,
      why: "workers, a second operator, trust, clusters and threads that read came after the aim was set",
    },
    count: (sources) => total(sources, (path) => isProduct(path) && !isLater(path)),
  },
  {
    what: "product lines of forges, policies, approvals and watching",
    aim: 4000,
    count: (sources) => total(sources, isReview),
  },
  {
    what: "product lines of the second legacy connector and the audit",
    aim: 3500,
    count: (sources) => total(sources, isDebezium),
  },
  {
    what: "product files",
    aim: 500,
    missed: { held: 600, why: "the same" },
    count: (sources) => [...sources.keys()].filter((path) => isProduct(path) && !isLater(path)).length,
  },
  {
    what: "lines of builders, behaviour suites and real services",
    aim: 12500,
    missed: { held: 19800, why: "the suites of hostile input and the soak came after the aim was set" },
    count: (sources) =>
      total(
        sources,
        (path) => TESTING.test(path) && !REVIEW.test(path) && !DEBEZIUM.test(path) && !path.endsWith(".test.ts"),
      ),
  },
  {
    what: "lines of core/patterns",
    aim: 400,
    count: (sources) => total(sources, (path) => isProduct(path) && path.startsWith("core/patterns/")),
  },
  {
    what: "files that the smallest check of an offset change reaches",
    aim: 30,
    count: (sources) => reachedFrom("core/checks/offset-target.ts", sources).size,
  },
  ...Object.entries({ explain: 80, validate: 200, plan: 450 }).map(([command, aim]) => ({
    what: `files that ${command} reaches, types and lazy imports included`,
    aim,
    count: (sources: Sources) => [...reachedFrom(`cmd/commands/${command}.ts`, sources)].filter(isProduct).length,
  })),
  {
    what: "lines of the views",
    aim: 4900,
    missed: { held: 8033, why: "JSON documents and the sentences of each subject are most of it" },
    count: (sources) => total(sources, (path) => isProduct(path) && !isLater(path) && path.startsWith("cmd/views/")),
  },
  {
    what: "lines of hand-written JSON Schema",
    aim: 7000,
    count: (sources) => total(sources, (path) => path.startsWith("schemas/") && !REVIEW_SCHEMA.test(path)),
  },
  {
    what: "lines over the formatter's width",
    aim: 0,
    count: (sources) =>
      [...sources]
        .filter(([path]) => path.endsWith(".ts"))
        .reduce((sum, [, text]) => sum + text.split("\n").filter((line) => line.length > WIDTH).length, 0),
  },
  {
    what: `functions of more than ${LONGEST} lines`,
    aim: 0,
    count: (sources) =>
      [...sources].filter(([path]) => isProduct(path)).flatMap(([, text]) => longFunctions(text)).length,
  },
  {
    what: `variables named at, one or of in scopes of more than ${AT_A_GLANCE} lines`,
    aim: 0,
    count: (sources) =>
      [...sources]
        .filter(([path]) => path.endsWith(".ts") && !/\.test\.ts$|\/(?:testing|testdata|generated)\//.test(path))
        .flatMap(([path, text]) => vagueNames(text).map((name) => `${path}: ${name}`)).length,
  },
  {
    what: "what a kind of change is asked (members of Kind)",
    aim: 9,
    count: (sources) => membersOf("Kind", sources.get("core/kinds/kind.ts") ?? ""),
  },
  { what: "cycles of imports between folders", aim: 0, count: (sources) => cyclesBetweenFolders(sources).length },
  { what: "two-way pairs of folders in core", aim: 0, count: (sources) => twoWayPairs(sources).length },
];

let read: Sources | undefined;

export function measure({ count }: Figure): number {
  read ??= readSources();
  return count(read);
}

function readSources(): Sources {
  const within = ["core", "providers", "cmd"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
  const schemas = readdirSync(join(ROOT, "schemas")).filter((name) => name.endsWith(".json"));
  const paths = [...within, ...schemas.map((name) => join("schemas", name))];
  return new Map(paths.sort().map((path) => [path, readFileSync(join(ROOT, path), "utf8")]));
}

/** What a file imports of the project, types included. */
function importsOf(path: string, sources: Sources): readonly string[] {
  const text = sources.get(path) ?? "";
  return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)]
    .map(([, to = ""]) => relative(ROOT, resolve(ROOT, dirname(path), to)))
    .filter((to) => sources.has(to) || existsSync(join(ROOT, to)));
}

/** The file itself, and all that it reaches. */
function reachedFrom(path: string, sources: Sources): ReadonlySet<string> {
  if (!sources.has(path)) throw new Error(`there is no ${path}`);
  const reached = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    open.push(...importsOf(next, sources));
  }
  return reached;
}

/** Groups of product files of different folders that reach each other. */
export function cyclesBetweenFolders(sources: Sources): readonly (readonly string[])[] {
  return knots([...sources.keys()].filter(isProduct), (path) => importsOf(path, sources).filter(isProduct)).filter(
    (knot) => new Set(knot.map((path) => dirname(path))).size > 1,
  );
}

/** @returns how many members an interface declares */
export function membersOf(name: string, text: string): number {
  const declared = syntaxOf(text)
    .program.body.map((statement) => ("declaration" in statement ? statement.declaration : statement))
    .find((one) => one?.type === "TSInterfaceDeclaration" && one.id.name === name);
  if (declared?.type !== "TSInterfaceDeclaration") throw new Error(`there is no interface ${name}`);
  return declared.body.body.length;
}

/** @returns how many lines each function has that has too many */
export function longFunctions(text: string): readonly number[] {
  const found: number[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    if (!isNode(node)) return;
    const { type, loc } = node;
    const lines = loc.end.line - loc.start.line + 1;
    // Nothing in a shorter one is longer.
    if (type !== "File" && lines <= LONGEST) return;
    if (/Function|Method/.test(type)) found.push(lines);
    for (const [name, value] of Object.entries(node)) if (name !== "loc") visit(value);
  };
  visit(syntaxOf(text));
  return found;
}

/**
 * Variables and parameters with a name that does not say what they are, where its scope goes on for more lines than a
 * reader sees at a glance. Members of objects are not variables: `{ at: startedAt }` binds `startedAt`.
 *
 * @returns each name with the line that declares it
 */
export function vagueNames(text: string): readonly string[] {
  const found: string[] = [];
  const note = (patterns: unknown, { end }: SourceLocation): void => {
    for (const { name, loc } of boundBy(patterns))
      if (VAGUE.includes(String(name)) && end.line - loc.start.line + 1 > AT_A_GLANCE)
        found.push(`${name} in line ${loc.start.line}`);
  };
  const visit = (node: unknown, scope: SourceLocation): void => {
    if (Array.isArray(node)) for (const child of node) visit(child, scope);
    if (!isNode(node)) return;
    const { type, loc } = node;
    const isFunction = /Function|Method/.test(type);
    if (type === "VariableDeclaration") note(node["declarations"], scope);
    if (isFunction) note(node["params"], loc);
    // Scopes within a short node are short.
    if (type !== "File" && loc.end.line - loc.start.line < AT_A_GLANCE) return;
    const inner = isFunction || /^(?:BlockStatement|CatchClause|For(?:In|Of)?Statement)$/.test(type) ? loc : scope;
    for (const [name, value] of Object.entries(node)) if (name !== "loc") visit(value, inner);
  };
  const file = syntaxOf(text);
  if (isNode(file)) visit(file, file.loc);
  return found;
}

/** Identifiers that declarators, parameters and the patterns in them bind. */
function boundBy(pattern: unknown): readonly SyntaxNode[] {
  if (Array.isArray(pattern)) return pattern.flatMap(boundBy);
  if (!isNode(pattern)) return [];
  if (pattern.type === "Identifier") return [pattern];
  return ["id", "properties", "elements", "left", "argument", "value", "parameter"].flatMap((member) =>
    boundBy(pattern[member]),
  );
}

const syntaxOf = (text: string) =>
  parse(text, { sourceType: "module", plugins: ["typescript", "importAttributes", "explicitResourceManagement"] });

interface SyntaxNode {
  readonly type: string;
  readonly loc: SourceLocation;
  readonly [member: string]: unknown;
}

interface SourceLocation {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === "object" && value !== null && "type" in value && "loc" in value;

/** Folders of core, beside each other, of which each imports the other: `core/checks <> core/kinds`. */
export function twoWayPairs(sources: Sources): readonly string[] {
  const inCore = [...sources.keys()].filter((path) => path.startsWith("core/") && isProduct(path));
  const arrows = new Set(
    inCore.flatMap((path) =>
      importsOf(path, sources).flatMap((to) => {
        const [from, into] = [path.split("/"), to.split("/")];
        const parted = from.findIndex((name, at) => name !== into[at]);
        const isFile = parted === from.length - 1 || parted === into.length - 1;
        return isFile ? [] : [[from, into].map((parts) => parts.slice(0, parted + 1).join("/")).join(" <> ")];
      }),
    ),
  );
  return [...arrows].filter((arrow) => {
    const [from = "", into = ""] = arrow.split(" <> ");
    return from < into && arrows.has(`${into} <> ${from}`);
  });
}

/** Strongly connected parts of more than one file: Tarjan's algorithm. */
function knots(paths: readonly string[], next: (path: string) => readonly string[]): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (path: string): void => {
    index.set(path, index.size);
    lowest.set(path, index.get(path) ?? 0);
    stack.push(path);
    for (const to of next(path)) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) lowest.set(path, Math.min(lowest.get(path) ?? 0, lowest.get(to) ?? 0));
    }
    if (lowest.get(path) !== index.get(path)) return;
    const knot = stack.splice(stack.indexOf(path));
    if (knot.length > 1) found.push(knot);
  };
  for (const path of paths) if (!index.has(path)) visit(path);
  return found;
}
