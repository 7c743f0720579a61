// biome-ignore-all lint/suspicious/noTemplateCurlyInString: sources that build commands
/** Every command that the product prints to be pasted is built with the quoting of core/values/shell-word.ts. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "@babel/parser";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { anyOf } from "../../../core/values/regexp.ts";
import { nameOf } from "../../command.ts";
import { cdcctl } from "../../commands/catalogue.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const NOT_PRODUCT = anyOf([
  /\.test\.ts$/,
  /\/testing\/|\/contract\.ts$/,
  /^cmd\/(?:behaviour|bad-input|dev|transcripts)\//,
  /^providers\/(?:sandbox|real)\//,
]);

/** A node of the syntax tree, as far as it is used here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  // biome-ignore lint/suspicious/noExplicitAny: the members depend on the type
  readonly [member: string]: any;
}

interface Source {
  readonly file: string;
  readonly text: string;
  readonly body: readonly Node[];
}

const QUOTING = "core/values/shell-word.ts";
/** Our programs with a subcommand, or another's where a text begins with it. */
const COMMANDS = cdcctl.commands.map(nameOf).join("|");
const OURS = new RegExp(`(?:cdcctl|cdc-admin|srcdb-cdc-doctor) (?:${COMMANDS})(?![\\w-])`);
const OTHERS = anyOf([/^(?:curl|kubectl|chmod|chown|rm|mv|ls|cat) /, /(?:^|\W)kafka-(?:topics|configs)(?:\.sh)? --/]);

const CODE = "a code that cdcctl or the connector's table has";
const PROSE = "prose behind the command";
const ONE_OF = "one of a few words that were checked";

/** Values that nobody quotes, and why none is hostile. */
const HARMLESS: readonly (readonly [file: string, value: string, why: string])[] = [
  ["core/connector-errors.ts", "stop.code", CODE],
  ["core/document/plan-file.ts", "source", CODE],
  ["cmd/views/attempt.ts", "code", CODE],
  ["cmd/views/connectors.ts", "unread.code", CODE],
  ["cmd/views/error-text.ts", "escapeTerminal(error.code)", CODE],
  ["cmd/views/layout.ts", "error.code", CODE],
  ["cmd/views/report/terminal.ts", "code", CODE],
  ["core/document/plan-file.ts", "KINDS[0]", ONE_OF],
  ["cmd/commands/changes.ts", "kind", ONE_OF],
  ["cmd/session/resolved-files.ts", "phase", ONE_OF],
  ["cmd/views/run-kinds.ts", "phase", ONE_OF],
  ["cmd/session/completion-script.ts", "names", "the names of our programs"],
  ["cmd/session/database-login.ts", "variable", "a name that the condition before it has checked"],
  ["cmd/session/plan-report.ts", "approvalSeen(plans)", "a digest"],
  ["cmd/views/journal.ts", "scn", "a number"],
  ["cmd/commands/changes.ts", "planFileToEdit(kind, given)", PROSE],
  ["cmd/views/recorded-move.ts", "insteadFailed", "what core/apply/take-over.ts has built"],
  ["cmd/views/run-kinds.ts", "what", PROSE],
  ["core/kinds/cutover/shown.ts", "name", PROSE],
  ["core/kinds/cutover/shown.ts", "old", PROSE],
  ["cmd/views/run-timeline.ts", "when", PROSE],
];

/** The exceptions that were met. */
const used = new Set<(typeof HARMLESS)[number]>();

const sources = new Map<string, Source>();
function sourceOf(file: string): Source {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const text = readFileSync(join(ROOT, file), "utf8");
  return sourceIn(text, file);
}

