import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "./json.ts";

/** `sha256:` and 64 hexadecimal digits. */
export type Digest = `sha256:${string}`;

/** SHA-256 over the UTF-8 bytes of a text. */
function digestOfText(text: string): Digest {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(text)))}`;
}

/** SHA-256 over the canonical JSON (RFC 8785) of a value. */
export function digestOf(value: unknown): Digest {
  return digestOfText(canonicalJson(value));
}

/** @returns undefined unless the text is `sha256:` and 64 hexadecimal digits in lower case */
export function parseDigest(text: string): Digest | undefined {
  return /^sha256:[0-9a-f]{64}$/.test(text) ? (text as Digest) : undefined;
}
