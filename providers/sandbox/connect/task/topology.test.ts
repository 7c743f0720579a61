import { suite } from "uvu";
import * as assert from "uvu/assert";
import { healthyWorld, type OracleWorld } from "../../oracle/world.ts";
import { schemaKey } from "./schema-topic.ts";
import { type HarnessOptions, offsetOf, PREFIX, type TaskHarness, withTask } from "./task-harness.ts";

const topology = suite("the database of the sandbox's connector");

const IN_PDB = { "cdc.database.service": "ORCLPDB1" };
const IN_ROOT = { "cdc.database.service": "ORCLCDB" };
const ARCHIVE_ONLY = { "cdc.capture.mode": "archive_only" };
const DDL_SCN = 2_030_000n;
const SCHEMA = `${PREFIX}.cdc.schema`;

const at = (role: string, openMode: string) => (world: OracleWorld) =>
  Object.assign(world.database, { role, openMode });

/** @returns the code with which the start stops */
async function stopOf(options: HarnessOptions): Promise<string | undefined> {
  let code: string | undefined;
  await withTask(options, (task) => {
    code = stopNow(task);
  });
  return code;
}

function stopNow(task: TaskHarness): string | undefined {
  try {
    task.start();
    return undefined;
  } catch (error) {
    return /\[(CDC-\d{4})\] /.exec(error instanceof Error ? error.message : "")?.[1] ?? String(error);
  }
}

/** `ALTER TABLE SALES.ORDERS ADD (NOTE …)` */
function addColumn({ tables, scnTimes }: OracleWorld, scn: bigint): void {
  const orders = tables.find(({ name }) => name === "ORDERS");
  orders?.columns.push({ name: "NOTE", dataType: "VARCHAR2", nullable: true });
  Object.assign(orders ?? {}, { lastDdl: scnTimes.timeOf(scn) });
}

topology("may be mined by default only as a primary that is open for writing", async () => {
  assert.is(await stopOf({}), undefined);
  assert.is(await stopOf({ oracle: at("PRIMARY", "MOUNTED") }), "CDC-5001");
  assert.is(await stopOf({ oracle: at("PHYSICAL STANDBY", "READ ONLY WITH APPLY") }), "CDC-5001");
});

topology("may be an open physical standby with archive_only, and nothing else", async () => {
  for (const [role, openMode, expected] of [
    ["PRIMARY", "READ WRITE", undefined],
    ["PHYSICAL STANDBY", "READ ONLY", undefined],
    ["PHYSICAL STANDBY", "READ ONLY WITH APPLY", undefined],
    ["PHYSICAL STANDBY", "MOUNTED", "CDC-5001"],
    ["LOGICAL STANDBY", "READ WRITE", "CDC-5001"],
    ["SNAPSHOT STANDBY", "READ WRITE", "CDC-5001"],
  ] as const)
    assert.is(await stopOf({ config: ARCHIVE_ONLY, oracle: at(role, openMode) }), expected, `${role} ${openMode}`);
});

topology("of a standby is mined up to the applied SCN with archive_only", () => {
  const offset = offsetOf(healthyWorld(), { resume_scn: 2_010_000n });
  const oracle = (world: OracleWorld) => {
    at("PHYSICAL STANDBY", "READ ONLY WITH APPLY")(world);
    world.currentScn = () => 2_020_000n;
  };
  return withTask({ config: ARCHIVE_ONLY, oracle, offset }, (task) => {
    task.start();
    task.tick(30);
    assert.is(task.stored()?.["resume_scn"], 2_020_000n);
  });
});

topology("with several enabled redo threads stops the start before an offset is read", async () => {
  const second = (enabled: "PUBLIC" | "DISABLED") => (world: OracleWorld) => {
    const [first] = world.threads;
    if (first !== undefined) world.threads.push({ ...first, thread: 2n, enabled });
  };
  const unreadable = offsetOf(healthyWorld(), { v: null });
  assert.is(await stopOf({ oracle: second("PUBLIC"), offset: unreadable }), "CDC-5001");
  assert.is(await stopOf({ oracle: second("DISABLED") }), undefined);
});

topology("is never mined with cdc.mining.mode=logs inside a PDB", async () => {
  assert.is(await stopOf({ config: { ...IN_PDB, "cdc.mining.mode": "logs" } }), "CDC-5001");
  assert.is(await stopOf({ config: { ...IN_ROOT, "cdc.mining.mode": "logs" } }), undefined);
});

topology(
  "is mined in range mode inside a PDB by default: a DDL ahead stops the task there, not in the root",
  async () => {
    const behind = {
      offset: offsetOf(healthyWorld(), { resume_scn: 2_020_000n }),
      oracle: (world: OracleWorld) => addColumn(world, DDL_SCN),
    };
    assert.is(await stopOf({ ...behind, config: IN_PDB }), "CDC-6001");
    assert.is(await stopOf({ ...behind, config: IN_ROOT }), undefined);
  },
);

topology("with a DDL between the position and now stops range mode with CDC-6001", async () => {
  const range = { ...IN_ROOT, "cdc.mining.mode": "range" };
  for (const [resume, expected] of [
    [DDL_SCN - 1_000n, "CDC-6001"],
    [DDL_SCN + 1_000n, undefined],
  ] as const)
    assert.is(
      await stopOf({
        config: range,
        offset: offsetOf(healthyWorld(), { resume_scn: resume }),
        oracle: (world) => addColumn(world, DDL_SCN),
      }),
      expected,
    );
});

const forward = (use: (task: TaskHarness) => void) =>
  withTask({ offset: offsetOf(healthyWorld(), { resume_scn: 2_020_000n }) }, (task) => {
    // The layout is on the schema topic since before the DDL, which the task has not mined.
    task.start();
    assert.is(task.broker.committed(SCHEMA).length, 2);
    addColumn(task.oracle, DDL_SCN);
    use(task);
  });

topology("with a DDL that a forward move has skipped stops the next start with CDC-6003", () =>
  forward((task) => {
    task.store(offsetOf(task.oracle, { resume_scn: DDL_SCN + 1_000n }));
    assert.is(stopNow(task), "CDC-6003");
    task.store(offsetOf(task.oracle, { resume_scn: DDL_SCN - 1_000n }));
    assert.is(stopNow(task), undefined, "before the DDL it mines the change of the layout");
  }),
);

topology("with a skipped DDL is mined again after a null record for the table's key on the schema topic", () =>
  forward((task) => {
    task.store(offsetOf(task.oracle, { resume_scn: DDL_SCN + 1_000n }));
    assert.is(stopNow(task), "CDC-6003");
    const key = schemaKey(PREFIX, { pdb: "ORCLPDB1", owner: "SALES", name: "ORDERS" });
    task.broker.append(SCHEMA, { key, value: null });
    assert.is(stopNow(task), undefined);
  }),
);

topology("with a DDL that was mined has its new layout on the schema topic", () =>
  forward((task) => {
    task.tick(30);
    assert.is(task.broker.committed(SCHEMA).length, 3);
    assert.is(stopNow(task), undefined);
  }),
);

topology.run();
