import { isDecimal, type Json } from "../values/json.ts";

/** A YAML document as a tree whose nodes have their places. Every key is a text, every integer a bigint. */
export type YamlNode = YamlMap | YamlList | YamlScalar;

export interface YamlMap {
  readonly form: "map";
  readonly place: Place;
  readonly entries: readonly YamlEntry[];
}

export interface YamlEntry {
  readonly key: string;
  readonly place: Place;
  readonly value: YamlNode;
}

interface YamlList {
  readonly form: "list";
  readonly place: Place;
  readonly items: readonly YamlNode[];
}

export interface YamlScalar {
  readonly form: "scalar";
  readonly place: Place;
  readonly value: null | boolean | bigint | number | string;
  /** The text as written in the file, without quotes. */
  readonly source: string;
  readonly quoted: boolean;
}

export interface Place {
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based. */
  readonly column: number;
}

/**
 * Converts a plain value, or JSON, to the tree of its document; undefined members are omitted. Children of a node are
 * created on demand, so that a document of 256 MiB is not held twice.
 *
 * @param place of all of it
 */
export function treeOf(value: unknown, place: Place): YamlNode {
  if (Array.isArray(value))
    return {
      form: "list",
      place,
      get items() {
        return value.map((item: unknown) => treeOf(item, place));
      },
    };
  if (isDecimal(value as Json))
    // Only its digits are read: the package refuses values beyond doubles, and here any value that is not an integer is
    // enough.
    return { form: "scalar", place, value: Number(String(value)), source: String(value), quoted: false };
  if (typeof value === "object" && value !== null)
    return {
      form: "map",
      place,
      get entries() {
        return Object.entries(value).flatMap(([key, member]) =>
          member === undefined ? [] : [{ key, place, value: treeOf(member, place) }],
        );
      },
    };
  const scalar = typeof value === "string" || typeof value === "boolean" || typeof value === "bigint" ? value : null;
  return { form: "scalar", place, value: scalar, source: String(scalar ?? ""), quoted: typeof value === "string" };
}

/** @returns the tree as plain values; of a duplicate key the last value */
export function plainValue(node: YamlNode): unknown {
  switch (node.form) {
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)]));
    case "list":
      return node.items.map(plainValue);
    case "scalar":
      return node.value;
  }
}

/** @returns line of every path in the tree: `spec.accept.0` */
export function linesOf(root: YamlNode): Record<string, bigint> {
  const lines: [string, bigint][] = [];
  const visit = (node: YamlNode, path: string): void => {
    if (node.form === "map")
      for (const { key, place, value } of node.entries) {
        const at = path === "" ? key : `${path}.${key}`;
        lines.push([at, BigInt(place.line)]);
        visit(value, at);
      }
    if (node.form === "list")
      for (const [index, item] of node.items.entries()) {
        lines.push([`${path}.${index}`, BigInt(item.place.line)]);
        visit(item, `${path}.${index}`);
      }
  };
  visit(root, "");
  return Object.fromEntries(lines);
}
