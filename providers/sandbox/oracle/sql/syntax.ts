/** The syntax tree of a query. Offsets are positions in the statement. */

export type Expression =
  | { readonly is: "literal"; readonly value: string | bigint | number | null }
  /** The bind at this position among the statement's placeholders. */
  | { readonly is: "bind"; readonly at: number; readonly name: string }
  | {
      readonly is: "column";
      readonly qualifier: string | undefined;
      readonly name: string;
      readonly offset: number;
    }
  | {
      readonly is: "call";
      readonly name: string;
      /** `COUNT(*)` has none. */
      readonly parameters: readonly Expression[];
      readonly distinct: boolean;
      readonly offset: number;
    }
  | { readonly is: "negative"; readonly operand: Expression }
  | { readonly is: "arithmetic"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly is: "comparison"; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly is: "and" | "or"; readonly left: Expression; readonly right: Expression }
  | { readonly is: "not"; readonly operand: Expression }
  | { readonly is: "null test"; readonly operand: Expression }
  | { readonly is: "like"; readonly operand: Expression; readonly pattern: Expression }
  | { readonly is: "in"; readonly operand: Expression; readonly list: readonly Expression[] | Query }
  | { readonly is: "exists"; readonly query: Query }
  | { readonly is: "scalar"; readonly query: Query }
  | {
      readonly is: "case";
      readonly operand: Expression | undefined;
      readonly branches: readonly { readonly when: Expression; readonly result: Expression }[];
      readonly otherwise: Expression | undefined;
    }
  | { readonly is: "cast"; readonly operand: Expression; readonly type: string; readonly size: number | undefined }
  | { readonly is: "zone"; readonly operand: Expression; readonly zone: Expression }
  | { readonly is: "extract"; readonly field: string; readonly operand: Expression }
  | { readonly is: "interval"; readonly amount: Expression; readonly unit: string };

export type Item =
  | { readonly all: true; readonly qualifier: string | undefined; readonly offset: number }
  | { readonly all: false; readonly expression: Expression; readonly name: string };

export type Source = {
  readonly alias: string;
  /** Undefined for the first source and those after a comma. */
  readonly join: { readonly outer: boolean; readonly on: Expression | undefined } | undefined;
} & (
  | { readonly view: string; readonly offset: number; readonly asOfScn: Expression | undefined }
  | { readonly query: Query }
  | { readonly collection: Expression }
);

export interface Select {
  readonly distinct: boolean;
  readonly items: readonly Item[];
  readonly from: readonly Source[];
  readonly where: Expression | undefined;
  readonly groupBy: readonly Expression[];
  readonly having: Expression | undefined;
}

export interface Order {
  readonly by: Expression;
  readonly descending: boolean;
}

export interface Query {
  readonly named: ReadonlyMap<string, Query>;
  /** More than one: `UNION ALL`. */
  readonly selects: readonly Select[];
  readonly order: readonly Order[];
  readonly limit: Expression | undefined;
}
