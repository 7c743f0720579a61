/** Mutations of a text or an answer on its way to cdcctl: damaged bytes, and changed members. */
import { isObject, type Json, printJson } from "../../../../core/values/json.ts";
import type { Chance } from "../../real/soak/random.ts";

/** A document whose members can be renamed, repeated and replaced in any way that a text can say, valid or not. */
export type Tree =
  | { readonly kind: "object"; readonly members: Member[] }
  | { readonly kind: "array"; readonly members: Member[] }
  | { readonly kind: "scalar"; readonly text: string };

/** A member of an object or, without a printed name, of an array. */
interface Member {
  name: string;
  value: Tree;
}

/** A description of the change, and the result. */
export interface Mutated {
  readonly what: string;
  readonly bytes: Buffer;
}

const scalar = (text: string): Tree => ({ kind: "scalar", text });
const object = (...members: Member[]): Tree => ({ kind: "object", members });
const MANY = 5_000;
const DEEP = 3_000;

/** Replacements for a member's value: another type, a limit of a type, a name that JavaScript knows. */
const VALUES: Readonly<Record<string, (chance: Chance) => Tree>> = {
  null: () => scalar("null"),
  true: () => scalar("true"),
  "an empty text": () => scalar('""'),
  "an empty list": () => ({ kind: "array", members: [] }),
  "an empty object": () => object(),
  "a list of null": () => ({ kind: "array", members: [{ name: "0", value: scalar("null") }] }),
  "a negative number": () => scalar("-1"),
  "a fraction": () => scalar("0.5"),
  "a number beyond doubles": () => scalar("1e400"),
  "a number of 400 digits": () => scalar("9".repeat(400)),
  "a text of digits": () => scalar(`"${"9".repeat(50)}"`),
  "a text of 100,000 characters": () => scalar(`"${"x".repeat(100_000)}"`),
  "a text of control characters": () => scalar('"\\u0000\\u001b[2J\\u0085\\u202e\\ud800\\n"'),
  "the text __proto__": () => scalar('"__proto__"'),
  "the text constructor": () => scalar('"constructor"'),
  "an object with __proto__": () => object({ name: "__proto__", value: object(POLLUTED) }),
  "an object with constructor": () =>
    object({ name: "constructor", value: object({ name: "prototype", value: object(POLLUTED) }) }),
  "an object with toString": () =>
    object({ name: "toString", value: scalar("1") }, { name: "then", value: scalar("1") }),
  "nested lists": (chance) => nested(chance.pick([3, 100, DEEP])),
};
const nested = (depth: number): Tree => scalar("[".repeat(depth) + "]".repeat(depth));
const POLLUTED: Member = { name: "polluted", value: scalar('"yes"') };
const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype", "", "then", "length"];

type Place = { readonly holder: Member[]; readonly at: number; readonly member: Member };

/** Changes to one member. */
const MEMBERS: Readonly<Record<string, (place: Place, chance: Chance) => string>> = {
  "is gone": ({ holder, at }) => {
    holder.splice(at, 1);
    return "";
  },
  "is twice there": ({ holder, at, member }) => {
    holder.splice(at, 0, member);
    return "";
  },
  "is twice there, with two values": ({ holder, at, member }, chance) => {
    const [what, value] = replacement(chance);
    holder.splice(at + 1, 0, { name: member.name, value });
    return what;
  },
  "is repeated": ({ holder, at, member }) => {
    if (print(member.value).length > 2_000) return "(left out: too long)";
    holder.splice(
      at,
      0,
      ...Array.from({ length: MANY }, (_, i) => ({ name: `${member.name}${i}`, value: member.value })),
    );
    return `${MANY} times`;
  },
  "is repeated under one name": ({ holder, at, member }) => {
    if (print(member.value).length > 2_000) return "(left out: too long)";
    holder.splice(at, 0, ...Array.from({ length: MANY }, () => member));
    return `${MANY} times`;
  },
  "is renamed": ({ holder, at, member }, chance) => {
    const name = chance.pick(NAMES);
    holder[at] = { name, value: member.value };
    return `to ${JSON.stringify(name)}`;
  },
  becomes: ({ holder, at, member }, chance) => {
    const [what, value] = replacement(chance);
    holder[at] = { name: member.name, value };
    return what;
  },
};
/** Most of the cases replace a value. */
const SHARES = [...Object.keys(MEMBERS), ...Array.from({ length: 8 }, () => "becomes")];

function replacement(chance: Chance): readonly [string, Tree] {
  const what = chance.pick(Object.keys(VALUES));
  return [what, VALUES[what]?.(chance) ?? scalar("null")];
}

