import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { UsageError } from "../../core/errors.ts";
import { readTrustStore, type StoreType } from "../tls/key-stores.ts";
import { blankIdentity } from "./blank-identity.ts";
import type { Trust } from "./connect-descriptor.ts";

/** The driver's own names. */
export interface TrustMaterial {
  readonly walletContent?: string;
  readonly walletPassword?: string;
}

/**
 * Reads what the connection trusts into the one PEM text that the driver takes.
 *
 * @throws UsageError naming the file that is missing, unreadable or of a kind that can't be read
 */
export async function trustMaterial(trust: Trust): Promise<TrustMaterial> {
  switch (trust.kind) {
    case "system":
      return {};
    case "store": {
      const { path, password } = trust;
      const type = storeType(trust.type, path);
      const { ca } = await readTrustStore({ path, type, ...(password === undefined ? {} : { password }) });
      return { walletContent: blankIdentity() + ca.join("\n") };
    }
    case "wallet": {
      const file = join(trust.directory, "ewallet.pem");
      const pem = await readWallet(file);
      // One with certificates alone is fine for whoever logs in by password.
      const walletContent = /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(pem) ? pem : blankIdentity() + pem;
      return { walletContent, ...(trust.password === undefined ? {} : { walletPassword: trust.password.open() }) };
    }
  }
}

async function readWallet(file: string): Promise<string> {
  try {
    const pem = await readFile(file, "utf8");
    if (pem.includes("-----BEGIN ")) return pem;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable";
    throw new UsageError({
      message: `the wallet ${file} can't be read (${code})`,
      remedy:
        "thin mode reads PEM wallets: export it (orapki wallet export, or openssl pkcs12 -in ewallet.p12 -out ewallet.pem)",
      file,
    });
  }
  throw new UsageError({ message: `${file} is not a PEM wallet`, file });
}

function storeType(type: string | undefined, path: string): StoreType {
  const name = (type ?? "JKS").toUpperCase();
  if (name === "JKS" || name === "PKCS12" || name === "PEM") return name;
  throw new UsageError(
    `cdc.database.tls.truststore.type: ${path} is said to be ${name}, which is not read`,
    "use a JKS or PKCS12 trust store",
  );
}
