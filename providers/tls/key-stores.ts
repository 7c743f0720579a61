import { createPrivateKey, X509Certificate } from "node:crypto";
import { UsageError } from "../../core/errors.ts";
import { showBytes } from "../../core/values/amounts.ts";
import type { Secret } from "../../core/values/secret.ts";
import { NotRegular, readBounded } from "../bounded-file.ts";
import { readPkcs12 } from "./pkcs12.ts";
import { type StoreContent, WrongPassword } from "./store-content.ts";

export type StoreType = "JKS" | "PKCS12" | "PEM";

export interface TrustStoreFile {
  readonly path: string;
  readonly type: StoreType;
  /** Undefined: the store is read without a check of its integrity, as Java does. */
  readonly password?: Secret;
}

export interface KeyStoreFile extends TrustStoreFile {
  /** Of the key inside, where it has another than the store. */
  readonly keyPassword?: Secret;
}

/**
 * Certificate authorities of a Java trust store or a PEM file, each as PEM.
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
 * Key and certificate chain of a Java key store or a PEM file, as PEM; the key is no longer encrypted.
 *
 * @throws UsageError as `readTrustStore` does, and when the store holds no key or more than one
 */
export async function readKeyStore(store: KeyStoreFile): Promise<{ cert: string; key: string }> {
  const bytes = await readStoreFile(store);
  if (store.type === "PEM") return keyFromPem(bytes.toString("utf8"), store.path, store.keyPassword);
  const { keys } = await content(store, bytes);
  const [key] = keys;
  if (key === undefined || keys.length > 1)
    throw new UsageError({
      message: `${store.path} holds ${key === undefined ? "no" : `${keys.length}`} keys, one is needed`,
      remedy: "make a store with the one key that is meant",
      file: store.path,
    });
  const password = store.keyPassword ?? store.password;
  try {
    return {
      cert: key.chain.map((der) => new X509Certificate(der).toString()).join(""),
      key: key.open(password?.open() ?? ""),
    };
  } catch (error) {
    throw new UsageError({
      message:
        `the key in ${store.path} can't be opened: ` +
        `${error instanceof WrongPassword ? "the password is wrong" : "it is damaged or of an unknown kind"}`,
      remedy: "check ssl.key.password, which is the store's own password unless it is set",
      file: store.path,
    });
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
    throw new UsageError({
      message: `${origin} holds no ${key === undefined ? "private key" : "certificate"} in PEM form`,
      remedy: "put the certificate chain and the private key (PKCS#8) there",
      file: origin,
    });
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
        ? "it is encrypted and no password is given"
        : "the password is wrong";
    throw new UsageError({
      message: `the private key in ${origin} can't be opened: ${why}`,
      remedy: "check ssl.key.password",
      file: origin,
    });
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

/** In a property the line breaks may have become blanks. */
function blocks(text: string): { label: string; pem: string }[] {
  return [...text.matchAll(BLOCK)].map(([whole, label = "", body = ""]) => ({
    label,
    pem: body.includes(":")
      ? `${whole}\n`
      : `-----BEGIN ${label}-----\n${(body.replace(/\s/g, "").match(/.{1,64}/g) ?? []).join("\n")}\n-----END ` +
        `${label}-----\n`,
  }));
}

/** Even the stores of whole systems have less than one. */
export const MAX_STORE_BYTES = 16 * 1024 * 1024;

async function readStoreFile({ path, type }: TrustStoreFile): Promise<Buffer> {
  try {
    const read = await readBounded(path, MAX_STORE_BYTES, "outside");
    if (!("large" in read)) return read.bytes;
    throw new Error(`it has more than ${showBytes(MAX_STORE_BYTES)}`);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String((error as Error).message);
    const why =
      error instanceof NotRegular
        ? error.message
        : code === "ENOENT"
          ? "there is no such file"
          : code === "EACCES"
            ? "no right to read it"
            : code;
    throw new UsageError({
      message: `the ${type} store ${path} can't be read: ${why}`,
      remedy: "the path is looked up on this machine, not on the worker",
      file: path,
    });
  }
}

const JKS_MAGIC = 0xfeedfeed;
const DER_SEQUENCE = 0x30;

/** The content decides, not the type: Java reads either form under either name. */
async function content({ path, type, password }: TrustStoreFile, bytes: Buffer): Promise<StoreContent> {
  try {
    if (bytes.length > 12 && bytes.readUInt32BE(0) === JKS_MAGIC) {
      const { readJks } = await import("./jks.ts");
      return readJks(bytes, password?.open());
    }
    if (bytes[0] === DER_SEQUENCE) return await readPkcs12(bytes, password?.open());
  } catch (error) {
    throw new UsageError({
      message:
        error instanceof WrongPassword
          ? `the password does not open ${path}${password === undefined ? ": none is given" : ""}`
          : `${path} is damaged, or of a kind that can't be read here`,
      remedy: "check the store with `keytool -list -keystore`",
      file: path,
    });
  }
  throw new UsageError({
    message: `${path} is no ${type} store`,
    remedy: bytes.includes("-----BEGIN") ? "it is a PEM file: set the store's type to PEM" : "check the path",
    file: path,
  });
}