/** Damage to bytes. The place is anywhere. */
const BYTES: Readonly<Record<string, (bytes: Buffer, at: number, chance: Chance) => Buffer>> = {
  "a byte changed": (bytes, at, chance) => written(bytes, at, [chance.int(0, 255)]),
  "a bit flipped": (bytes, at, chance) => written(bytes, at, [(bytes[at] ?? 0) ^ (1 << chance.int(0, 7))]),
  "some bytes changed": (bytes, at, chance) =>
    written(
      bytes,
      at,
      Array.from({ length: 8 }, () => chance.int(0, 255)),
    ),
  "bytes of ones": (bytes, at) => written(bytes, at, [0xff, 0xff, 0xff, 0xff]),
  "a large length": (bytes, at) => written(bytes, at, [0x7f, 0xff, 0xff, 0xff]),
  "zero bytes": (bytes, at) => written(bytes, at, [0, 0, 0, 0]),
  "a byte dropped": (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
  "a part dropped": (bytes, at, chance) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + chance.int(1, Math.max(1, bytes.length >> 2)))]),
  "a part doubled": (bytes, at, chance) => {
    const end = at + chance.int(1, 64);
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at, end), bytes.subarray(end)]);
  },
  truncated: (bytes, at) => bytes.subarray(0, at),
  "bytes put in": (bytes, at, chance) =>
    Buffer.concat([
      bytes.subarray(0, at),
      Buffer.alloc(chance.pick([1, 7, 70_000]), chance.int(0, 255)),
      bytes.subarray(at),
    ]),
};

function written(bytes: Buffer, at: number, over: readonly number[]): Buffer {
  const changed = Buffer.from(bytes);
  for (const [i, byte] of over.entries()) if (at + i < changed.length) changed[at + i] = byte;
  return changed;
}

/** Damages bytes in one place. @param from bytes before this one stay as they are */
export function damaged(bytes: Buffer, chance: Chance, from = 0): Mutated {
  const what = chance.pick(Object.keys(BYTES));
  const at = chance.int(Math.min(from, bytes.length), Math.max(from, bytes.length - 1));
  return { what: `${what} at byte ${at} of ${bytes.length}`, bytes: BYTES[what]?.(bytes, at, chance) ?? bytes };
}

/** Changes one to three members of a document. @param write how it becomes a text again */
export function memberChanged(json: Json, chance: Chance, write: (tree: Tree) => string = print): Mutated {
  const root: Member = { name: "", value: treeOf(json) };
  const changes: string[] = [];
  for (let left = chance.int(1, 3); left > 0; left--) {
    const places = [...placesIn(root.value)];
    if (places.length === 0) break;
    const place = chance.pick(places);
    const how = chance.pick(SHARES);
    // Repeated values share their members: repeated within itself, a value would have no end.
    if (how.startsWith("is repeated")) left = 0;
    changes.push(`${place.member.name} ${how} ${MEMBERS[how]?.(place, chance) ?? ""}`.trimEnd());
  }
  return { what: changes.join("; "), bytes: Buffer.from(write(root.value)) };
}

function* placesIn(tree: Tree): Generator<Place> {
  if (tree.kind === "scalar") return;
  for (const [at, member] of tree.members.entries()) {
    // A repeated member occurs in many places, all the same.
    if (tree.members.length > MANY && at > 10) return;
    yield { holder: tree.members, at, member };
    yield* placesIn(member.value);
  }
}

function treeOf(json: Json): Tree {
  if (Array.isArray(json))
    return { kind: "array", members: json.map((item, at) => ({ name: String(at), value: treeOf(item) })) };
  if (isObject(json))
    return {
      kind: "object",
      members: Object.entries(json).map(([name, value]) => ({ name, value: treeOf(value as Json) })),
    };
  return scalar(printJson(json, 0));
}

/** Prints JSON, which YAML reads too. */
export function print(tree: Tree): string {
  switch (tree.kind) {
    case "scalar":
      return tree.text;
    case "array":
      return `[${tree.members.map(({ value }) => print(value)).join(",\n")}]`;
    default:
      return `{${tree.members.map(({ name, value }) => `${JSON.stringify(name)}: ${print(value)}`).join(",\n")}}`;
  }
}

/** Prints Java properties. What is not text is written as JSON. */
export function printAsProperties(tree: Tree): string {
  if (tree.kind !== "object") return print(tree);
  return tree.members.map(({ name, value }) => `${name}=${textOf(value)}\n`).join("");
}

function textOf(value: Tree): string {
  if (value.kind !== "scalar") return print(value).replaceAll("\n", " ");
  return value.text.startsWith('"') ? value.text.slice(1, -1).replaceAll('\\"', '"') : value.text;
}