function sourceIn(text: string, file: string): Source {
  const { body } = parse(text, { sourceType: "module", plugins: ["typescript", "explicitResourceManagement"] })
    .program as unknown as { readonly body: readonly Node[] };
  const source = { file, text, body };
  sources.set(file, source);
  return source;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;
const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

/** The pieces of a template, or of a sum of texts: strings, and the expressions between them. */
function piecesOf(node: Node): readonly (string | Node)[] {
  if (node.type === "BinaryExpression" && node["operator"] === "+")
    return [...piecesOf(node["left"]), ...piecesOf(node["right"])];
  if (node.type === "StringLiteral") return [node["value"]];
  if (node.type !== "TemplateLiteral") return [node];
  return (node["quasis"] as readonly Node[]).flatMap((quasi, at) => [
    quasi["value"].cooked as string,
    ...((node["expressions"] as readonly Node[])[at] ? [(node["expressions"] as readonly Node[])[at] as Node] : []),
  ]);
}

interface Found {
  readonly source: Source;
  readonly value: Node;
}

/** The members of remedies. */
const remedies = new Set<Node>();

/** The command of a remedy, which has a text as well. */
function commandOf(node: Node): Node | undefined {
  if (node.type !== "ObjectProperty" || node["key"].name !== "command") return undefined;
  return remedies.has(node) ? node["value"] : undefined;
}

/** What stands in a command of a source without being quoted. */
function unquotedIn(source: Source): readonly Found[] {
  const found: Found[] = [];
  const visit = (node: Node, isCommand: boolean): void => {
    const members = node.type === "ObjectExpression" ? (node["properties"] as readonly Node[]) : [];
    if (members.some((member) => member["key"]?.name === "text")) for (const member of members) remedies.add(member);
    const isText = node.type === "TemplateLiteral" || (node.type === "BinaryExpression" && node["operator"] === "+");
    if (isText) {
      const pieces = piecesOf(node);
      let inside = isCommand;
      for (const piece of pieces) {
        if (typeof piece === "string") inside ||= OURS.test(piece) || OTHERS.test(piece);
        else if (inside && !isQuoted(piece, source)) found.push({ source, value: piece });
        if (typeof piece !== "string" && !inside) visit(piece, false);
      }
      return;
    }
    if (isCommand && !isQuoted(node, source)) found.push({ source, value: node });
    for (const child of childrenOf(node)) visit(child, child === commandOf(node));
  };
  for (const node of source.body) visit(node, false);
  return found;
}

/** Whether an expression can only be words that are quoted, or that the product has written itself. */
function isQuoted(node: Node, source: Source, seen: readonly Node[] = []): boolean {
  if (seen.includes(node)) return true;
  const inner = (one: Node) => isQuoted(one, source, [...seen, node]);
  const value = source.text.slice(node.start, node.end);
  const exception = HARMLESS.find(([file, harmless]) => file === source.file && harmless === value);
  if (exception !== undefined) {
    used.add(exception);
    return true;
  }
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
      return true;
    case "TemplateLiteral":
    case "BinaryExpression":
      return piecesOf(node).every((piece) => typeof piece === "string" || inner(piece));
    case "ArrayExpression":
      return (node["elements"] as readonly Node[]).every(inner);
    case "ConditionalExpression":
      return inner(node["consequent"]) && inner(node["alternate"]);
    case "LogicalExpression":
      return inner(node["left"]) && inner(node["right"]);
    case "Identifier": {
      const constant = declared(node["name"], node, source);
      return constant !== undefined && inner(constant);
    }
    case "CallExpression":
      return isQuotedCall(node, source, [...seen, node]);
    default:
      return false;
  }
}

/** A call of a function that gives nothing but quoted words, or a join of such. */
function isQuotedCall({ callee, ...call }: Node, source: Source, seen: readonly Node[]): boolean {
  if (callee.type === "MemberExpression") {
    if (callee.property.name === "join") return isQuoted(callee.object, source, seen);
    if (callee.property.name !== "map" && callee.property.name !== "flatMap") return false;
    const [made] = call["arguments"] as readonly Node[];
    return made !== undefined && givesQuoted(made, source, seen);
  }
  return givesQuoted(callee, source, seen);
}

/** Whether a function, or what a name stands for, gives nothing but quoted words. */
function givesQuoted(node: Node, source: Source, seen: readonly Node[]): boolean {
  if (/^(?:ArrowFunctionExpression|FunctionDeclaration)$/.test(node.type)) {
    if (seen.includes(node)) return true;
    const { body } = node;
    const given = body.type === "BlockStatement" ? returnsOf(body) : [body];
    return given.length > 0 && given.every((one: Node) => isQuoted(one, source, [...seen, node]));
  }
  if (node.type !== "Identifier") return false;
  const found = functionOf(node["name"], source);
  if (found === undefined) return false;
  return found.source.file === QUOTING || givesQuoted(found.node, found.source, seen);
}

function returnsOf(node: Node): readonly Node[] {
  if (node.type === "ReturnStatement") return node["argument"] ? [node["argument"]] : [];
  return /Function/.test(node.type) ? [] : childrenOf(node).flatMap(returnsOf);
}

