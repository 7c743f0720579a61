import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { secret } from "../../core/values/secret.ts";
import { keyFromPem, readKeyStore, readTrustStore, type StoreType, trustFromPem } from "./key-stores.ts";

const stores = suite("key and trust stores");

const at = (name: string) => join(import.meta.dirname, "testdata", name);
const password = secret("test-only");
const keyPassword = secret("test-only-key");
const authority = new X509Certificate(await readFile(at("ca.pem"))).fingerprint256;

for (const [name, type] of [
  ["trust.jks", "JKS"],
  ["trust.p12", "PKCS12"],
  ["ca.pem", "PEM"],
  // Java reads a PKCS#12 file under the name JKS, its default, and the reverse.
  ["trust.p12", "JKS"],
  ["trust.jks", "PKCS12"],
] as const)
  stores(`the authority is read from ${name} as ${type}`, async () => {
    const { ca } = await readTrustStore({ path: at(name), type, password });
    assert.equal(
      ca.map((pem) => new X509Certificate(pem).fingerprint256),
      [authority],
    );
  });

stores("a JKS trust store is read without its password, as Java does", async () => {
  assert.is((await readTrustStore({ path: at("trust.jks"), type: "JKS" })).ca.length, 1);
});

const keyStores: readonly (readonly [string, StoreType, number])[] = [
  ["client.jks", "JKS", 2],
  ["client-keytool.p12", "PKCS12", 2],
  ["client-openssl.p12", "PKCS12", 2],
  ["client-legacy.p12", "PKCS12", 2],
  ["client.pem", "PEM", 1],
  ["ec.jks", "JKS", 1],
  ["ec.p12", "PKCS12", 1],
];
for (const [name, type, length] of keyStores)
  stores(`key and chain are read from ${name}, and belong together`, async () => {
    const { cert, key } = await readKeyStore({
      path: at(name),
      type,
      password,
      ...(name === "client.jks" ? { keyPassword } : {}),
    });
    const chain = cert.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n/g) ?? [];
    assert.is(chain.length, length);
    const own = new X509Certificate(chain[0] ?? "");
    assert.ok(own.publicKey.equals(createPublicKey(createPrivateKey(key))));
    if (length === 2) assert.ok(own.checkIssued(new X509Certificate(chain[1] ?? "")));
  });

stores("an encrypted PEM key is opened with its password", async () => {
  const { key } = await readKeyStore({ path: at("client-encrypted.pem"), type: "PEM", keyPassword: password });
  const open = await readKeyStore({ path: at("client.pem"), type: "PEM" });
  assert.is(key, open.key);
});

stores("PEM whose line breaks became blanks is read, as Java does", async () => {
  const pem = (await readFile(at("client.pem"), "utf8")).replaceAll("\n", " ");
  assert.equal(
    keyFromPem(secret(pem), "ssl.keystore.key"),
    await readKeyStore({ path: at("client.pem"), type: "PEM" }),
  );
  const both = `${await readFile(at("ca.pem"), "utf8")} ${pem}`;
  assert.is(trustFromPem(both, "ssl.truststore.certificates").ca.length, 2);
});

async function refused(call: Promise<unknown>, message: RegExp, path: string): Promise<void> {
  const error = await call.then(
    () => assert.unreachable(`${message} was expected`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UsageError)) throw error;
  const problems = JSON.stringify(error.problems);
  assert.match(error.message, message);
  assert.ok(error.message.includes(path), problems);
  assert.not.match(problems, /hush|MII/);
}

stores("a wrong or missing password is named with its file and not shown", async () => {
  const wrong = secret("hush");
  for (const name of ["trust.jks", "trust.p12"])
    await refused(readTrustStore({ path: at(name), type: "JKS", password: wrong }), /does not open/, at(name));
  await refused(readTrustStore({ path: at("trust.p12"), type: "PKCS12" }), /no password is set/, at("trust.p12"));
  const jks = { path: at("client.jks"), type: "JKS", password } as const;
  await refused(readKeyStore(jks), /password is wrong/, jks.path);
  await refused(readKeyStore({ ...jks, keyPassword: wrong }), /password is wrong/, jks.path);
  const pem = { path: at("client-encrypted.pem"), type: "PEM" } as const;
  await refused(readKeyStore(pem), /no password is set/, pem.path);
  await refused(readKeyStore({ ...pem, keyPassword: wrong }), /password is wrong/, pem.path);
});

stores("an invalid store is named", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stores-"));
  try {
    const file = async (name: string, content: string | Buffer) => {
      await writeFile(join(folder, name), content);
      return join(folder, name);
    };
    const missing = join(folder, "missing.jks");
    await refused(readTrustStore({ path: missing, type: "JKS" }), /no such file/, missing);
    const text = await file("text", "hello");
    await refused(readTrustStore({ path: text, type: "PKCS12" }), /is not a PKCS12 store/, text);
    await refused(readTrustStore({ path: text, type: "PEM" }), /no PEM certificate/, text);
    await refused(readKeyStore({ path: text, type: "PEM" }), /no private key/, text);
    await refused(readTrustStore({ path: at("ca.pem"), type: "JKS" }), /is not a JKS store/, at("ca.pem"));
    await refused(readKeyStore({ path: at("trust.p12"), type: "PKCS12", password }), /holds no keys/, at("trust.p12"));
    for (const name of ["trust.jks", "trust.p12"]) {
      const cut = await file(`cut-${name}`, (await readFile(at(name))).subarray(0, 300));
      await refused(readTrustStore({ path: cut, type: "JKS", password }), /damaged|does not open/, cut);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

stores.run();
