import { sha256 } from "@noble/hashes/sha2.js";
import { type ByteWork, indexOfBytes } from "../byte-work.ts";

export const work: ByteWork = {
  sha256,
  same: (a, b) => a.length === b.length && a.every((byte, at) => byte === b[at]),
  indexOf: indexOfBytes,
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes);
