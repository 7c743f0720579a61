import { Environment } from "@marcbachmann/cel-js";
import { type Decimal, isDecimal, type Json } from "../values/json.ts";

/** What an expression may hold. Nested loops multiply: time is bounded by the thread that evaluates it. */
const LIMITS = { maxAstNodes: 2_000, maxDepth: 100, maxListElements: 1_000, maxMapEntries: 100, maxCallArguments: 32 };

const environment = new Environment({ limits: LIMITS })
  .registerVariable("plan", "map")
  .registerVariable("now", "google.protobuf.Timestamp");

/** What the expressions of a rule see. */
export interface Scope {
  /** The plan as `cdcctl plan --format json` prints it. */
  readonly plan: object;
  readonly now: Date;
}

/** @returns why a text is not a condition: its syntax, a name that does not exist, or what it results in */
export function faultOf(condition: string): string | undefined {
  const { valid, type, error } = environment.check(condition);
  if (!valid) return firstLine(error?.message ?? "it is not an expression");
  return type === undefined || ["bool", "dyn"].includes(String(type))
    ? undefined
    : `it results in ${type}, not in true or false`;
}

/** @throws Error saying why the condition has no result for this plan */
export function holds(condition: string, { plan, now }: Scope): boolean {
  let result: unknown;
  try {
    result = environment.evaluate(condition, { plan: integersIn(plan), now });
  } catch (error) {
    throw new Error(firstLine(error instanceof Error ? error.message : String(error)));
  }
  if (typeof result !== "boolean") throw new Error("it results in neither true nor false");
  return result;
}

/** The first line: others repeat the expression, which has its place. */
function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? "";
}

/** Whole numbers as integers: the package takes a JavaScript number for a double. What is undefined is absent. */
function integersIn(value: unknown): unknown {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(integersIn);
  // A copy of one, in another thread, has only its members.
  if (isDecimal(value as Json)) return Number((value as Decimal).value);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([key, member]) => [key, integersIn(member)]));
}
