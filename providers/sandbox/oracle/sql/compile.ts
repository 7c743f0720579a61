/** Compiles expressions to functions of a row; names and types are resolved before the first row. */
import type { Bind } from "../options.ts";
import { OraError } from "../ora-error.ts";
import { declaredType, type Value } from "../values.ts";
import { AGGREGATES, functionNamed, PSEUDO_COLUMNS } from "./functions.ts";
import { epochOf, isMoment, parseMoment, zoneMinutes } from "./moment.ts";
import { type Compiled, compileColumn, type Frame, type Scope, type Shape } from "./scope.ts";
import type { Expression } from "./syntax.ts";
import { arithmetic, asNumber, asText, compare, fromClient, type SqlValue, whole } from "./values.ts";

type Of<Kind extends Expression["is"]> = Extract<Expression, { is: Kind }>;

export function compile(expression: Expression, scope: Scope): Compiled {
  switch (expression.is) {
    case "literal":
      return literal(expression.value);
    case "bind":
      return compileBind(scope.binds[expression.at], expression.name);
    case "column":
      return compileName(expression, scope);
    case "call":
      return compileCall(expression, scope);
    case "negative": {
      const operand = compile(expression.operand, scope);
      return { type: "NUMBER", value: (frame) => arithmetic("-", 0n, operand.value(frame)) };
    }
    case "arithmetic":
      return compileArithmetic(expression, scope);
    case "scalar": {
      const query = scope.run(expression.query, scope);
      const [column] = query.columns;
      if (column === undefined || query.columns.length > 1) throw new OraError(913, "too many values");
      return {
        ...column,
        value: (frame) => {
          const rows = [...query.rows(frame)];
          if (rows.length > 1) throw new OraError(1427, "single-row subquery returns more than one row");
          return rows[0]?.[0] ?? null;
        },
      };
    }
    case "case":
      return compileCase(expression, scope);
    case "cast":
      return compileCast(expression, scope);
    case "zone": {
      const [operand, zone] = [compile(expression.operand, scope), compile(expression.zone, scope)];
      return {
        type: "TIMESTAMP_TZ",
        value: (frame) => {
          const [at, name] = [operand.value(frame), asText(zone.value(frame))];
          if (!isMoment(at) || name === null) return null;
          const minutes = zoneMinutes(name);
          // A moment without a zone is in the session's zone, which is UTC.
          return { is: "TIMESTAMP_TZ", wall: epochOf(at, 0) + minutes * 60_000, zone: minutes };
        },
      };
    }
    case "extract":
      return compileExtract(expression, scope);
    case "interval": {
      const amount = compile(expression.amount, scope);
      const days = DAYS_A_UNIT[expression.unit];
      if (days === undefined) throw new OraError(30089, "missing or invalid <datetime field>");
      return { type: "NUMBER", value: (frame) => whole(Number(asNumber(amount.value(frame))) * days) };
    }
    default:
      throw new OraError(936, "missing expression"); // a condition where a value belongs
  }
}

const DAYS_A_UNIT: Readonly<Record<string, number>> = {
  DAY: 1,
  HOUR: 1 / 24,
  MINUTE: 1 / 1440,
  SECOND: 1 / 86_400,
};

function literal(value: string | bigint | number | null): Compiled {
  const shape: Shape =
    typeof value === "string" || value === null
      ? { type: "CHAR", size: Math.max(1, Buffer.byteLength(value ?? "")) }
      : { type: "NUMBER" };
  return { ...shape, value: () => (value === "" ? null : value) };
}

function compileBind(bind: Bind | undefined, name: string): Compiled {
  if (bind === undefined) throw new OraError(1008, "not all variables bound");
  if (Array.isArray(bind.value)) throw new OraError(1484, `arrays can only be bound to PL/SQL statements (:${name})`);
  const type = declaredType(bind.type);
  const read = fromClient(bind.value as Value);
  const value = type === "NUMBER" ? asNumber(read) : read;
  return { type, size: Math.max(1, bind.maxSize), value: () => value };
}

