/** Reads expressions and conditions, by precedence. */
import { OraError } from "../ora-error.ts";
import type { Expression, Query } from "./syntax.ts";
import type { TokenReader } from "./token-reader.ts";

const COMPARISONS = ["=", "<>", "!=", "<", "<=", ">", ">="] as const;
const ADDITIONS = ["+", "-", "||"] as const;
const MULTIPLICATIONS = ["*", "/"] as const;

export function expressionReader(
  tokens: TokenReader,
  query: () => Query,
): { readonly expression: () => Expression; readonly list: () => readonly Expression[] } {
  return { expression: or, list };

  function list(): readonly Expression[] {
    const all = [or()];
    while (tokens.skip(",")) all.push(or());
    return all;
  }

  function or(): Expression {
    let left = and();
    while (tokens.skip("OR")) left = { is: "or", left, right: and() };
    return left;
  }

  function and(): Expression {
    let left = not();
    while (tokens.skip("AND")) left = { is: "and", left, right: not() };
    return left;
  }

  function not(): Expression {
    return tokens.skip("NOT") ? { is: "not", operand: not() } : predicate();
  }

  function predicate(): Expression {
    if (tokens.skip("EXISTS")) {
      tokens.expect("(");
      const inner = query();
      tokens.expect(")");
      return { is: "exists", query: inner };
    }
    const left = sum();
    for (const operator of COMPARISONS)
      if (tokens.skip(operator)) return { is: "comparison", operator, left, right: sum() };
    if (tokens.skip("IS")) {
      const negated = tokens.skip("NOT");
      tokens.expect("NULL");
      return negate(negated, { is: "null test", operand: left });
    }
    const negated = tokens.skip("NOT");
    if (tokens.skip("IN")) return negate(negated, { is: "in", operand: left, list: inList() });
    if (tokens.skip("LIKE")) return negate(negated, { is: "like", operand: left, pattern: sum() });
    if (tokens.skip("BETWEEN")) {
      const low = sum();
      tokens.expect("AND");
      const high = sum();
      return negate(negated, {
        is: "and",
        left: { is: "comparison", operator: ">=", left, right: low },
        right: { is: "comparison", operator: "<=", left, right: high },
      });
    }
    return left;
  }

  function inList(): readonly Expression[] | Query {
    tokens.expect("(");
    const inner = startsQuery() ? query() : list();
    tokens.expect(")");
    return inner;
  }

  function startsQuery(): boolean {
    const { kind, value } = tokens.peek();
    return kind === "name" && (value === "SELECT" || value === "WITH");
  }

  function negate(negated: boolean, operand: Expression): Expression {
    return negated ? { is: "not", operand } : operand;
  }

  function sum(): Expression {
    return arithmetic(ADDITIONS, () => arithmetic(MULTIPLICATIONS, zoned));
  }

  function arithmetic(operators: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const operator = operators.find((one) => tokens.skip(one));
      if (operator === undefined) return left;
      left = { is: "arithmetic", operator, left, right: operand() };
    }
  }

  function zoned(): Expression {
    const operand = primary();
    if (tokens.peek().value !== "AT" || tokens.peek(1).value !== "TIME") return operand;
    tokens.next();
    tokens.next();
    tokens.expect("ZONE");
    return { is: "zone", operand, zone: primary() };
  }

  function primary(): Expression {
    const token = tokens.next();
    switch (token.kind) {
      case "text":
        return { is: "literal", value: token.value };
      case "number":
        return { is: "literal", value: /^\d+$/.test(token.value) ? BigInt(token.value) : Number(token.value) };
      case "bind":
        return { is: "bind", at: tokens.nextBind(), name: token.value };
      case "symbol":
        return symbol(token.value, token.offset);
      case "quoted":
        return columnOrCall(token.value, token.offset);
      case "name":
        return word(token.value, token.offset);
      case "end":
        throw new OraError(936, "missing expression", token.offset);
    }
  }

  function symbol(value: string, offset: number): Expression {
    if (value === "-") return { is: "negative", operand: primary() };
    if (value === "+") return primary();
    if (value !== "(") throw new OraError(936, "missing expression", offset);
    const inner: Expression = startsQuery() ? { is: "scalar", query: query() } : or();
    tokens.expect(")");
    return inner;
  }

  function word(name: string, offset: number): Expression {
    switch (name) {
      case "NULL":
        return { is: "literal", value: null };
      case "CASE":
        return cases();
      case "CAST":
        return cast();
      case "EXTRACT":
        return extract();
      case "INTERVAL": {
        const amount = primary();
        return { is: "interval", amount, unit: tokens.name() };
      }
      case "TIMESTAMP":
      case "DATE":
        if (tokens.peek().kind === "text")
          return { is: "cast", operand: primary(), type: `${name} LITERAL`, size: undefined };
    }
    return columnOrCall(name, offset);
  }

  function cases(): Expression {
    const operand = tokens.peek().value === "WHEN" ? undefined : or();
    const branches: { when: Expression; result: Expression }[] = [];
    while (tokens.skip("WHEN")) {
      const when = or();
      tokens.expect("THEN");
      branches.push({ when, result: or() });
    }
    const otherwise = tokens.skip("ELSE") ? or() : undefined;
    tokens.expect("END");
    return { is: "case", operand, branches, otherwise };
  }

  function cast(): Expression {
    tokens.expect("(");
    const operand = or();
    tokens.expect("AS");
    let type = tokens.name();
    let size: number | undefined;
    while (!tokens.skip(")")) {
      const { kind, value } = tokens.next();
      if (kind === "end") throw new OraError(907, "missing right parenthesis");
      if (kind === "number") size = Number(value);
      else if (kind === "name" && value !== "BYTE" && value !== "CHAR") type += ` ${value}`;
      else if (value === "(") {
        const inner = tokens.next();
        if (inner.kind === "number") size = Number(inner.value);
        while (!tokens.skip(")")) tokens.next();
      }
    }
    return { is: "cast", operand, type, size };
  }

  function extract(): Expression {
    tokens.expect("(");
    const field = tokens.name();
    tokens.expect("FROM");
    const operand = or();
    tokens.expect(")");
    return { is: "extract", field, operand };
  }

  function columnOrCall(first: string, offset: number): Expression {
    const names = [first];
    while (tokens.skip(".")) names.push(tokens.name());
    const name = names.at(-1) ?? "";
    if (!tokens.skip("(")) return { is: "column", qualifier: names.at(-2), name, offset };
    const distinct = tokens.skip("DISTINCT");
    let parameters: readonly Expression[] = [];
    if (!tokens.skip("*") && tokens.peek().value !== ")") parameters = list();
    tokens.expect(")");
    return { is: "call", name: names.join("."), parameters, distinct, offset };
  }
}
