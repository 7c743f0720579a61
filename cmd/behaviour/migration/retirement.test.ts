/** A retirement by the command: only what is proven, read by nobody and listed is deleted. */
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LEGACY_TOPIC } from "../../../providers/sandbox/migration/legacy-task.ts";
import { NEW_TOPIC } from "../../../providers/sandbox/migration/scenario.ts";
import { LICENCE_TOPIC } from "../../../providers/sandbox/migration/stage.ts";
import { failAll } from "../changed-world.ts";
import { inLanes } from "../in-lanes.ts";
import { runHere } from "../run-command.ts";
import { type MigrationWorld, openMigrationWorld } from "./migration-world.ts";
import { collectedOf, phaseContradictions, seen } from "./phase-story.ts";
import { RETIREMENT } from "./phases.ts";

const retirement = suite("a retirement");
const test = inLanes(retirement);
const LIMITS = ["--settle", "200ms", "--stop-timeout", "3s", "--resume-timeout", "3s"];

const apply = async (world: MigrationWorld, phase: string, ...spec: string[]) =>
  runHere(["apply", await world.plan(phase, ...spec), "--yes", ...LIMITS], world);

/** A case in a world that was cut over, and in some cases verified, by the command. */
function after(
  phases: readonly string[],
  name: string,
  act: (world: MigrationWorld) => Promise<void>,
  prepare: (world: MigrationWorld) => void = () => undefined,
): void {
  test(name, async () => {
    const world = await openMigrationWorld();
    try {
      prepare(world);
      for (const phase of phases) await apply(world, phase);
      await act(world);
    } finally {
      await world.close();
    }
  });
}

async function refused(world: MigrationWorld, code: string, ...spec: string[]): Promise<string> {
  const before = seen(world);
  const { exit, output } = await apply(world, "retire", ...spec);
  assert.is(exit, 1, output);
  assert.match(output, code);
  assert.equal(seen(world).topics, before.topics);
  assert.is(seen(world).legacy, before.legacy);
  return output;
}

after(["cutover"], "without evidence nothing is deleted", async (world) => {
  world.sandbox.migration?.moveConsumers(NEW_TOPIC);
  await refused(world, "MIG401");
});

after(
  ["cutover"],
  "a check SCN below the legacy connector's last commit gives no evidence, as with the command",
  async (world) => {
    const file = await world.plan("verify");
    const path = resolve(world.dir, file);
    await writeFile(path, (await readFile(path, "utf8")).replace("    wait:", "    checkScn: 2044859\n    wait:"));
    const { exit, output } = await runHere(["apply", file, "--yes", ...LIMITS], world);
    assert.is.not(exit, 0, output);
    assert.match(output, "VER109");
    await refused(world, "MIG401");
  },
);

after(
  ["cutover", "verify"],
  "nothing is deleted while consumers read the legacy topic, and the topic is deleted afterwards",
  async (world) => {
    assert.match(await refused(world, "MIG405"), "orders-billing");
    world.sandbox.migration?.moveConsumers(NEW_TOPIC);
    const before = seen(world);
    const { exit, output } = await apply(world, "retire");
    assert.is(exit, 0, output);
    assert.equal(phaseContradictions(await collectedOf(world, RETIREMENT, before)), []);
    assert.ok(world.topics().includes(LICENCE_TOPIC));
    const again = await apply(world, "retire");
    assert.is(again.exit, 0, again.output);
    const verified = await apply(world, "verify");
    assert.is(verified.exit, 1, verified.output);
    assert.match(verified.output.replace(/\s+/g, " "), /was deleted by the retirement 20.*MIG206/);
  },
);

after(
  ["cutover", "verify"],
  "a verification that did not pass is not evidence",
  async (world) => {
    world.sandbox.migration?.moveConsumers(NEW_TOPIC);
    await refused(world, "MIG403");
  },
  ({ sandbox }) => sandbox.migration?.plant("deleted-row-kept"),
);

const [DATABASE = "", PDB = ""] = LEGACY_TOPIC.split(".");
for (const [what, config] of [
  [
    "another legacy connector, whose settings are in another case",
    {
      ...{ "connector.class": "OracleCdcSource", "oracle.sid": DATABASE.toLowerCase() },
      ...{ "oracle.pdb.name": PDB.toLowerCase(), "table.inclusion.regex": ".*[.]SALES[.]ORDERS" },
    },
  ],
  ["another new connector", { "cdc.topic.prefix": "crm", "cdc.dlq.topic": LEGACY_TOPIC }],
  [
    "a connector of another kind with its prefix",
    { "connector.class": "org.example.Source", "topic.prefix": DATABASE },
  ],
  [
    "a connector of another kind that names it",
    { "connector.class": "org.example.Source", "kafka.topic": LEGACY_TOPIC },
  ],
] as const)
  after(["cutover", "verify"], `a topic to which ${what} may write stays`, async (world) => {
    world.sandbox.migration?.moveConsumers(NEW_TOPIC);
    await world.sandbox.connect.cluster.create("twin", config, "STOPPED").settled;
    const { exit, output } = await apply(world, "retire");
    assert.is(exit, 0, output);
    assert.match(output.replace(/\s+/g, " "), `MIG413 ${LEGACY_TOPIC} stays: twin writes or may write there`);
    assert.ok(world.topics().includes(LEGACY_TOPIC));
    assert.not.ok(world.topics().includes("orders-legacy-redo-log"));
  });

