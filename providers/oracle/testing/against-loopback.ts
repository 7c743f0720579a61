import { setImmediate } from "node:timers/promises";
import * as assert from "uvu/assert";
import { CallFailed } from "../../../core/errors.ts";
import type { DatabaseSettings } from "../../../core/facts/connector/settings.ts";
import { linesOf } from "../../../core/values/remedy.ts";
import { secret } from "../../../core/values/secret.ts";
import { startOracleDatabase } from "../../sandbox/oracle/database.ts";
import type { OracleWorld } from "../../sandbox/oracle/world.ts";
import type { OracleLimits } from "../connect-descriptor.ts";
import { type OracleConnection, openOracle } from "../oracle-port.ts";

export const PASSWORD = "cdc-secret";

export function settings(port: number, changes: Partial<DatabaseSettings> = {}): DatabaseSettings {
  return {
    host: "127.0.0.1",
    port: String(port),
    service: "ORCLCDB",
    sid: undefined,
    url: undefined,
    user: "C##CDC",
    password: secret(PASSWORD),
    walletLocation: undefined,
    truststoreLocation: undefined,
    truststorePassword: undefined,
    truststoreType: undefined,
    connectionProperties: undefined,
    ...changes,
  };
}

/** How long the server may take to notice that its client is gone. */
const LOGGED_OFF_MILLIS = 2_000;

/** Runs some work against a loopback database, and ends both: no session may be left in it. */
export async function against(
  world: OracleWorld,
  work: (oracle: OracleConnection, port: number) => Promise<void>,
  changes: Partial<DatabaseSettings> = {},
  limits: OracleLimits = {},
): Promise<void> {
  const server = await startOracleDatabase(world);
  const oracle = openOracle(settings(server.port, changes), limits);
  try {
    await work(oracle, server.port);
    await oracle.close();
    const latest = Date.now() + LOGGED_OFF_MILLIS;
    while (server.connections() > 0 && Date.now() < latest) await setImmediate();
    assert.is(server.connections(), 0, "a session is left open in the database");
  } finally {
    await oracle.close();
    await server.close();
  }
}

/** Returns the failure of the work, and checks that it does not contain the password. */
export async function failureOf(work: Promise<unknown>): Promise<CallFailed> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    assert.not.match(`${error.message} ${linesOf(error.remedies)}`, PASSWORD);
    return error;
  }
  throw new Error("it did not fail");
}