/** A function of this name in a source, or in the one that it is imported from. */
function functionOf(name: string, source: Source): { readonly node: Node; readonly source: Source } | undefined {
  for (const statement of source.body) {
    const node = (statement["declaration"] as Node | undefined) ?? statement;
    if (node.type === "FunctionDeclaration" && node["id"]?.name === name) return { node, source };
    if (
      node.type === "ImportDeclaration" &&
      (node["specifiers"] as readonly Node[]).some(({ local }) => local.name === name)
    ) {
      const file = join(source.file, "..", node["source"].value);
      return existsSync(join(ROOT, file)) ? functionOf(name, sourceOf(file)) : undefined;
    }
  }
  // Imported late: `const { shellFile } = await import(…)`.
  return new RegExp(`\\{[^}]*\\b${name}\\b[^}]*\\} = await import\\("[./]*${QUOTING}"\\)`).test(source.text)
    ? functionOf(name, sourceOf(QUOTING))
    : undefined;
}

/** What a constant of this name is, in the innermost scope around a node. */
function declared(name: string, at: Node, { body }: Source): Node | undefined {
  let found: Node | undefined;
  const visit = (node: Node): void => {
    if (node.type === "VariableDeclarator" && node["id"].name === name && node["init"]) found = node["init"];
    // Each element of a list: the parameter of a function that it is mapped with.
    if (node.type === "CallExpression" && node["arguments"][0]?.params?.[0]?.name === name)
      found = node["callee"].object;
    for (const child of childrenOf(node))
      if (!/Function/.test(child.type) || (child.start <= at.start && at.end <= child.end)) visit(child);
  };
  for (const node of body) visit(node);
  return found;
}

const commands = suite("the commands that the product builds");

const product = ["core", "cmd", "providers"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith(".ts") && !NOT_PRODUCT.test(name)),
);

commands("hold no value that is not quoted", () => {
  assert.ok(product.length > 400);
  const wrong = product
    .filter((file) => file !== QUOTING)
    .flatMap((file) => unquotedIn(sourceOf(file)))
    .map(({ source: { file, text }, value }) => `${file}: ${text.slice(value.start, value.end)}`);
  assert.equal([...new Set(wrong)], []);
});

const inText = (text: string): readonly string[] =>
  unquotedIn(sourceIn(text, "core/checks/example.ts")).map(({ value }) => text.slice(value.start, value.end));

for (const [what, text, value] of [
  ["a name", "const next = `cdcctl connectors show ${name}`;", "name"],
  [
    "a name behind a quoted one",
    'import { shellFile } from "../values/shell-word.ts"; const next = `cdcctl plan ${shellFile(a)} -o ${b}`;',
    "b",
  ],
  ["a sum of texts", 'const next = "cdcctl recover " + run;', "run"],
  ["a command of another program", "const advice = { text: `Do it`, command: `kubectl get ${name}` };", "name"],
  ["a command that begins with a value", "const advice = { text: `Do it`, command: `${program} ${name}` };", "program"],
  ["a constant that is not quoted", "const own = flags.name; const next = `cdcctl show ${own}`;", "own"],
  [
    "a function that gives one as it is",
    "function of(run) { return run; } const next = `cdcctl show ${of(r)}`;",
    "of(r)",
  ],
  ["a list", 'const next = `cdcctl validate ${files.join(" ")}`;', 'files.join(" ")'],
  ["one of two", "const next = `cdcctl show ${is ? shellWord(a) : b}`;", "is ? shellWord(a) : b"],
  [
    "a function of the same name",
    "const shellWord = (x) => x; const next = `cdcctl show ${shellWord(a)}`;",
    "shellWord(a)",
  ],
] as const)
  commands(`${what} in a command is found`, () => assert.equal([...new Set(inText(text))].slice(0, 1), [value]));

for (const text of [
  'import { shellWord } from "../values/shell-word.ts"; const next = `cdcctl connectors show ${shellWord(name)}`;',
  'import { shellFile } from "../values/shell-word.ts"; const next = `cdcctl plan ${files.map(shellFile).join(" ")}`;',
  "const message = `this cdcctl reads up to ${version}`;",
  "const message = `${name} was not planned: run cdcctl plan`;",
])
  commands(`nothing is found in: ${text}`, () => assert.equal(inText(text), []));

commands("need each exception that is made for them", () => {
  for (const file of product) unquotedIn(sourceOf(file));
  assert.equal(
    HARMLESS.filter((row) => !used.has(row)).map(([file, value]) => `${file}: ${value}`),
    [],
  );
});

commands.run();