after(["cutover", "verify"], "edited evidence is refused", async (world) => {
  world.sandbox.migration?.moveConsumers(NEW_TOPIC);
  const evidence = world.evidence() ?? "";
  const changed = evidence.replace("SALES.ORDERS", "SALES.OTHERS");
  assert.is.not(changed, evidence);
  await world.write("orders-to-cdc.evidence.json", changed);
  await refused(world, "MIG401");
});

after(
  ["cutover", "verify"],
  "evidence of a connector that another machine has since rolled back and created again is refused",
  async (world) => {
    world.sandbox.migration?.moveConsumers(NEW_TOPIC);
    const elsewhere = { ...world, env: { ...world.env, CDCCTL_STATE: resolve(world.dir, "another-machine") } };
    for (const [phase, ...spec] of [["rollback"], ["cutover", "accept: [MIG108]"]] as const) {
      const { exit, output } = await runHere(
        ["apply", await world.plan(phase, ...spec), "--yes", ...LIMITS],
        elsewhere,
      );
      assert.is(exit, 0, output);
    }
    const output = await refused(world, "MIG415");
    assert.match(output.replace(/\s+/g, " "), /recorded offsets set \(applied\)/);
    assert.match(output.replace(/\s+/g, " "), /the offsets of \S+ have changed/);
  },
);

after(["cutover", "verify"], "the licence topic is deleted only on request", async (world) => {
  world.sandbox.migration?.moveConsumers(NEW_TOPIC);
  const { exit, output } = await apply(world, "retire", "deleteLicenceTopic: true");
  assert.is(exit, 0, output);
  assert.not.ok(world.topics().includes(LICENCE_TOPIC));
});

after(
  ["cutover", "verify"],
  "the licence topic is never deleted while another legacy connector uses it",
  async (world) => {
    world.sandbox.migration?.moveConsumers(NEW_TOPIC);
    const config = { ...world.connector("legacy")?.config, "table.inclusion.regex": "ORCLPDB1[.]SALES[.]RETURNS" };
    world.sandbox.connect.cluster.create("returns-legacy", config, "STOPPED");
    await refused(world, "MIG408", "deleteLicenceTopic: true");
  },
);

after(["cutover", "verify"], "what another legacy connector writes to stays, and the rest goes", async (world) => {
  world.sandbox.migration?.moveConsumers(NEW_TOPIC);
  const config = { ...world.connector("legacy")?.config, "redo.log.topic.name": "orders-too-redo-log" };
  world.sandbox.connect.cluster.create("orders-too-legacy", config, "STOPPED");
  const { exit, output } = await apply(world, "retire");
  assert.is(exit, 0, output);
  assert.match(
    output.replace(/\s+/g, " "),
    `${LEGACY_TOPIC} stays: orders-too-legacy writes or may write there, by its`,
  );
  assert.ok(world.topics().includes(LEGACY_TOPIC));
  assert.not.ok(world.topics().includes("orders-legacy-redo-log"));
  assert.is(world.connector("legacy"), undefined);
});

after(
  ["cutover", "verify"],
  "a topic that may not be deleted: exit 3, it is named, and recover continues",
  async (world) => {
    world.sandbox.migration?.moveConsumers(NEW_TOPIC);
    const before = seen(world);
    failAll(world.sandbox, (arrival) =>
      arrival.system === "kafka" && arrival.api === "DeleteTopics" && arrival.topic === "orders-legacy-redo-log"
        ? { kafka: "deny" }
        : undefined,
    );
    const { exit, output } = await apply(world, "retire");
    assert.is(exit, 3, output);
    assert.match(output, /orders-legacy-redo-log could not be deleted/);
    failAll(world.sandbox, undefined);
    const recovered = await runHere(["recover", "--yes", ...LIMITS], world);
    assert.is(recovered.exit, 0, recovered.output);
    assert.equal(phaseContradictions(await collectedOf(world, RETIREMENT, before)), []);
  },
);

retirement.run();