function compileName({ qualifier, name, offset }: Of<"column">, scope: Scope): Compiled {
  const column = compileColumn(scope, qualifier, name, offset);
  if (column !== undefined) return column;
  if (qualifier === undefined && name === "ROWNUM") return { type: "NUMBER", value: ({ number }) => number ?? null };
  const pseudo = qualifier === undefined ? PSEUDO_COLUMNS[name] : undefined;
  if (pseudo !== undefined) return { ...pseudo.shape, value: () => pseudo.value(scope.surroundings) };
  const written = qualifier === undefined ? `"${name}"` : `"${qualifier}"."${name}"`;
  throw new OraError(904, `${written}: invalid identifier`, offset);
}

function compileCall({ name, parameters, distinct, offset }: Of<"call">, scope: Scope): Compiled {
  const aggregate = AGGREGATES[name];
  if (aggregate !== undefined) {
    scope.aggregates = true;
    const [parameter] = parameters;
    const argument = parameter === undefined ? undefined : compile(parameter, scope);
    return {
      ...aggregate.shape(argument ?? { type: "NUMBER" }),
      value: ({ group = [] }) => {
        const values = group
          .map((member) => (argument === undefined ? 1n : argument.value(member)))
          .filter((one) => one !== null);
        return aggregate.apply(distinct ? [...new Map(values.map((one) => [asText(one), one])).values()] : values);
      },
    };
  }
  const called = functionNamed(name, parameters.length, offset);
  const compiled = parameters.map((parameter) => compile(parameter, scope));
  return {
    ...called.shape(compiled),
    value: (frame) =>
      called.apply(
        compiled.map((parameter) => parameter.value(frame)),
        scope.surroundings,
      ),
  };
}

function compileArithmetic({ operator, left, right }: Of<"arithmetic">, scope: Scope): Compiled {
  const [a, b] = [compile(left, scope), compile(right, scope)];
  const moments = [a, b].filter(({ type }) => type === "DATE" || type.startsWith("TIMESTAMP"));
  const shape: Shape =
    operator === "||"
      ? { type: "VARCHAR2", size: 4000 }
      : moments.length === 1
        ? { type: moments[0]?.type ?? "DATE" }
        : { type: "NUMBER" };
  return { ...shape, value: (frame) => arithmetic(operator, a.value(frame), b.value(frame)) };
}

function compileCase({ operand, branches, otherwise }: Of<"case">, scope: Scope): Compiled {
  const compared = operand && compile(operand, scope);
  const compiled = branches.map(({ when, result }) => ({
    holds: compared === undefined ? compileCondition(when, scope) : equals(compared, compile(when, scope)),
    result: compile(result, scope),
  }));
  const rest = otherwise && compile(otherwise, scope);
  const results = [...compiled.map(({ result }) => result), ...(rest === undefined ? [] : [rest])];
  const size = Math.max(...results.map((result) => result.size ?? 0));
  const shape = results.find(({ type }) => type !== "CHAR") ?? { type: "CHAR" as const };
  return {
    type: shape.type === "CHAR" ? "VARCHAR2" : shape.type,
    ...(size > 0 ? { size } : {}),
    value: (frame) => (compiled.find(({ holds }) => holds(frame) === true)?.result ?? rest)?.value(frame) ?? null,
  };
}

function compileCast({ operand, type, size }: Of<"cast">, scope: Scope): Compiled {
  const compiled = compile(operand, scope);
  const around = scope.surroundings;
  switch (type) {
    case "VARCHAR2":
    case "CHAR":
      return { type: "VARCHAR2", size: size ?? 4000, value: (frame) => asText(compiled.value(frame)) };
    case "NUMBER":
    case "INTEGER":
      return { type: "NUMBER", value: (frame) => asNumber(compiled.value(frame)) };
    case "DATE":
    case "TIMESTAMP":
      return {
        type,
        value: (frame) => {
          const at = compiled.value(frame);
          return isMoment(at) ? { is: type, wall: at.wall, zone: undefined } : null;
        },
      };
    case "TIMESTAMP WITH TIME ZONE":
      return {
        type: "TIMESTAMP_TZ",
        value: (frame) => {
          const at = compiled.value(frame);
          return isMoment(at) ? { is: "TIMESTAMP_TZ", wall: at.wall, zone: at.zone ?? 0 } : null;
        },
      };
    case "DATE LITERAL":
    case "TIMESTAMP LITERAL": {
      const is = type === "DATE LITERAL" ? "DATE" : "TIMESTAMP";
      const text = asText(compiled.value({ rows: [] })) ?? "";
      const model = is === "DATE" ? "YYYY-MM-DD" : `YYYY-MM-DD HH24:MI:SS${text.includes(".") ? ".FF" : ""}`;
      const at = parseMoment(text, model, is, around.zone);
      return { type: is, value: () => at };
    }
    default:
      throw new OraError(902, "invalid datatype");
  }
}

