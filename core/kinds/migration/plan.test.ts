import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ConnectorStatus } from "../../../schemas/generated/facts.ts";
import { CallFailed, type Refusal } from "../../errors.ts";
import { cutOver } from "../../plan/testing/build-migration-run.ts";
import { buildRun } from "../../plan/testing/build-run.ts";
import { cutover as example } from "../../plan/testing/example-migrations.ts";
import type { ConnectPort } from "../../ports/connect.ts";
import type { World } from "../../ports/world.ts";
import { type RunState, runState } from "../../run/state.ts";
import { readsOnly } from "../../run/subject.ts";
import { canonicalJson } from "../../values/json.ts";
import { planFor, runStarted } from "../catalogue.ts";
import { lentSettings } from "../connector/testing/journaled-world.ts";
import { cutover } from "../cutover/plan.ts";
import { connectorsIn, type MigrationFacts } from "../facts.ts";
import type { Sources } from "../kind.ts";
import { known, RUNNING, STOPPED, unseen } from "../offset-change/testing/build-facts.ts";
import { endedPhase } from "./plan.ts";
import { cutoverFacts, retirementFacts, returnFacts, verificationFacts } from "./testing/build-facts.ts";
import { intent } from "./testing/build-readings.ts";
import { created, EVIDENCE, LEGACY_TOPICS, NEW_TOPICS } from "./testing/story.ts";

const plans = suite("the plan of a phase");

const steps = (facts: MigrationFacts, wanted = intent({ phase: facts.phase })) =>
  planFor(wanted, facts).steps.map(({ step }) => step);

plans("is ready if nothing blocks it, with the steps of its phase", () => {
  assert.equal(steps(cutoverFacts()), ["stop-connector", "recheck", "create-connector", "start-new"]);
  assert.equal(steps(verificationFacts()), ["verify-tables"]);
  // The pipeline runs again before anything that is left of the new connector is removed.
  assert.equal(steps(returnFacts()).slice(-2), ["resume-legacy", "remove-records"]);
  assert.equal(steps(retirementFacts()), ["delete-connector", "delete-topics"]);
  for (const facts of [cutoverFacts(), verificationFacts(), returnFacts(), retirementFacts()])
    assert.is(planFor(intent({ phase: facts.phase }), facts).outcome.state, "ready", facts.phase);
});

plans("the same facts give the same bytes; another setting is another decision", () => {
  const facts = cutoverFacts();
  const plan = planFor(intent(), facts);
  assert.is(canonicalJson(plan as never), canonicalJson(planFor(intent(), facts) as never));
  assert.is.not(plan.decision, planFor(intent({ accept: ["MIG108"] }), facts).decision);
});

plans("every phase shows the captured tables that its plan file names, and decides by them", () => {
  for (const facts of [cutoverFacts(), verificationFacts(), returnFacts(), retirementFacts()]) {
    const { phase } = facts;
    const stated = planFor(intent({ phase, capturedTables: ["SALES.ORDERS", "SALES.LINES"] }), facts);
    const note = stated.notes.find(({ label }) => label === "captured");
    assert.equal([note?.text, note?.shown], ["2 tables, as the plan file names them", "always"], phase);
    assert.equal(stated.decided.capturedTables, ["SALES.LINES", "SALES.ORDERS"]);
    assert.not.ok(planFor(intent({ phase }), facts).notes.some(({ label }) => label === "captured"));
  }
});

plans("the decision stays the same while the connector advances", () => {
  const at = (scn: string) =>
    cutoverFacts({
      legacy: { status: RUNNING, offsets: [{ partition: { sidPdb: "ORCLCDB.ORCLPDB1" }, offset: { scn } }] },
    });
  assert.is(planFor(intent(), at("2169287")).decision, planFor(intent(), at("2170001")).decision);
});

plans("what a phase leaves out, compares, relies on or deletes is part of its decision", () => {
  const decisions = (...made: readonly { readonly decision: string }[]) =>
    new Set(made.map(({ decision }) => decision)).size;
  for (const [phase, facts] of [
    ["cutover", cutoverFacts()],
    ["rollback", returnFacts()],
  ] as const) {
    const without = (...leaveOut: readonly string[]) => planFor(intent({ phase, from: { leaveOut } }), facts);
    assert.is(decisions(without("A", "B"), without("B", "A")), 1, "the order has no effect");
    assert.is(decisions(without(), without("A"), without("A", "B")), 3, phase);
  }
  const verify = (parts: Parameters<typeof intent>[0]) =>
    planFor(intent({ phase: "verify", ...parts }), verificationFacts());
  assert.is(
    decisions(verify({}), verify({ verify: { wait: 1n } }), verify({ verify: null }), verify({ evidence: "x" })),
    4,
  );
  const back = intent({ phase: "rollback", deleteTopics: true });
  assert.is(
    decisions(planFor(back, returnFacts()), planFor(back, returnFacts({ topics: known(NEW_TOPICS.slice(1)) }))),
    2,
  );
  const retire = (parts: Parameters<typeof retirementFacts>[0]) =>
    planFor(intent({ phase: "retire" }), retirementFacts(parts));
  assert.is(
    decisions(
      retire({}),
      retire({ topics: known(LEGACY_TOPICS) }),
      retire({ evidence: known({ ...EVIDENCE, digest: "sha256:def" }) }),
      retire({ evidence: unseen() }),
    ),
    4,
  );
});

