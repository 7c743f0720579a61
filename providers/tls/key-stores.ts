import { createPrivateKey, X509Certificate } from "node:crypto";
import { UsageError } from "../../core/errors.ts";
import { showBytes } from "../../core/values/amounts.ts";
import type { Secret } from "../../core/values/secret.ts";
import { NotRegular, readBounded } from "../bounded-file.ts";
import { readJks, readPkcs12, type StoreContent, WrongPassword } from "./java-stores.ts";

export type StoreType = "JKS" | "PKCS12" | "PEM";

export interface TrustStoreFile {
  readonly path: string;
  readonly type: StoreType;
  /** Undefined to read the store without checking its integrity, as Java does. */
  readonly password?: Secret | undefined;
}

export interface KeyStoreFile extends TrustStoreFile {
  /** Password of the key, if it differs from the store's. */
  readonly keyPassword?: Secret | undefined;
}

/**
 * Reads the certificate authorities of a Java trust store or a PEM file, each as PEM.
 *
 * @throws UsageError naming the file: missing, not readable, of another type, damaged, empty, or the password does not
 * open it
 */
export async function readTrustStore(store: TrustStoreFile): Promise<{ ca: string[] }> {
  const bytes = await readStoreFile(store);
  if (store.type === "PEM") return trustFromPem(bytes.toString("utf8"), store.path);
  const { trusted } = await content(store, bytes);
  if (trusted.length === 0) throw new UsageError({ message: `${store.path} holds no certificate`, file: store.path });
  return { ca: trusted.map((der) => new X509Certificate(der).toString()) };
}

/**
 * Reads the key and certificate chain of a Java key store or a PEM file as PEM, with the key decrypted.
 *
 * @throws UsageError as `readTrustStore` does, and when the store holds no key or more than one
 */
export async function readKeyStore(store: KeyStoreFile): Promise<{ cert: string; key: string }> {
  const bytes = await readStoreFile(store);
  if (store.type === "PEM") return keyFromPem(bytes.toString("utf8"), store.path, store.keyPassword);
  const { keys } = await content(store, bytes);
  const [key] = keys;
  if (key === undefined || keys.length > 1)
    throw unusable(
      store.path,
      `${store.path} holds ${key === undefined ? "no" : `${keys.length}`} keys, one is needed`,
      "Create a store that contains only the intended key.",
    );
  const password = store.keyPassword ?? store.password;
  try {
    return {
      cert: key.chain.map((der) => new X509Certificate(der).toString()).join(""),
      key: key.open(password?.open() ?? ""),
    };
  } catch (error) {
    const why = error instanceof WrongPassword ? "the password is wrong" : "it is damaged or of an unknown kind";
    const remedy = "Check ssl.key.password, which defaults to the store's password.";
    throw unusable(store.path, `the key in ${store.path} cannot be opened: ${why}`, remedy);
  }
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;

/** @param origin file or property, for messages */
export function trustFromPem(text: string, origin: string): { ca: string[] } {
  const ca = certificates(text, origin);
  if (ca.length === 0)
    throw new UsageError({ message: `${origin} holds no PEM certificate (-----BEGIN CERTIFICATE-----)`, file: origin });
  return { ca };
}

/** @param text certificates and private key, in any order; the key may be encrypted */
export function keyFromPem(text: string | Secret, origin: string, password?: Secret): { cert: string; key: string } {
  const pem = typeof text === "string" ? text : text.open();
  const chain = certificates(pem, origin);
  const [key] = blocks(pem).filter((block) => block.label.endsWith("PRIVATE KEY"));
  if (chain.length === 0 || key === undefined)
    throw unusable(
      origin,
      `${origin} holds no ${key === undefined ? "private key" : "certificate"} in PEM form`,
      "Put the certificate chain and the private key (PKCS#8) there.",
    );
  try {
    const opened = createPrivateKey({
      key: key.pem,
      ...(password === undefined ? {} : { passphrase: password.open() }),
    });
    return { cert: chain.join(""), key: opened.export({ format: "pem", type: "pkcs8" }).toString() };
  } catch {
    const why = !key.label.includes("ENCRYPTED")
      ? "it is damaged or of an unknown kind"
      : password === undefined
        ? "it is encrypted, but no password is set"
        : "the password is wrong";
    throw unusable(origin, `the private key in ${origin} cannot be opened: ${why}`, "Check ssl.key.password.");
  }
}

function certificates(text: string, origin: string): string[] {
  return blocks(text)
    .filter((block) => block.label.endsWith("CERTIFICATE"))
    .map((block) => {
      try {
        return new X509Certificate(block.pem).toString();
      } catch {
        throw new UsageError({ message: `${origin} holds a damaged certificate`, file: origin });
      }
    });
}

/** Finds PEM blocks. In a property their line breaks may have become blanks. */
function blocks(text: string): { label: string; pem: string }[] {
  return [...text.matchAll(BLOCK)].map(([whole, label = "", body = ""]) => ({
    label,
    pem: body.includes(":")
      ? `${whole}\n`
      : `-----BEGIN ${label}-----\n${(body.replace(/\s/g, "").match(/.{1,64}/g) ?? []).join("\n")}\n-----END ` +
        `${label}-----\n`,
  }));
}

/** Limit far above real stores: even those of operating systems are below 1 MiB. */
export const MAX_STORE_BYTES = 16 * 1024 * 1024;

const FAULTS: Readonly<Record<string, string>> = { ENOENT: "no such file", EACCES: "permission denied" };

async function readStoreFile({ path, type }: TrustStoreFile): Promise<Buffer> {
  try {
    const read = await readBounded(path, MAX_STORE_BYTES, "outside");
    if (!("large" in read)) return read.bytes;
    throw new Error(`it is larger than ${showBytes(MAX_STORE_BYTES)}`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String((error as Error).message);
    const why = error instanceof NotRegular ? error.message : (FAULTS[code] ?? code);
    throw unusable(
      path,
      `the ${type} store ${path} cannot be read: ${why}`,
      "Check the path on this machine; it is not read on the worker.",
    );
  }
}

const JKS_MAGIC = 0xfeedfeed;
const DER_SEQUENCE = 0x30;

/** Reads a store by its content, not its declared type: Java reads either form under either name. */
async function content({ path, type, password }: TrustStoreFile, bytes: Buffer): Promise<StoreContent> {
  try {
    if (bytes.length > 12 && bytes.readUInt32BE(0) === JKS_MAGIC) return await readJks(bytes, password?.open());
    if (bytes[0] === DER_SEQUENCE) return await readPkcs12(bytes, password?.open());
  } catch (error) {
    throw unusable(
      path,
      error instanceof WrongPassword
        ? `the password does not open ${path}${password === undefined ? ": no password is set" : ""}`
        : `${path} is damaged or in an unsupported format`,
      "Check the store with `keytool -list -keystore`.",
    );
  }
  throw unusable(
    path,
    `${path} is not a ${type} store`,
    bytes.includes("-----BEGIN") ? "Set the store's type to PEM: the file is a PEM file." : "Check the path.",
  );
}

function unusable(file: string, message: string, remedy: string): UsageError {
  return new UsageError({ message, remedy, file });
}