function compileExtract({ field, operand }: Of<"extract">, scope: Scope): Compiled {
  const compiled = compile(operand, scope);
  return {
    type: "NUMBER",
    value: (frame) => {
      const moment = compiled.value(frame);
      if (!isMoment(moment)) return null;
      const date = new Date(moment.wall);
      const fields: Readonly<Record<string, number>> = {
        YEAR: date.getUTCFullYear(),
        MONTH: date.getUTCMonth() + 1,
        DAY: date.getUTCDate(),
        HOUR: date.getUTCHours(),
        MINUTE: date.getUTCMinutes(),
        SECOND: date.getUTCSeconds() + date.getUTCMilliseconds() / 1000,
        TIMEZONE_HOUR: Math.trunc((moment.zone ?? 0) / 60),
        TIMEZONE_MINUTE: (moment.zone ?? 0) % 60,
      };
      const value = fields[field];
      if (value === undefined) throw new OraError(30076, "invalid extract field for extract source");
      return whole(value);
    },
  };
}

/** True, false, or undefined: unknown, because of a null. */
export type Condition = (frame: Frame) => boolean | undefined;

export function compileCondition(expression: Expression, scope: Scope): Condition {
  switch (expression.is) {
    case "and": {
      const [left, right] = [compileCondition(expression.left, scope), compileCondition(expression.right, scope)];
      return (frame) => {
        const first = left(frame);
        if (first === false) return false;
        const second = right(frame);
        return second === false ? false : first === undefined || second === undefined ? undefined : true;
      };
    }
    case "or": {
      const [left, right] = [compileCondition(expression.left, scope), compileCondition(expression.right, scope)];
      return (frame) => {
        const first = left(frame);
        if (first === true) return true;
        const second = right(frame);
        return second === true ? true : first === undefined || second === undefined ? undefined : false;
      };
    }
    case "not": {
      const operand = compileCondition(expression.operand, scope);
      return (frame) => {
        const holds = operand(frame);
        return holds === undefined ? undefined : !holds;
      };
    }
    case "comparison": {
      const [left, right] = [compile(expression.left, scope), compile(expression.right, scope)];
      const test = COMPARED[expression.operator] ?? (() => false);
      return (frame) => {
        const order = compare(left.value(frame), right.value(frame));
        return order === undefined ? undefined : test(order);
      };
    }
    case "null test": {
      const operand = compile(expression.operand, scope);
      return (frame) => operand.value(frame) === null;
    }
    case "like": {
      const [operand, pattern] = [compile(expression.operand, scope), compile(expression.pattern, scope)];
      return (frame) => {
        const [text, wanted] = [asText(operand.value(frame)), asText(pattern.value(frame))];
        return text === null || wanted === null ? undefined : likePattern(wanted).test(text);
      };
    }
    case "in": {
      const operand = compile(expression.operand, scope);
      const members = compileList(expression, scope);
      return (frame) => {
        const value = operand.value(frame);
        const found = members(frame).map((member) => compare(value, member));
        return found.includes(0) ? true : found.includes(undefined) ? undefined : false;
      };
    }
    case "exists": {
      const query = scope.run(expression.query, scope);
      return (frame) => query.rows(frame)[Symbol.iterator]().next().done !== true;
    }
    default:
      throw new OraError(920, "invalid relational operator");
  }
}

const COMPARED: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<>": (order) => order !== 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

function equals(left: Compiled, right: Compiled): Condition {
  return (frame) => compare(left.value(frame), right.value(frame)) === 0;
}

function compileList({ list }: Of<"in">, scope: Scope): (frame: Frame) => readonly SqlValue[] {
  if ("selects" in list) {
    const query = scope.run(list, scope);
    return (frame) => Array.from(query.rows(frame), ([value = null]) => value);
  }
  const members = list.map((member) => compile(member, scope));
  return (frame) => members.map((member) => member.value(frame));
}

function likePattern(pattern: string): RegExp {
  const escaped = pattern.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("%", "[\\s\\S]*").replaceAll("_", "[\\s\\S]")}$`);
}