plans("a completed cutover is nothing to do, unless another run followed it, or the connector is gone", () => {
  const { decision } = planFor(intent(), cutoverFacts());
  const carriedOut = { run: "r", at: "2026-11-21T08:00:00Z", phase: "cutover" as const, decision };
  const latest = known(carriedOut);
  const state = (parts: Parameters<typeof cutoverFacts>[0], again = false) =>
    planFor(intent(), cutoverFacts(parts), { again }).outcome.state;
  assert.is(state({ next: created(), latest }), "no-op");
  const done = planFor(intent(), cutoverFacts({ next: created(), latest }));
  assert.is(
    done.outcome.state === "no-op" && done.outcome.why,
    "this decision was already applied by run r (2026-11-21T08:00:00Z); --again repeats it",
  );
  assert.equal(done.findings, []);
  assert.is(state({ next: created(), latest }, true), "blocked");
  assert.is(
    state({
      next: created(),
      latest: known({ ...carriedOut, phase: "rollback" as const, decision: "other" }),
    }),
    "blocked",
  );
  assert.is(state({ next: created(), latest: unseen() }), "blocked");
  assert.is(state({ latest }), "ready");
});

plans("a completed rollback is nothing to do, unless topics to be deleted are unknown", () => {
  const done = { next: null, legacy: { status: RUNNING } };
  const { outcome } = planFor(intent({ phase: "rollback" }), returnFacts(done));
  assert.is(outcome.state === "no-op" && outcome.why, "orders-cdc does not exist, and orders-legacy is running");
  assert.is(
    planFor(intent({ phase: "rollback" }), returnFacts({ legacy: { status: RUNNING } })).outcome.state,
    "ready",
    "both run",
  );
  assert.equal(steps(returnFacts({ next: null, legacy: { status: STOPPED } })), ["recheck", "resume-legacy"]);
  const deleting = intent({ phase: "rollback", deleteTopics: true });
  const left = planFor(deleting, returnFacts(done));
  assert.is.not(left.outcome.state, "no-op");
  assert.equal(left.steps.at(-1), { step: "delete-topics", topics: [...NEW_TOPICS, "orders.cdc.txjournal"].sort() });
  assert.is(planFor(deleting, returnFacts({ ...done, topics: unseen() })).outcome.state, "blocked");
});

plans("nothing is planned from unknown facts", () => {
  const unknown = planFor(intent({ phase: "retire" }), retirementFacts({ dictionary: unseen() }));
  assert.is(unknown.outcome.state, "blocked");
  assert.not(unknown.steps.some(({ step }) => step === "delete-topics"));
  assert.equal(steps(verificationFacts({ dictionary: unseen() })), []);
});

plans("open transactions are recorded before a stop if stored SCNs may be above them, and only while it runs", () => {
  const properties = { "use.transaction.begin.for.mining.session": "false" };
  const first = (status: ConnectorStatus) => steps(cutoverFacts({ legacy: { status }, properties }))[0];
  assert.equal([first(RUNNING), first(STOPPED)], ["record-transactions", "stop-connector"]);
});

plans("nothing of a cutover is pinned while the legacy connector's position is unknown", () => {
  const facts = cutoverFacts({ legacy: { offsets: [] } });
  const plan = planFor(intent(), facts);
  assert.is(cutover.pin(plan, facts), "the legacy connector's position is unknown");
});

plans("a verification reads the new connector and changes nothing", () => {
  const facts = verificationFacts();
  assert.equal(connectorsIn(facts), [undefined, facts.next]);
  assert.ok(readsOnly("verify"));
});

plans("an unfinished run is recovered, not rolled back", () => {
  try {
    endedPhase({ started: { run: "2026-11-21T09-15-40Z-7f3a" }, ended: undefined } as RunState);
    assert.unreachable();
  } catch (error) {
    const { code, message, remedies } = error as Refusal;
    assert.equal([code, message], ["APL808", "run 2026-11-21T09-15-40Z-7f3a is not finished"]);
    assert.equal(remedies, [
      { text: "To finish it", command: "cdcctl recover 2026-11-21T09-15-40Z-7f3a" },
      {
        text: "To call it off, and change nothing more",
        command: "cdcctl recover 2026-11-21T09-15-40Z-7f3a --abandon",
      },
    ]);
  }
});

