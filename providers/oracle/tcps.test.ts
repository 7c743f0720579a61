import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, UsageError } from "../../core/errors.ts";
import type { DatabaseSettings } from "../../core/facts/connector/settings.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import { startOracleDatabase } from "../sandbox/oracle/database.ts";
import { healthyWorld } from "../sandbox/oracle/world.ts";
import { openOracle } from "./oracle-port.ts";

const tcps = suite<{ port: number; close: () => Promise<void>; wallet: string }>("Oracle over TCPS");

const stores = (name: string) => fileURLToPath(new URL(`../tls/testdata/${name}`, import.meta.url));

tcps.before(async (context) => {
  const pem = await readFile(stores("server.pem"), "utf8");
  const database = await startOracleDatabase(healthyWorld(), { tls: { key: pem, cert: pem } });
  context.port = database.port;
  context.close = () => database.close();
  context.wallet = await mkdtemp(join(tmpdir(), "cdcctl-wallet-"));
  await writeFile(join(context.wallet, "ewallet.pem"), await readFile(stores("ca.pem")));
});
tcps.after(async ({ close, wallet }) => {
  await close();
  await rm(wallet, { recursive: true, force: true });
});

const settings = (port: number, trust: Partial<DatabaseSettings>): DatabaseSettings => ({
  host: undefined,
  port: undefined,
  service: undefined,
  sid: undefined,
  url: `jdbc:oracle:thin:@tcps://localhost:${port}/ORCLCDB`,
  user: "C##CDC",
  password: secret("cdc-secret"),
  walletLocation: undefined,
  truststoreLocation: undefined,
  truststorePassword: undefined,
  truststoreType: undefined,
  connectionProperties: undefined,
  ...trust,
});
const nameOf = async (port: number, trust: Partial<DatabaseSettings>): Promise<string> => {
  const oracle = openOracle(settings(port, trust));
  try {
    return (await oracle.database()).name;
  } finally {
    await oracle.close();
  }
};

for (const [file, type] of [
  ["trust.jks", undefined],
  ["trust.jks", "JKS"],
  ["trust.p12", "PKCS12"],
] as const) {
  tcps(`trusts the authority in ${file}, given as ${type ?? "nothing (JKS)"}`, async ({ port }) => {
    const trust = { truststoreLocation: stores(file), truststorePassword: secret("test-only"), truststoreType: type };
    assert.is(await nameOf(port, trust), "ORCLCDB");
  });
}

tcps("trusts the authority in a wallet's directory", async ({ port, wallet }) => {
  assert.is(await nameOf(port, { walletLocation: wallet }), "ORCLCDB");
});

tcps("trusts no server without one, and names what is missing", async ({ port }) => {
  const failure = await nameOf(port, {}).catch((error: unknown) => error);
  assert.instance(failure, CallFailed, String(failure));
  assert.match((failure as CallFailed).message + linesOf((failure as CallFailed).remedies), /certificate|trust/i);
});

tcps("a wrong store password and a missing wallet name the file, never the password", async ({ port, wallet }) => {
  const wrong = { truststoreLocation: stores("trust.jks"), truststorePassword: secret("hunter2") };
  for (const trust of [wrong, { walletLocation: join(wallet, "nowhere") }]) {
    const failure = await nameOf(port, trust).catch((error: unknown) => error);
    assert.instance(failure, UsageError, String(failure));
    assert.match((failure as UsageError).message, /trust\.jks|ewallet\.pem/);
    assert.not.match(JSON.stringify((failure as UsageError).problems), /hunter2/);
  }
});

tcps.run();
