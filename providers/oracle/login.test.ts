import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import { credentials, type Login } from "./login.ts";
import { trustMaterial } from "./trust-material.ts";

const logins = suite<{ folder: string }>("logins in the driver's form");

logins.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), "cdcctl-login-"));
});
logins.after.each(({ folder }) => rm(folder, { recursive: true }));

type Token = Extract<Login, { readonly by: "token" }>;
const token = (parts: Partial<Token>): Login => ({
  by: "token",
  kind: "OAUTH",
  location: undefined,
  token: undefined,
  proxied: undefined,
  ...parts,
});

logins("a password is a user and a password", async () => {
  const login = { by: "password", user: "CDC", password: secret("tiger") } as const;
  assert.equal(await credentials(login), { user: "CDC", password: "tiger" });
});

logins("a client certificate has neither user nor password, except for the user that a proxy represents", async () => {
  assert.equal(await credentials({ by: "certificate", proxied: undefined }), { externalAuth: true });
  assert.equal(await credentials({ by: "certificate", proxied: "APP" }), { externalAuth: true, user: "[APP]" });
});

logins("a token is read from a file, a folder, or the settings, again for each connection", async ({ folder }) => {
  const file = join(folder, "token");
  await writeFile(file, "first\n");
  const login = token({ location: file });
  assert.equal(await credentials(login), { externalAuth: true, accessToken: "first" });
  await writeFile(file, "second\n");
  assert.equal(await credentials(login), { externalAuth: true, accessToken: "second" });
  assert.equal(await credentials(token({ location: folder })), { externalAuth: true, accessToken: "second" });
  assert.equal(await credentials(token({ token: secret("inline") })), { externalAuth: true, accessToken: "inline" });
});

logins("a token of OCI comes with the key that proves its possession", async ({ folder }) => {
  await writeFile(join(folder, "token"), "jwt");
  await writeFile(join(folder, "oci_db_key.pem"), "KEY");
  const found = await credentials(token({ kind: "OCI_TOKEN", location: folder, proxied: "APP" }));
  assert.equal(found, { externalAuth: true, accessToken: { token: "jwt", privateKey: "KEY" }, user: "[APP]" });
});

logins("a missing or empty part is named, and never shown", async ({ folder }) => {
  const refused = async (login: Login): Promise<string> => {
    try {
      await credentials(login);
    } catch (error) {
      assert.instance(error, UsageError);
      return (error as UsageError).message;
    }
    throw new Error("it was taken");
  };
  assert.match(await refused(token({ location: join(folder, "none") })), /none can't be read \(ENOENT\)/);
  await mkdir(join(folder, "empty"));
  await writeFile(join(folder, "empty", "token"), " \n");
  assert.match(await refused(token({ location: join(folder, "empty") })), "is empty");
  await writeFile(join(folder, "token"), "canary-1");
  const without = await refused(token({ kind: "OCI_TOKEN", location: folder }));
  assert.match(without, /oci_db_key\.pem can't be read/);
  assert.not.match(without, "canary-1");
  assert.match(await refused(token({ kind: "OCI_TOKEN", location: join(folder, "token") })), "is not a folder");
});

logins("a certificate without its key is not sent as a login", async ({ folder }) => {
  await writeFile(join(folder, "ewallet.pem"), "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n");
  const wallet = { kind: "wallet", directory: folder, password: undefined } as const;
  const refused = async (needsKey: boolean, trust: Parameters<typeof trustMaterial>[0]) =>
    trustMaterial(trust, undefined, { needsKey }).then(
      () => "taken",
      (error: Error) => error.message,
    );
  assert.is(await refused(false, wallet), "taken");
  assert.match(await refused(true, wallet), "has no private key");
  assert.is(await refused(false, { kind: "system" }), "taken");
  assert.match(await refused(true, { kind: "system" }), "no wallet or key store");
});

logins("a wallet of another form is refused with the command that converts it", async ({ folder }) => {
  for (const [name, remedy] of [
    [
      "ewallet.p12",
      `openssl pkcs12 -in ${join(folder, "p12", "ewallet.p12")} -out ${join(folder, "p12", "ewallet.pem")}`,
    ],
    ["cwallet.sso", "take the ewallet.p12 that it was made from"],
  ] as const) {
    const directory = join(folder, name.slice(-3));
    await mkdir(directory);
    await writeFile(join(directory, name), "canary-1");
    const trust = { kind: "wallet", directory, password: undefined } as const;
    const failure = await trustMaterial(trust, undefined, { needsKey: true }).catch((error: unknown) => error);
    assert.instance(failure, UsageError);
    const [problem] = (failure as UsageError).problems;
    assert.match(problem?.message ?? "", `has ${name} and no ewallet.pem`);
    assert.match(lineOf(problem?.remedy ?? ""), remedy);
    assert.is(problem?.file, join(directory, name));
    assert.not.match(JSON.stringify(problem), "canary-1");
  }
});

logins.run();
