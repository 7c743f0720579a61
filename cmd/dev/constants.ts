import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "@babel/parser";

/** A node of the syntax tree, as far as it is used here. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/**
 * Makes constants of the variables of modules in this folder. esbuild declares the constants and classes of the modules
 * that it bundles with `var`; Node.js compiles their values into functions only if they are declared as constants,
 * which makes hot loops up to a third faster.
 */
export async function declareConstants(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => /\.c?js$/.test(one))) {
    const path = join(folder, name);
    await writeFile(path, withConstants(await readFile(path, "utf8")));
  }
}

/** @returns the program, with `const` for what is declared with `var` outside of functions and never assigned again */
export function withConstants(program: string): string {
  const { body } = parse(program, { sourceType: "unambiguous" }).program as unknown as {
    readonly body: readonly Node[];
  };
  const assigned = assignedIn(body);
  let [text, at] = ["", 0];
  for (const declaration of body.filter(({ type, kind }) => type === "VariableDeclaration" && kind === "var")) {
    text += program.slice(at, declaration.start);
    for (const one of declaration["declarations"] as readonly Node[]) {
      const isConstant = one["init"] !== null && !namesIn(one["id"] as Node).some((name) => assigned.has(name));
      text += `${isConstant ? "const" : "var"} ${program.slice(one.start, one.end)};`;
    }
    at = declaration.end;
  }
  return text + program.slice(at);
}

/** The names that are assigned anywhere, also those of other variables with the same name, or are declared twice. */
function assignedIn(body: readonly Node[]): ReadonlySet<string> {
  const names = new Set<string>();
  const declared = new Set<string>();
  const visit = (node: Node): void => {
    const { type, left, argument } = node as Node & { readonly left?: Node; readonly argument?: Node };
    const into = type === "UpdateExpression" ? argument : left;
    const assigns = /^(?:AssignmentExpression|UpdateExpression|For(?:In|Of)Statement)$/.test(type);
    if (assigns && into !== undefined && into.type !== "VariableDeclaration")
      for (const name of namesIn(into)) names.add(name);
    for (const one of Object.values(node).flat()) if (isNode(one)) visit(one);
  };
  for (const node of body) {
    visit(node);
    const declarations = node.type === "VariableDeclaration" ? (node["declarations"] as readonly Node[]) : [node];
    for (const { id } of declarations)
      for (const name of new Set(isNode(id) ? namesIn(id) : [])) {
        if (declared.has(name)) names.add(name);
        declared.add(name);
      }
  }
  return names;
}

/** The names in a pattern, and in what it computes. */
function namesIn(pattern: Node): readonly string[] {
  if (pattern.type === "Identifier") return [pattern["name"] as string];
  return Object.values(pattern)
    .flat()
    .flatMap((one) => (isNode(one) ? namesIn(one) : []));
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
