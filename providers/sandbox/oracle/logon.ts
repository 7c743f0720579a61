/**
 * O5LOGON, the proof of a password without sending it in clear text: each side encrypts half of a session key under a
 * key derived from the password, and the password itself travels under the key combined of both. Verifiers: 11g (SHA-1)
 * and 12c (PBKDF2).
 */
import { createCipheriv, createDecipheriv, createHash, pbkdf2Sync, randomBytes } from "node:crypto";

export type Verifier = "11g" | "12c";

export type Pair = readonly [key: string, value: string, flag?: number];

/** The state of the server between the two phases. */
export interface Challenge {
  /** The pairs to send to the client. */
  readonly pairs: readonly Pair[];
  /** Derived from the password; encrypts the session key's halves. */
  readonly key: Buffer;
  readonly serverHalf: Buffer;
  /** Salt of the combined key; undefined with the 11g verifier. */
  readonly mixSalt: Buffer | undefined;
}

/** Rounds; go-ora silently raises smaller counts to this. */
const VERIFIER_ROUNDS = 4096;
const COMBINED_ROUNDS = 3;
const VERIFIER_FLAG = { "11g": 0x1b25, "12c": 0x4815 } as const;

export function challenge(password: string, verifier: Verifier): Challenge {
  return verifier === "12c" ? challenge12c(password) : challenge11g(password);
}

function challenge11g(password: string): Challenge {
  const salt = randomBytes(10);
  const key = Buffer.concat([createHash("sha1").update(password).update(salt).digest(), Buffer.alloc(4)]);
  const serverHalf = randomBytes(48);
  return {
    key,
    serverHalf,
    mixSalt: undefined,
    pairs: [
      ["AUTH_SESSKEY", hex(encrypt(key, serverHalf))],
      ["AUTH_VFR_DATA", hex(salt), VERIFIER_FLAG["11g"]],
      ["AUTH_GLOBALLY_UNIQUE_DBID\0", hex(randomBytes(16))],
    ],
  };
}

function challenge12c(password: string): Challenge {
  const salt = randomBytes(16);
  const mixSalt = randomBytes(16);
  const derived = pbkdf2Sync(
    password,
    Buffer.concat([salt, Buffer.from("AUTH_PBKDF2_SPEEDY_KEY")]),
    VERIFIER_ROUNDS,
    64,
    "sha512",
  );
  const key = createHash("sha512").update(derived).update(salt).digest().subarray(0, 32);
  const serverHalf = randomBytes(32);
  return {
    key,
    serverHalf,
    mixSalt,
    pairs: [
      ["AUTH_SESSKEY", hex(encrypt(key, serverHalf))],
      ["AUTH_VFR_DATA", hex(salt), VERIFIER_FLAG["12c"]],
      ["AUTH_PBKDF2_CSK_SALT", hex(mixSalt)],
      ["AUTH_PBKDF2_VGEN_COUNT", String(VERIFIER_ROUNDS)],
      ["AUTH_PBKDF2_SDER_COUNT", String(COMBINED_ROUNDS)],
      ["AUTH_GLOBALLY_UNIQUE_DBID\0", hex(randomBytes(16))],
    ],
  };
}

/**
 * Opens the client's answer.
 *
 * @returns the password it sent and the server's own proof (`AUTH_SVR_RESPONSE`); undefined if the answer does not
 * match the challenge
 */
export function openAnswer(
  asked: Challenge,
  answer: Readonly<Record<string, string>>,
): { readonly password: string; readonly proof: string } | undefined {
  try {
    const clientHalf = decrypt(asked.key, Buffer.from(answer["AUTH_SESSKEY"] ?? "", "hex"));
    const combined = combine(asked, clientHalf);
    const plain = decrypt(combined, Buffer.from(answer["AUTH_PASSWORD"] ?? "", "hex")).subarray(16);
    const padding = plain.at(-1) ?? 0;
    return {
      password: plain.subarray(0, plain.length - padding).toString(),
      // ojdbc insists on the padding block at the end
      proof: hex(
        encrypt(combined, Buffer.concat([randomBytes(16), Buffer.from("SERVER_TO_CLIENT"), Buffer.alloc(16, 16)])),
      ),
    };
  } catch {
    return undefined; // bytes that are not a multiple of a block, or none: as good as a wrong password
  }
}

function combine(asked: Challenge, clientHalf: Buffer): Buffer {
  if (asked.mixSalt !== undefined) {
    const both = hex(Buffer.concat([clientHalf.subarray(0, 32), asked.serverHalf]));
    return pbkdf2Sync(both, asked.mixSalt, COMBINED_ROUNDS, 32, "sha512");
  }
  const mixed = Buffer.alloc(24);
  for (let i = 0; i < 24; i++) mixed[i] = (asked.serverHalf[i + 16] ?? 0) ^ (clientHalf[i + 16] ?? 0);
  return Buffer.concat([md5(mixed.subarray(0, 16)), md5(mixed.subarray(16))]).subarray(0, 24);
}

function md5(bytes: Buffer): Buffer {
  return createHash("md5").update(bytes).digest();
}

function encrypt(key: Buffer, bytes: Buffer): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

function decrypt(key: Buffer, bytes: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

function hex(bytes: Buffer): string {
  return bytes.toString("hex").toUpperCase();
}
