import { isStopped } from "../../core/facts/connector/connector.ts";
import { openConnect } from "../../providers/connect/connect.ts";
import { until } from "../../providers/connect/contract.ts";
import { quickClock } from "../../providers/connect/testing/test-clock.ts";
import type { DeliveryFault } from "../../providers/sandbox/migration/faults.ts";
import { AFTERWARDS, MEANWHILE } from "../../providers/sandbox/migration/orders-script.ts";
import { NEW_CONNECTOR } from "../../providers/sandbox/migration/scenario.ts";
import { LEGACY_CONNECTOR } from "../../providers/sandbox/migration/stage.ts";
import type { Fault } from "../../providers/sandbox/oracle/options.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";

/** Everything of the script has happened below it. */
export const CHECK_SCN = (AFTERWARDS.at(-1)?.scn ?? 0n) - 1n;

/** A sandbox in which the new connector has taken over and delivered everything, with these faults. */
export function cutOverSandbox(...faults: readonly DeliveryFault[]): Promise<Sandbox> {
  return cutOver({}, faults);
}

export async function cutOver(
  options: Pick<SandboxOptions, "broker">,
  faults: readonly DeliveryFault[],
): Promise<Sandbox> {
  const sandbox = await startSandbox({ migration: true, connect: { commitInterval: 5, statusLag: 5 }, ...options });
  const connect = openConnect({ url: sandbox.connect.url, clock: quickClock() });
  try {
    for (const fault of faults) sandbox.migration?.plant(fault);
    const meanwhile = MEANWHILE.at(-1)?.scn ?? 0n;
    await until("the legacy connector is up to date", async () => sandbox.oracle.currentScn() >= meanwhile);
    await connect.stop(LEGACY_CONNECTOR);
    await until("it has stopped", async () => {
      const status = await connect.status(LEGACY_CONNECTOR);
      return status !== undefined && isStopped(status);
    });
    const scns = (await connect.offsets(LEGACY_CONNECTOR)).map(({ offset }) => BigInt(String(offset?.["scn"])));
    const startScn = scns.reduce((a, b) => (a < b ? a : b));
    await connect.create(NEW_CONNECTOR, newConfiguration(sandbox, startScn), undefined);
    await until("the new one has passed the check SCN", async () => resumeScn(sandbox) > CHECK_SCN);
    return sandbox;
  } catch (error) {
    await sandbox.close();
    throw error;
  } finally {
    await connect.close();
  }
}

export function resumeScn(sandbox: Sandbox): bigint {
  return BigInt(String(sandbox.stored()?.["resume_scn"] ?? 0));
}

/** What a takeover at this SCN gives. */
export function newConfiguration({ migration, broker }: Sandbox, startScn: bigint): Record<string, string> {
  const legacy = migration?.legacyConfig ?? {};
  return {
    "connector.class": "sh.oso.connect.oracle.OracleCdcSourceConnector",
    "cdc.topic.prefix": "orders",
    "cdc.tables.include": "ORCLPDB1[.]SALES[.]ORDERS",
    "cdc.start.scn": String(startScn),
    "cdc.snapshot.mode": "none",
    "cdc.tombstones.on.delete": "true",
    "cdc.database.host": "127.0.0.1",
    "cdc.database.port": legacy["oracle.port"] ?? "",
    "cdc.database.service": "ORCLCDB",
    "cdc.database.user": legacy["oracle.username"] ?? "",
    "cdc.database.password": legacy["oracle.password"] ?? "",
    "cdc.database.pdbs": "ORCLPDB1",
    "cdc.stream.bootstrap.servers": broker.address,
    "key.converter": legacy["key.converter"] ?? "",
    "value.converter": legacy["value.converter"] ?? "",
  };
}

/**
 * Lets the database hang or freeze when SALES.ORDERS is divided into ranges, and calls `stop` then.
 *
 * @returns how many milliseconds ago that was; infinitely many if it has not been
 */
export function stopDivision(sandbox: Sandbox, fault: Fault, stop: () => void): () => number {
  const orders = sandbox.oracle.tables.find(({ name }) => name === "ORDERS");
  if (orders === undefined) throw new Error("the sandbox has no SALES.ORDERS");
  orders.statistics = { rows: 1_000_000n, rowBytes: 96n };
  let at = -Infinity;
  sandbox.oracle.fault = (sql) => {
    if (!sql.includes("MOD(N")) return undefined;
    at = Date.now();
    setImmediate(stop);
    return fault;
  };
  return () => Date.now() - at;
}