plans("facts of another kind of change are a defect: no plan is made of them", () => {
  assert.throws(
    () => planFor(intent({ phase: "retire" }), cutoverFacts()),
    /facts for cutover given with an intent for retire/,
  );
});

plans("a phase decides by cluster, database and both configurations, secrets masked", () => {
  const { decided } = planFor(intent(), cutoverFacts());
  const { worker, database, legacy, settings } = cutoverFacts();
  assert.equal(
    [decided.cluster, decided.database],
    [worker.clusterId, { dbid: database.dbid, resetlogsScn: database.resetlogsScn }],
  );
  assert.equal([decided.legacyConfiguration, decided.configuration], [legacy.config, settings.config]);
  const plain = { ...legacy.config, "oracle.password": "tiger" };
  const leaked = planFor(
    intent(),
    cutoverFacts({ legacy: { config: plain }, settings: { config: { "cdc.database.password": "tiger" } } }),
  );
  assert.is(leaked.decided.legacyConfiguration?.["oracle.password"], "********");
  assert.is(leaked.decided.configuration["cdc.database.password"], "********");
  assert.is(
    planFor(intent({ phase: "retire" }), retirementFacts({ legacy: null })).decided.legacyConfiguration,
    undefined,
  );
});

plans("a phase shows the connectors that exist, by what each is to it", () => {
  const roles = (facts: MigrationFacts) =>
    planFor(intent({ phase: facts.phase }), facts).connectors.map(({ role, name, state }) => [role, name, state]);
  const [old, next] = [
    ["legacy", "orders-legacy", "STOPPED"],
    ["new", "orders-cdc", "RUNNING"],
  ];
  assert.equal(roles(cutoverFacts()), [old]);
  assert.equal(roles(returnFacts()), [old, next]);
  assert.equal(roles(returnFacts({ next: null })), [old]);
  assert.equal(roles(retirementFacts({ legacy: null })), [next]);
  assert.equal(roles(verificationFacts()), [next]);
});

plans("a phase shows its systems, and the format in which the ops topic is written", () => {
  const { world } = planFor(
    intent({ opsFormat: "json" }),
    cutoverFacts({ settings: { prefix: "eu", opsTopic: "eu.ops" } }),
  );
  const { worker, database } = cutoverFacts();
  assert.equal([world.connectUrl, world.clusterId, world.database.dbid], [worker.url, worker.clusterId, database.dbid]);
  assert.equal([world.prefix, world.opsTopic, world.opsFormat], ["eu", "eu.ops", "json"]);
});

plans("its run is of the new connector, and names the phase and the legacy one", () => {
  for (const facts of [cutoverFacts(), returnFacts(), verificationFacts(), retirementFacts()]) {
    const plan = planFor(intent({ phase: facts.phase }), facts);
    const { subject } = runStarted(plan, { run: "r", operator: "ana", cdcctl: "0.1.0" });
    assert.equal(
      subject.command === "migrate" && [subject.phase, subject.legacy, subject.connector, subject.decision],
      [facts.phase, "orders-legacy", "orders-cdc", plan.decision],
    );
  }
});

plans.run();

const settingsOf = suite("the settings of a phase's run");

const RUN = runState(buildRun(example, cutOver).entries) as RunState;
const sources = { deployed: async ({ config }) => lentSettings(config) } as Partial<Sources> as Sources;
const workers = (connector: ConnectPort["connector"]) =>
  ({ connect: { url: "http://w:8083", connector, connectors: async () => [] } }) as unknown as World;

settingsOf("are those of the new connector", async () => {
  const config = { "cdc.topic.prefix": "own" };
  const found = await cutover.settingsOfRun(
    RUN,
    workers(async (name) => (name === "orders-cdc" ? { name, config, taskIds: [], type: "source" } : undefined)),
    sources,
  );
  assert.is("settings" in found && found.settings.prefix, "own");
});

settingsOf("are gone with both connectors", async () => {
  const found = await cutover.settingsOfRun(
    RUN,
    workers(async () => undefined),
    sources,
  );
  assert.match("gone" in found ? found.gone.message : "", "the workers at http://w:8083 have no connector orders-cdc");
});

settingsOf("are not gone because the workers do not answer, or say no", async () => {
  for (const failure of [
    new CallFailed("connect", "timeout", { message: "no answer" }),
    new CallFailed("connect", "forbidden", { message: "403" }),
    new TypeError("a defect"),
  ]) {
    const asked = cutover.settingsOfRun(
      RUN,
      workers(() => Promise.reject(failure)),
      sources,
    );
    assert.is(await asked.catch((error: unknown) => error), failure);
  }
});

settingsOf.run();
