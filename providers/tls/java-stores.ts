import { createPrivateKey, X509Certificate } from "node:crypto";
import type forge from "node-forge";

/** What a JKS or PKCS#12 store holds. */
export interface StoreContent {
  /** DER. Trusted certificates, and the first of each key's own chain, which Java trusts as well. */
  readonly trusted: readonly Uint8Array[];
  readonly keys: readonly StoredKey[];
}

interface StoredKey {
  /** DER, the key's own certificate first. */
  readonly chain: readonly Uint8Array[];
  /** PKCS#8 as PEM. @throws when the password does not open it */
  open(password: string): string;
}

/** The password is wrong for the store or the key. */
export class WrongPassword extends Error {
  override readonly name = "WrongPassword";
}

/** @throws WrongPassword, and whatever node-forge throws for a damaged store */
export async function readPkcs12(bytes: Buffer, password: string | undefined): Promise<StoreContent> {
  const { asn1, pki, pkcs12 } = (await import("node-forge")).default;
  const der = (node: forge.asn1.Asn1) => Buffer.from(asn1.toDer(node).getBytes(), "latin1");
  const store = open();
  const bags = store.safeContents.flatMap((content) => content.safeBags);

  const certificates = bags
    .filter((bag) => bag.type === pki.oids["certBag"])
    // A certificate with a kind of key that node-forge does not know (elliptic curves) is left as ASN.1.
    .map((bag) => ({ der: der(bag.cert ? pki.certificateToAsn1(bag.cert) : bag.asn1), id: localKeyId(bag) }));
  const keys = bags
    .filter((bag) => bag.type === pki.oids["pkcs8ShroudedKeyBag"] || bag.type === pki.oids["keyBag"])
    .map((bag) => ({
      chain: chainOf(localKeyId(bag)),
      open: () => {
        const info = bag.key ? pki.wrapRsaPrivateKey(pki.privateKeyToAsn1(bag.key)) : bag.asn1;
        return createPrivateKey({ key: der(info), format: "der", type: "pkcs8" })
          .export({ format: "pem", type: "pkcs8" })
          .toString();
      },
    }));
  return { trusted: certificates.map((certificate) => certificate.der), keys };

  function open(): forge.pkcs12.Pkcs12Pfx {
    const tree = asn1.fromDer(bytes.toString("latin1"));
    try {
      return pkcs12.pkcs12FromAsn1(tree, false, password);
    } catch (error) {
      if (error instanceof Error && /MAC could not be verified|Invalid password/.test(error.message))
        throw new WrongPassword("store");
      throw error;
    }
  }

  /** The certificates from the key's own up to its root, as far as the store has them. */
  function chainOf(id: string | undefined): Buffer[] {
    const all = certificates.map((certificate) => ({ ...certificate, x509: new X509Certificate(certificate.der) }));
    const own = all.find((certificate) => certificate.id !== undefined && certificate.id === id) ?? all[0];
    const chain = own === undefined ? [] : [own];
    for (let last = own; last !== undefined && !last.x509.checkIssued(last.x509); ) {
      const { x509 } = last;
      last = all.find((issuer) => x509.checkIssued(issuer.x509) && !chain.includes(issuer));
      if (last !== undefined) chain.push(last);
    }
    return chain.map((certificate) => certificate.der);
  }
}

function localKeyId(bag: forge.pkcs12.Bag): string | undefined {
  const id: unknown = (bag.attributes as Record<string, unknown[]> | undefined)?.["localKeyId"]?.[0];
  return typeof id === "string" ? id : undefined;
}

/** @param password undefined to read without checking the store's integrity. @throws WrongPassword */
export async function readJks(bytes: Buffer, password: string | undefined): Promise<StoreContent> {
  const { decrypt, parseJks } = await import("jks-js");
  const entries = parse();
  const keys = entries.flatMap((entry) =>
    "chain" in entry
      ? [
          {
            chain: entry.chain.map((certificate) => certificate.value),
            open(keyPassword: string) {
              try {
                return decrypt(entry.protectedPrivateKey, keyPassword);
              } catch (error) {
                throw isWrong(error, "Cannot recover key") ? new WrongPassword("key") : error;
              }
            },
          },
        ]
      : [],
  );
  const trusted = entries.flatMap((entry) =>
    "chain" in entry ? entry.chain.slice(0, 1).map((one) => one.value) : [entry.cert.value],
  );
  return { trusted, keys };

  function parse() {
    try {
      return parseJks(bytes, password ?? "");
    } catch (error) {
      throw isWrong(error, "Password verification failed") ? new WrongPassword("store") : error;
    }
  }
}

function isWrong(error: unknown, message: string): boolean {
  return error instanceof Error && error.message === message;
}
