/** The verification of a plan by the command: the tables and topics that the plan decided on, and no others. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isObject, type JsonObject, parseJson } from "../../../core/values/json.ts";
import { until } from "../../../providers/connect/contract.ts";
import type { DeliveryFault } from "../../../providers/sandbox/migration/faults.ts";
import { LEGACY_TOPIC } from "../../../providers/sandbox/migration/legacy-task.ts";
import { migrationFile, NEW_TOPIC } from "../../../providers/sandbox/migration/scenario.ts";
import { CHECK_SCN, resumeScn } from "../cut-over.ts";
import { inLanes } from "../in-lanes.ts";
import { runHere } from "../run-command.ts";
import { type MigrationWorld, openMigrationWorld } from "./migration-world.ts";

const verification = suite("a verification by plan");
const test = inLanes(verification);
const LIMITS = ["--settle", "200ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];
const ROUTED = "orders.routed";

/** A case after a cutover, with everything of the script delivered. */
function afterCutover(
  name: string,
  act: (world: MigrationWorld) => Promise<void>,
  faults: readonly DeliveryFault[] = [],
): void {
  test(name, async () => {
    const world = await openMigrationWorld();
    try {
      for (const fault of faults) world.sandbox.migration?.plant(fault);
      const { exit, output } = await runHere(["apply", await world.plan("cutover"), "--yes", ...LIMITS], world);
      assert.is(exit, 0, output);
      await until("the new connector has passed the check SCN", async () => resumeScn(world.sandbox) > CHECK_SCN);
      await act(world);
    } finally {
      await world.close();
    }
  });
}

/** A plan file whose `verify` is this. */
const planOf = (world: MigrationWorld, ...verify: readonly string[]) =>
  world.write(
    "verify.yaml",
    migrationFile("verify").replace(
      / {2}verify:\n[\s\S]*?(?= {2}phase)/,
      `  verify:\n${[...verify, `checkScn: ${CHECK_SCN}`, "wait: 20s"].map((line) => `    ${line}\n`).join("")}`,
    ),
  );

function evidenceOf(world: MigrationWorld): JsonObject {
  const json = parseJson(world.evidence() ?? "");
  if (!isObject(json)) throw new Error("no evidence");
  return json;
}

const oneLine = ({ output }: { readonly output: string }): string => output.replaceAll(/\s+/g, " ");

/** A transformation gives all records of the new connector another topic. */
async function reroute({ sandbox: { broker } }: MigrationWorld): Promise<void> {
  const records = await broker.records(NEW_TOPIC);
  broker.createTopic(ROUTED);
  for (const { key, value } of records) broker.append(ROUTED, { key, value });
  broker.state.topics.delete(NEW_TOPIC);
}

afterCutover(
  "reads the new topic that the plan file names, where a transformation renames the topic",
  async (world) => {
    await reroute(world);
    const legacy = `legacyTopics: { SALES.ORDERS: ${LEGACY_TOPIC} }`;
    const plain = await runHere(["plan", await planOf(world, "tables: [SALES.ORDERS]", legacy)], world);
    assert.match(plain.output, "MIG204");
    const named = await planOf(world, "tables: [SALES.ORDERS]", `topics: { SALES.ORDERS: ${ROUTED} }`, legacy);
    const { exit, output } = await runHere(["apply", named, "--yes", ...LIMITS], world);
    assert.is(exit, 0, output);
    const evidence = evidenceOf(world);
    const [table] = evidence["tables"] as readonly JsonObject[];
    assert.equal([evidence["outcome"], table?.["newTopic"]], ["pass", ROUTED]);
  },
);

afterCutover(
  "leaves out columns of a table whose name is quoted",
  async (world) => {
    const table = `'SALES."ORDERS"'`;
    const file = await planOf(
      world,
      `tables: [${table}]`,
      `legacyTopics: { ${table}: ${LEGACY_TOPIC} }`,
      `ignoreColumns: { ${table}: [STATUS] }`,
    );
    const { exit, output } = await runHere(["apply", file, "--yes", ...LIMITS], world);
    assert.is(exit, 0, output);
    assert.is(evidenceOf(world)["outcome"], "pass");
  },
  ["stale-value"],
);

afterCutover(
  "fails by a lost row beside an unreadable legacy record of another key, in its outcome and in what is shown of it",
  async (world) => {
    world.sandbox.broker.append(LEGACY_TOPIC, { key: Buffer.from("1023"), value: Buffer.from("\u0000avro") });
    const file = await planOf(world, "tables: [SALES.ORDERS]", `legacyTopics: { SALES.ORDERS: ${LEGACY_TOPIC} }`);
    const applied = await runHere(["apply", file, "--yes", ...LIMITS], world);
    assert.is(applied.exit, 1);
    const [, run = ""] = /^run (\S+)$/m.exec(applied.output) ?? [];
    const asked = [
      ["show", run],
      ["migrate", "verify", "--check-evidence", join(world.dir, "orders-to-cdc.evidence.json")],
    ];
    const [shown = "", checked = ""] = await Promise.all(
      asked.map(async (words) => oneLine(await runHere(words, world))),
    );
    const outcome = "ORCLPDB1.SALES.ORDERS: 1 key differs, 1 record unreadable (ORDER_ID=1024)";
    for (const text of [oneLine(applied), shown])
      assert.match(text, `${outcome}; 14 rows, 5 compared, 8 by the legacy topic, not compared; evidence`);
    assert.match(checked, /FAILED.* offset 24, of ORDER_ID=1023 .*ORDER_ID=1024 in neither topic/);
  },
  ["lost-row"],
);

verification.run();
