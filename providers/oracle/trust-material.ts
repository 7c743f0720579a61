import { generateKeyPairSync, sign } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { UsageError } from "../../core/errors.ts";
import type { Remedy } from "../../core/values/remedy.ts";
import { shellFile } from "../../core/values/shell-word.ts";
import { readBounded } from "../bounded-file.ts";
import { MAX_STORE_BYTES, readKeyStore, readTrustStore, type StoreType } from "../tls/key-stores.ts";
import type { OwnKey, Trust } from "./connect-descriptor.ts";

/** The trusted certificates and the client's key, under the driver's own names. */
export interface TrustMaterial {
  readonly walletContent?: string;
  readonly walletPassword?: string;
}

/**
 * Reads the trusted certificates and the key of a connection into the single PEM text that the driver accepts.
 *
 * @param needsKey whether the client certificate is the login, so that an anonymous one does not suffice
 * @throws UsageError naming the file that is missing, unreadable or of a kind that can't be read
 */
export async function trustMaterial(
  trust: Trust,
  ownKey: OwnKey | undefined,
  { needsKey }: { readonly needsKey: boolean },
): Promise<TrustMaterial> {
  const own = ownKey === undefined ? undefined : await identityIn(ownKey);
  if (needsKey && own === undefined && trust.kind !== "wallet")
    throw new UsageError(
      "the login requires a client certificate, and no wallet or key store with its key is set",
      "Set cdc.database.wallet.location, or javax.net.ssl.keyStore in cdc.database.connection.properties.",
    );
  switch (trust.kind) {
    case "system":
      return own === undefined ? {} : { walletContent: own + rootCertificates.join("\n") };
    case "store": {
      const { path, password } = trust;
      const type = storeType(trust.type, path);
      const { ca } = await readTrustStore({ path, type, password });
      return { walletContent: (own ?? blankIdentity()) + ca.join("\n") };
    }
    case "wallet": {
      const file = join(trust.directory, "ewallet.pem");
      const pem = await readWallet(file, trust.directory);
      // A wallet without a key suffices for a login by password.
      const hasKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem);
      if (needsKey && !hasKey && own === undefined)
        throw new UsageError({
          message: `the login requires a client certificate, and the wallet ${file} has no private key`,
          remedy: "Export the wallet with its key, or name a key store (javax.net.ssl.keyStore).",
          file,
        });
      const walletContent = hasKey ? pem : (own ?? blankIdentity()) + pem;
      return { walletContent, ...(trust.password === undefined ? {} : { walletPassword: trust.password.open() }) };
    }
  }
}

/** Key and certificate chain as PEM. */
async function identityIn({ path, type, password }: OwnKey): Promise<string> {
  const { cert, key } = await readKeyStore({ path, type: storeType(type, path), password });
  return `${key.trimEnd()}\n${cert.trimEnd()}\n`;
}

/**
 * Finds a wallet in one of Oracle's other formats, which the driver does not read (node-oracledb: "thin mode", only
 * `ewallet.pem`).
 */
async function otherWallet(directory: string): Promise<"ewallet.p12" | "cwallet.sso" | undefined> {
  const names = await readdir(directory).catch((): string[] => []);
  return (["ewallet.p12", "cwallet.sso"] as const).find((name) => names.includes(name));
}

const CONVERTED: Readonly<Record<"ewallet.p12" | "cwallet.sso", (directory: string) => Remedy>> = {
  "ewallet.p12": (directory) => ({
    text: "convert it",
    command:
      `openssl pkcs12 -in ${shellFile(join(directory, "ewallet.p12"))} -out ` +
      `${shellFile(join(directory, "ewallet.pem"))}     # -legacy too, where OpenSSL 3 does not read it; chmod ` +
      "600; its pass phrase is oracle.net.wallet_password",
  }),
  "cwallet.sso": () => ({
    text: "an auto-login wallet can't be converted: take the ewallet.p12 that it was made from, and convert that",
    command: "openssl pkcs12 -in ewallet.p12 -out ewallet.pem",
  }),
};

async function readWallet(file: string, directory: string): Promise<string> {
  try {
    const read = await readBounded(file, MAX_STORE_BYTES, "outside");
    const pem = "large" in read ? "" : read.bytes.toString("utf8");
    if (pem.includes("-----BEGIN ")) return pem;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    const other = code === "ENOENT" ? await otherWallet(directory) : undefined;
    if (other !== undefined)
      throw new UsageError({
        message:
          `the wallet ${directory} has ${other} and no ewallet.pem: the database driver (thin mode) reads PEM ` +
          "wallets alone",
        remedy: CONVERTED[other](directory),
        file: join(directory, other),
      });
    throw new UsageError({
      message: `the wallet ${file} can't be read (${code})`,
      remedy:
        "Export it as a PEM wallet, which thin mode reads (orapki wallet export, or openssl pkcs12 -in ewallet.p12 " +
        "-out ewallet.pem).",
      file,
    });
  }
  throw new UsageError({ message: `${file} is not a PEM wallet`, file });
}

function storeType(type: string | undefined, path: string): StoreType {
  const name = (type ?? "JKS").toUpperCase();
  if (name === "JKS" || name === "PKCS12" || name === "PEM") return name;
  throw new UsageError(`the store ${path} has the type ${name}, which is not supported`, "Use a JKS or PKCS12 store.");
}

/**
 * Creates a key and an anonymous self-signed certificate, as PEM. node-oracledb reads its authorities, key and
 * certificate from one PEM text and does not start TLS if a part is missing, so authorities alone are not enough. A
 * server receives this certificate only if it requests one, and then refuses it as it would refuse a missing one.
 */
export function blankIdentity(): string {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const ecdsaWithSha256 = der(0x30, Buffer.from("06082a8648ce3d040302", "hex"));
  const commonName = Buffer.concat([Buffer.from("0603550403", "hex"), der(0x0c, Buffer.from("cdcctl"))]);
  const name = der(0x30, der(0x31, der(0x30, commonName)));
  const validity = der(0x30, der(0x17, Buffer.from("200101000000Z")), der(0x17, Buffer.from("491231235959Z")));
  const body = der(
    0x30,
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]);
  const certificate = der(0x30, body, ecdsaWithSha256, der(0x03, signature));
  const base64 = (certificate.toString("base64").match(/.{1,64}/g) ?? []).join("\n");
  const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return `${key}-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
}

/** One DER element (X.690); contents up to 65,535 bytes. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
