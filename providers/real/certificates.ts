import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./command.ts";
import { LOOPBACK } from "./ports.ts";

/** Password of every key store and trust store here. */
export const STORE_PASSWORD = "test-only";

/** Paths of the files that a server or client needs, in every format that Java and Node support. */
export interface Stores {
  /** Private key and certificate. */
  readonly key: string;
  readonly certificate: string;
  /** Both in one PEM file, as for `ssl.keystore.location`. */
  readonly pem: string;
  readonly pkcs12: string;
  readonly jks: string;
}

export interface Certificates {
  /** The authority that signed both, as PEM certificate and as trust stores. */
  readonly authority: { readonly pem: string; readonly pkcs12: string; readonly jks: string };
  /** The stores of a server on 127.0.0.1 and localhost. */
  readonly server: Stores;
  readonly client: Stores;
}

/** Creates an authority, valid for two days, and certificates of a server and a client in `folder/ssl`. */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const ssl = join(folder, "ssl");
  await mkdir(ssl);
  const openssl = (...args: string[]) => run("openssl", args, ssl);
  const newKey = ["-newkey", "rsa:2048", "-nodes"];
  await openssl("req", "-x509", ...newKey, "-days", "2", "-subj", "/CN=test CA", "-keyout", "ca.key", "-out", "ca.pem");
  await writeFile(join(ssl, "san"), `subjectAltName=IP:${LOOPBACK},DNS:localhost\n`);
  const issue = async (name: string): Promise<Stores> => {
    await openssl("req", ...newKey, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
    const signing = [
      "-CA",
      "ca.pem",
      "-CAkey",
      "ca.key",
      "-set_serial",
      name === "server" ? "1" : "2",
      "-extfile",
      "san",
    ];
    await openssl("x509", "-req", "-days", "2", "-in", `${name}.csr`, ...signing, "-out", `${name}.crt`);
    const parts = ["-inkey", `${name}.key`, "-in", `${name}.crt`, "-certfile", "ca.pem"];
    await openssl("pkcs12", "-export", ...parts, "-passout", `pass:${STORE_PASSWORD}`, "-out", `${name}.p12`);
    await importKeyStore(ssl, `${name}.p12`, `${name}.jks`);
    const [key, certificate] = await Promise.all(
      [`${name}.key`, `${name}.crt`].map((file) => readFile(join(ssl, file), "utf8")),
    );
    await writeFile(join(ssl, `${name}.pem`), `${key}${certificate}`);
    return {
      key: join(ssl, `${name}.key`),
      certificate: join(ssl, `${name}.crt`),
      pem: join(ssl, `${name}.pem`),
      pkcs12: join(ssl, `${name}.p12`),
      jks: join(ssl, `${name}.jks`),
    };
  };
  const [server, client] = await Promise.all([
    issue("server"),
    issue("client"),
    trust(ssl, "ca.p12", "PKCS12"),
    trust(ssl, "ca.jks", "JKS"),
  ]);
  const authority = { pem: join(ssl, "ca.pem"), pkcs12: join(ssl, "ca.p12"), jks: join(ssl, "ca.jks") };
  return { authority, server, client };
}

async function trust(ssl: string, store: string, type: string): Promise<void> {
  const entry = ["-importcert", "-noprompt", "-alias", "ca", "-file", "ca.pem"];
  await run("keytool", [...entry, "-keystore", store, "-storetype", type, "-storepass", STORE_PASSWORD], ssl);
}

async function importKeyStore(ssl: string, from: string, to: string): Promise<void> {
  const source = ["-srckeystore", from, "-srcstoretype", "PKCS12", "-srcstorepass", STORE_PASSWORD];
  const target = ["-destkeystore", to, "-deststoretype", "JKS", "-deststorepass", STORE_PASSWORD];
  await run("keytool", ["-importkeystore", "-noprompt", ...source, ...target], ssl);
}
