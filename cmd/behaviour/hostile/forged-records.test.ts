/** Records on the ops topic that cdcctl did not write: whoever can write there moves no offset by them. */

import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Json, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { inSequence } from "../../../core/values/regexp.ts";
import { CLUSTER_ID, CONNECTOR, PREFIX, STORED_SCN } from "../../../providers/sandbox/sandbox.ts";
import { planFile } from "../../../providers/sandbox/scenario.ts";
import type { OffsetsSetDetails } from "../../../schemas/generated/facts.ts";
import { everyOther } from "../../dev/pairs.ts";
import { schemaTester } from "../../views/testing/schema.ts";
import { CANARIES, type ChangedWorld, OPS_TOPIC, openChangedWorld } from "../changed-world.ts";
import { TARGET_SCN } from "../changes.ts";
import { type Finished, runHere } from "../run-command.ts";
import { leaks } from "./trap.ts";

const LIMITS = ["--settle", "100ms", "--stop-timeout", "5s", "--resume-timeout", "1s"];
const FROM_OPS = ["recover", "--from-ops", "--context", "sandbox", "--connector", CONNECTOR, ...LIMITS];
const BACK = 2_010_000n;
const AHEAD = STORED_SCN + 100n;

type Details = { -readonly [name in keyof OffsetsSetDetails]?: Json } & Record<string, Json>;

/** What a record says of an offset: fields over those that a genuine move would store; `undefined` removes one. */
type Fields = Readonly<Record<string, Json | undefined>>;

interface Forgery {
  readonly forged: string;
  readonly next?: Fields;
  readonly previous?: Fields;
  readonly details?: (details: Details) => void;
  readonly server?: string;
  /** The whole value of the record. */
  readonly value?: string;
  readonly flags?: readonly string[];
  /** Where `--yes` is given. */
  readonly exit?: 0 | 1 | 3 | 64;
  readonly says: RegExp;
  /** What comes of recording it as failed, where that is not done. */
  readonly abandoned?: RegExp;
}

const NOT_OURS = /is not one that cdcctl writes.*APL817/;
const NO_RUN = /APL807/;
const NOTHING = /nothing to recover/;

const ROWS: readonly Forgery[] = [
  // ---- another identity, another version, other fields
  { forged: "another dbid", next: { dbid: 7n }, says: /dbid differs between.*APL817/ },
  { forged: "another incarnation", next: { resetlogs_scn: 2n }, says: /resetlogs_scn differs.*APL817/ },
  { forged: "an identity as text", next: { dbid: "2914731004" }, says: /dbid differs.*APL817/ },
  {
    forged: "no identity",
    next: { dbid: undefined, resetlogs_scn: undefined },
    says: /dbid, resetlogs_scn differ.*APL817/,
  },
  { forged: "an identity that is no number", next: { dbid: "mine" }, says: NOT_OURS },
  {
    forged: "another database before and after",
    previous: { dbid: 7n },
    next: { dbid: 7n },
    says: /new_offset is from dbid 7.*APL817/,
  },
  { forged: "version 7", next: { v: 7n }, says: /CDC-3002.*APL817/ },
  { forged: "version 7 as text", next: { v: "7" }, says: /CDC-3002.*APL817/ },
  { forged: "version 7 before and after", previous: { v: 7n }, next: { v: 7n }, says: /CDC-3002.*APL817/ },
  { forged: "version 0", next: { v: 0n }, says: /v differs.*APL817/ },
  { forged: "no version", next: { v: undefined }, says: /v differs.*APL817/ },
  { forged: "a version that is an object", next: { v: { a: 1n } }, says: NOT_OURS },
  { forged: "an unknown field", next: { note: "mine" }, says: /note differs.*APL817/ },
  { forged: "an unknown field with a tree", next: { note: { a: [1n, { b: null }] } }, says: /note differs.*APL817/ },
  { forged: "a field named __proto__", details: text("new_offset", '{"__proto__":{"v":1},'), says: NOT_OURS },
  { forged: "a field named constructor", next: { constructor: "x" }, says: /constructor differs.*APL817/ },
  {
    forged: "a later last commit",
    next: { last_commit_scn: STORED_SCN + 5n },
    says: /last_commit_scn differs.*APL817/,
  },
  { forged: "an earlier last commit", next: { last_commit_scn: 1n }, says: /last_commit_scn differs.*APL817/ },
  { forged: "no last commit", next: { last_commit_scn: undefined }, says: /last_commit_scn differs.*APL817/ },
  { forged: "the last commit of another transaction", next: { last_commit_xid: "3:1.1.1" }, says: NOT_OURS },
  { forged: "another redo thread", next: { last_commit_thread: 2n }, says: NOT_OURS },
  { forged: "a higher event index", next: { event_index: 15n }, says: NOT_OURS },
  { forged: "a higher journal generation", next: { journal_generation: 8n }, says: NOT_OURS },
  { forged: "no journal generation", next: { journal_generation: undefined }, says: NOT_OURS },
  { forged: "another schema epoch", next: { schema_epoch: 1n }, says: NOT_OURS },
  {
    forged: "a snapshot begun anew",
    next: { snapshot: '{"v":1,"complete":false,"tables":{},"scope":[]}' },
    says: NOT_OURS,
  },
  // ---- the ledger, the redo address
  { forged: "one more released orphan", next: { released_xids: "3:4.9.771,3:5.2.802,3:1.1.1" }, says: NOT_OURS },
  { forged: "another released orphan", next: { released_xids: "3:4.9.771,3:1.1.1" }, says: NOT_OURS },
  {
    forged: "a shorter ledger that it does not tell of",
    next: { released_xids: "3:4.9.771" },
    says: /3:5\.2\.802.*APL817/,
  },
  {
    forged: "an empty ledger that it does not tell of",
    next: { released_xids: null },
    says: /forgotten_released.*APL817/,
  },
  { forged: "a ledger that is no text", next: { released_xids: 7n }, says: NOT_OURS },
  { forged: "the redo address kept", next: { resume_rs_id: "0x00002a.00000f1c.0010", resume_ssn: 3n }, says: NOT_OURS },
  { forged: "another redo address", next: { resume_rs_id: "0x000001.00000001.0001" }, says: NOT_OURS },
  { forged: "redo threads", next: { threads: "[1,2]" }, says: NOT_OURS },
  // ---- where to
  { forged: "another SCN than it names", next: { resume_scn: BACK + 1n }, says: /new_resume_scn is 2010000.*APL817/ },
  { forged: "an SCN of another type", next: { resume_scn: String(BACK) }, says: NOT_OURS },
  { forged: "a negative SCN", next: { resume_scn: -1n }, says: NOT_OURS },
  { forged: "an SCN that is an object", next: { resume_scn: {} }, says: NOT_OURS },
  { forged: "no SCN in the offset", next: { resume_scn: undefined }, says: NOT_OURS },
  { forged: "an SCN above any", next: { resume_scn: 2n ** 63n }, says: NOT_OURS },
  { forged: "an SCN of a thousand digits", details: set("new_resume_scn", "9".repeat(1000)), says: NOT_OURS },
  { forged: "an SCN with an exponent", details: set("new_resume_scn", "2e6"), says: NOT_OURS },
  { forged: "no SCN", details: set("new_resume_scn", "none"), says: NOT_OURS },
  { forged: "an SCN that is a list", details: set("new_resume_scn", ["2010000"]), says: NOT_OURS },
  { forged: "a forward move", ...to(AHEAD), flags: ["--yes"], says: /would be skipped.*--allow-skip.*OFF103/ },
  { forged: "a move past the current SCN", ...to(9_000_000n), says: /OFF101/ },
  { forged: "a move to the end of all SCNs", ...to(2n ** 63n - 1n), says: /OFF101/ },
  { forged: "a move below all redo", ...to(1000n), says: /OFF102/ },
  {
    forged: "a resnapshot of a healthy connector",
    ...to(AHEAD),
    details(details) {
      to(AHEAD).details?.(details);
      Object.assign(details, { command: "resnapshot", gap: "CDC-2002 gone", tables: "A.B", signal_id: "x" });
    },
    flags: ["--yes"],
    says: /would be skipped.*OFF103/,
  },
  {
    forged: "a rollback of nothing",
    next: { resume_rs_id: "0x00002a.00000f1c.0011", resume_ssn: 1n },
    details: set("reason", "rollback of 2026-11-21T09-15-40Z-0000"),
    says: /nor what a recorded run had stored before.*APL817/,
  },
  // ---- whose, and of which run
  { forged: "another server", server: "billing", says: /for server "billing".*APL817/ },
  { forged: "no server", server: "", says: /for server "".*APL817/ },
  { forged: "a server with the name of a field", server: "__proto__", says: NOT_OURS },
  { forged: "no run", details: set("run", undefined), says: NO_RUN, abandoned: NO_RUN },
  ...[
    "../../escape",
    "/etc/passwd",
    "r",
    "",
    "2026-11-21T09-15-40Z-7f3a/../x",
    "2026-11-21T09-15-40Z-7f3a\n",
    "x".repeat(5000),
    "$(id)",
  ].map(
    (run): Forgery => ({
      forged: `a run ${JSON.stringify(run.slice(0, 40))}`,
      details: anew(run),
      says: NO_RUN,
      abandoned: NO_RUN,
    }),
  ),
  { forged: "a run that is an object", details: anew('{"a":"b"}'), says: NO_RUN, abandoned: NO_RUN },
  // ---- offsets that are none
  ...["", "{", "[]", "7", "nul", '"{}"', "{}", '{"resume_scn":1}{', `${"[".repeat(600)}${"]".repeat(600)}`].flatMap(
    (json): Forgery[] => [
      { forged: `a new offset ${json.slice(0, 20)}`, details: set("new_offset", json), says: NOT_OURS },
      { forged: `a previous offset ${json.slice(0, 20)}`, details: set("previous_offset", json), says: NOT_OURS },
    ],
  ),
  { forged: "no new offset", details: set("new_offset", undefined), says: NOT_OURS },
  { forged: "no previous offset", details: set("previous_offset", undefined), says: NOT_OURS },
  {
    forged: "a new offset that is null",
    details: set("new_offset", "null"),
    says: /removes the stored offset.*APL807/,
    abandoned: NO_RUN,
  },
  {
    forged: "a first offset where one is stored",
    details: set("previous_offset", "null"),
    says: NOT_OURS,
  },
  { forged: "a previous offset of another version", previous: { v: 7n }, says: NOT_OURS },
  // ---- what is no record of a change
  { forged: "another connector", details: set("connector", "billing-cdc"), exit: 0, says: NOTHING, abandoned: NOTHING },
  {
    forged: "an outcome without a change",
    details: set("outcome", "applied"),
    exit: 0,
    says: NOTHING,
    abandoned: NOTHING,
  },
  {
    forged: "an outcome of no such name",
    details: set("outcome", "APPLYING"),
    exit: 0,
    says: NOTHING,
    abandoned: NOTHING,
  },
  ...[
    "",
    "null",
    "[]",
    "{",
    '{"type":"offsets-set"}',
    '{"type":"offsets-set","details":[]}',
    '{"schema":{},"payload":null}',
    "\u0000\u0001",
  ].map(
    (value): Forgery => ({
      forged: `a record ${JSON.stringify(value)}`,
      value,
      exit: 0,
      says: NOTHING,
      abandoned: NOTHING,
    }),
  ),
];

function set(name: string, value: Json | undefined): (details: Details) => void {
  return (details) => {
    if (value === undefined) delete details[name];
    else details[name] = value;
  };
}

/** A run that was never heard of: what ended once is not in flight again. */
function anew(run: string): (details: Details) => void {
  let times = 0;
  return (details) => {
    details["run"] = `${run}${" ".repeat(times++)}`;
  };
}

/** Puts something before the members of an offset, as it is. */
function text(name: string, before: string): (details: Details) => void {
  return (details) => {
    details[name] = `${before}${String(details[name]).slice(1)}`;
  };
}

function to(scn: bigint): Pick<Forgery, "next" | "details"> {
  return { next: { resume_scn: scn }, details: set("new_resume_scn", String(scn)) };
}

/** A connector that runs, and commits nothing while a test looks. */
function healthy(state: "RUNNING" | "STOPPED" = "RUNNING"): Promise<ChangedWorld> {
  return openChangedWorld({ state, connect: { commitInterval: 1_000_000_000 } });
}

const outcomes = async (of: ChangedWorld) => (await of.opsEvents()).map(({ details }) => details.outcome);

let runs = 0;
const newRun = () => `2026-11-21T09-15-40Z-${(runs++).toString(16).padStart(4, "0")}`;

function withFields(offset: JsonObject, fields: Fields = {}): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...offset, ...fields }).filter(([, value]) => value !== undefined),
  ) as JsonObject;
}

/** What a move of what is stored to `BACK` would have recorded, with what is forged of it. */
function detailsOf(stored: JsonObject, { next, previous, details }: Partial<Forgery>): Details {
  const { resume_rs_id: _rsId, resume_ssn: _ssn, ...kept } = stored;
  const of: Details = {
    connector: CONNECTOR,
    command: "offsets set",
    reason: "replay",
    operator: "mallory",
    direction: "backward",
    previous_resume_scn: String(stored["resume_scn"]),
    new_resume_scn: String(BACK),
    outcome: "applying",
    run: newRun(),
    decision: `sha256:${"0".repeat(64)}`,
    previous_offset: printJson(withFields(stored, previous), 0),
    new_offset: printJson(withFields({ ...kept, resume_scn: BACK }, next), 0),
  };
  details?.(of);
  return of;
}

function append({ sandbox }: ChangedWorld, details: Details, server = PREFIX): void {
  const value = { v: 1n, type: "offsets-set", ts_ms: BigInt(Date.now()), server, resume_scn: null, details };
  appendText({ sandbox }, printJson(value, 0));
}

function appendText({ sandbox }: Pick<ChangedWorld, "sandbox">, value: string): void {
  sandbox.broker.append(OPS_TOPIC, { key: Buffer.from(printJson({ server: PREFIX }, 0)), value: Buffer.from(value) });
}

const flat = ({ output }: Finished) => output.replace(/\s+/g, " ");
const calls = ({ sandbox }: ChangedWorld) => sandbox.connect.requests.filter(({ method }) => method !== "GET").length;
const runsOf = ({ dir }: ChangedWorld) =>
  existsSync(join(dir, "state"))
    ? readdirSync(join(dir, "state"), { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".jsonl"))
    : [];

interface Before {
  readonly stored: string;
  readonly calls: number;
  readonly records: number;
  readonly journals: number;
}

async function observe(world: ChangedWorld): Promise<Before> {
  const records = await world.sandbox.broker.records(OPS_TOPIC);
  return {
    stored: printJson(world.sandbox.stored(), 0),
    calls: calls(world),
    records: records.length,
    journals: runsOf(world).length,
  };
}

function expectNo(bug: Finished): void {
  assert.is.not(bug.exit, 70, bug.output);
  assert.not.match(bug.output, /This is a bug|^\s+at .*[:(]\d+/m);
  assert.equal(leaks(CANARIES, { output: bug.output }), []);
}

const forged = suite("a forged record");
let world: ChangedWorld;
forged.before(async () => {
  world = await healthy();
});
forged.after(() => world.close());

for (const row of ROWS) {
  forged(`of ${row.forged} moves nothing, stops nothing, and is written nowhere`, async () => {
    const before = await offered(row);
    const ended = await runHere([...FROM_OPS, ...(row.flags ?? ["--yes", "--allow-skip"])], world);
    expectNo(ended);
    assert.is(ended.exit, row.exit ?? 1, ended.output);
    assert.match(flat(ended), row.says);
    assert.equal(await observe(world), before);
    await settled();
  });
}

for (const row of everyOther(ROWS))
  forged(`of ${row.forged} is recorded as failed by --abandon, which does nothing else`, async () => {
    const before = await offered(row);
    const ended = await runHere([...FROM_OPS, "--abandon", "--yes"], world);
    expectNo(ended);
    const after = await observe(world);
    assert.equal([after.stored, after.calls], [before.stored, before.calls]);
    if (row.abandoned === undefined) {
      assert.is(ended.exit, 0, ended.output);
      assert.is((await world.opsEvents()).at(-1)?.details.outcome, "failed", ended.output);
      const again = await runHere([...FROM_OPS, "--yes"], world);
      assert.match(flat(again), NOTHING);
    } else {
      assert.match(flat(ended), row.abandoned);
      assert.equal(after, before);
      await settled();
    }
  });

let last: Details | undefined;

/** Writes the forged record. @returns what there is then */
async function offered(row: Forgery): Promise<Before> {
  const stored = world.sandbox.stored() as JsonObject;
  last = undefined;
  if (row.value === undefined) {
    last = detailsOf(stored, row);
    append(world, last, row.server);
  } else appendText(world, row.value);
  return observe(world);
}

/** The next row's record is the only one in flight. */
async function settled(): Promise<void> {
  if (last === undefined || last["outcome"] !== "applying") return;
  append(world, { ...last, outcome: "failed" });
}

forged.run();

const asked = suite("a record that cdcctl could have written");

function inWorld(name: string, state: "RUNNING" | "STOPPED", act: (own: ChangedWorld) => Promise<void>): void {
  asked(name, async () => {
    const own = await healthy(state);
    try {
      await act(own);
    } finally {
      await own.close();
    }
  });
}

inWorld("is shown, and carried out only after confirmation", "STOPPED", async (own) => {
  append(own, detailsOf(own.sandbox.stored() as JsonObject, {}));
  const before = await observe(own);
  const shown = await runHere(FROM_OPS, own);
  expectNo(shown);
  assert.is(shown.exit, 64, shown.output);
  assert.match(flat(shown), /resume SCN 2044511 .* 2010000 .*redo address .* removed.* 1 stop orders-cdc/);
  assert.match(flat(shown), /cannot ask for confirmation/);
  const failed = `cdcctl recover --from-ops --context sandbox --connector ${CONNECTOR} --abandon`;
  assert.match(flat(shown), `to record it as failed instead, and change nothing: ${failed}`);
  const decision = /decision (sha256:[0-9a-f]{64})/.exec(shown.output)?.[1] ?? "";
  assert.match(flat(shown), `--expect ${decision}`);
  for (const [flags, exit, says] of [
    [["--expect", `sha256:${"1".repeat(64)}`], 1, /APL810/],
    [["--expect", "3f9c"], 64, /is not a digest/],
  ] as const) {
    const refused = await runHere([...FROM_OPS, ...flags], own);
    assert.is(refused.exit, exit, refused.output);
    assert.match(flat(refused), says);
  }
  assert.equal(await observe(own), before);
  const done = await runHere([...FROM_OPS, "--expect", decision], own);
  assert.is(done.exit, 0, done.output);
  assert.is(own.sandbox.stored()?.["resume_scn"], BACK);
  assert.equal(await outcomes(own), ["applying", "applying", "applied"]);
});

inWorld("is reported in JSON like any plan that checks refuse", "STOPPED", async (own) => {
  append(own, detailsOf(own.sandbox.stored() as JsonObject, to(AHEAD)));
  const before = await observe(own);
  const asJson = await runHere([...FROM_OPS, "--yes", "-o", "json"], own);
  assert.is(asJson.exit, 1, asJson.output);
  schemaTester("apply.schema.json")(asJson.stdout);
  const { documents } = JSON.parse(asJson.stdout) as { readonly documents: readonly Refused[] };
  assert.equal(
    documents.map(({ connector, became, plan }) => [
      connector,
      became,
      plan.findings.filter(({ effect }) => effect === "blocks").map(({ code }) => code),
    ]),
    [[CONNECTOR, "blocked", ["OFF103"]]],
  );
  const asEvents = await runHere([...FROM_OPS, "--yes", "--events"], own);
  assert.is(asEvents.exit, 1, asEvents.output);
  const [event, ...more] = asEvents.stdout.trim().split("\n");
  assert.equal(more, []);
  const { event: is, outcome, code, connector } = JSON.parse(event ?? "");
  assert.equal([is, outcome, code, connector], ["outcome", "refused", "OFF103", CONNECTOR]);
  assert.equal(await observe(own), before);
});

interface Refused {
  readonly connector: string;
  readonly became: string;
  readonly plan: { readonly findings: readonly { readonly code: string; readonly effect: string }[] };
}

inWorld("is carried out in one command with --yes", "STOPPED", async (own) => {
  append(own, detailsOf(own.sandbox.stored() as JsonObject, {}));
  const done = await runHere([...FROM_OPS, "--yes"], own);
  assert.is(done.exit, 0, done.output);
  assert.is(own.sandbox.stored()?.["resume_scn"], BACK);
  assert.is(own.sandbox.connect.requests.filter(({ method }) => method === "PATCH").length, 1);
  assert.equal(await outcomes(own), ["applying", "applying", "applied"]);
  assert.match(flat(await runHere([...FROM_OPS, "--yes"], own)), NOTHING);
});

inWorld("does not move a connector that commits again when it is stopped for it", "RUNNING", async (own) => {
  append(own, detailsOf(own.sandbox.stored() as JsonObject, {}));
  const shown = await runHere([...FROM_OPS, "--yes"], own);
  assert.is(shown.exit, 3, shown.output);
  assert.match(flat(shown), /connector RUNNING; it will be stopped/);
  assert.is(own.sandbox.connect.requests.filter(({ method }) => method === "PATCH").length, 0);
  assert.ok(BigInt(String(own.sandbox.stored()?.["resume_scn"])) > STORED_SCN);
  assert.equal(await outcomes(own), ["applying", "applying"]);
});

inWorld("with a forward move resumes once that is allowed", "STOPPED", async (own) => {
  append(own, detailsOf(own.sandbox.stored() as JsonObject, to(AHEAD)));
  assert.is((await runHere([...FROM_OPS, "--yes"], own)).exit, 1);
  assert.is(own.sandbox.stored()?.["resume_scn"], STORED_SCN);
  const done = await runHere([...FROM_OPS, "--yes", "--allow-skip"], own);
  assert.is(done.exit, 0, done.output);
  assert.is(own.sandbox.stored()?.["resume_scn"], AHEAD);
});

inWorld("that removes named ids from the ledger removes those ids", "STOPPED", async (own) => {
  const forgery = { next: { released_xids: "3:4.9.771" }, details: set("forgotten_released", "3:5.2.802") };
  append(own, detailsOf(own.sandbox.stored() as JsonObject, forgery));
  const done = await runHere([...FROM_OPS, "--yes"], own);
  assert.is(done.exit, 0, done.output);
  assert.is(own.sandbox.stored()?.["released_xids"], "3:4.9.771");
});

inWorld("whose change is already in place is recorded, and its offset not moved", "STOPPED", async (own) => {
  const stored = own.sandbox.stored() as JsonObject;
  append(own, detailsOf(stored, {}));
  assert.is((await runHere([...FROM_OPS, "--yes"], own)).exit, 0);
  // Another run asks for what is stored now: somewhere else it stood before.
  const moved = own.sandbox.stored() as JsonObject;
  const details = detailsOf(stored, {});
  assert.equal(parseJson(String(details["new_offset"])), parseJson(printJson(moved, 0)));
  append(own, details);
  const shown = await runHere(FROM_OPS, own);
  assert.is(shown.exit, 64, shown.output);
  assert.match(flat(shown), /The recorded offset is already stored/);
  const done = await runHere([...FROM_OPS, "--yes"], own);
  assert.is(done.exit, 0, done.output);
  assert.is(printJson(own.sandbox.stored(), 0), printJson(moved, 0));
});

inWorld("whose origin is no longer stored sends nothing, and can be recorded as failed", "STOPPED", async (own) => {
  const stored = own.sandbox.stored() as JsonObject;
  append(own, detailsOf({ ...stored, resume_scn: STORED_SCN - 500n }, {}));
  const before = await observe(own);
  const shown = await runHere([...FROM_OPS, "--yes"], own);
  assert.is(shown.exit, 3, shown.output);
  assert.match(flat(shown), /Neither the previous nor the recorded offset is stored. No offset is sent/);
  const { stored: now, calls: sent } = await observe(own);
  assert.equal([now, sent], [before.stored, before.calls]);
  // Not even when that offset comes back: it was not checked.
  const run = (await own.opsEvents())[0]?.details.run ?? "";
  const ended = await runHere(["recover", run, "--abandon", "--yes"], own);
  assert.is(ended.exit, 0, ended.output);
  assert.is((await own.opsEvents()).at(-1)?.details.outcome, "failed");
});

asked.run();

const outcomesClaimed = suite("a forged outcome");

function claiming(name: string, state: "RUNNING" | "STOPPED", act: (own: ChangedWorld) => Promise<void>): void {
  outcomesClaimed(name, async () => {
    const own = await healthy(state);
    try {
      await act(own);
    } finally {
      await own.close();
    }
  });
}

/** The plan file of a move that leaves the connector as it was. */
const moves = (own: ChangedWorld) =>
  own.writePlan("moves.yaml", planFile("orders-replay", "replay", `scn: ${TARGET_SCN}`, "resume: false"));

async function decisionOf(own: ChangedWorld): Promise<string> {
  const { stdout } = await runHere(["plan", await moves(own), "--format", "json"], own);
  return /"decision":\s*"(sha256:[0-9a-f]{64})"/.exec(stdout)?.[1] ?? "";
}

const apply = async (own: ChangedWorld, ...more: readonly string[]) =>
  runHere(["apply", await moves(own), "--yes", ...LIMITS, ...more], own);

claiming(
  "of the plan's own decision is reported as a claim, and changes nothing without --again",
  "STOPPED",
  async (own) => {
    const decision = await decisionOf(own);
    const target = { ...to(TARGET_SCN), next: { resume_scn: TARGET_SCN } };
    for (const forgery of [{ ...target, next: { resume_scn: TARGET_SCN - 1n } }, target]) {
      const claimed = { ...detailsOf(own.sandbox.stored() as JsonObject, forgery), decision };
      append(own, claimed);
      append(own, { ...claimed, outcome: "applied" });
      const before = await observe(own);
      const planned = await runHere(["plan", own.plan], own);
      assert.is(planned.exit, 0, planned.output);
      assert.not.match(planned.output, /othing to do/);
      const refused = await apply(own);
      expectNo(refused);
      assert.is(refused.exit, 1, refused.output);
      assert.match(
        flat(refused),
        /that run \S+ by mallory \(self-asserted\) applied this at .*, but the stored offset is \{.*--again.*APL812/,
      );
      assert.equal(await observe(own), before);
    }
    const done = await apply(own, "--again");
    assert.is(done.exit, 0, done.output);
    assert.is(own.sandbox.connect.requests.filter(({ method }) => method === "PATCH").length, 1);
  },
);

claiming(
  "of a change in flight that is not the run's own record does not hide another user's change",
  "STOPPED",
  async (own) => {
    const rival = { ...detailsOf(own.sandbox.stored() as JsonObject, {}), operator: "ben" };
    append(own, rival);
    for (const forgery of [
      { operator: "mallory" },
      { decision: `sha256:${"1".repeat(64)}` },
      { operator: "mallory", taken_over: "ben" },
      { run: newRun() },
    ])
      for (const outcome of ["failed", "applied"]) append(own, { ...rival, ...forgery, outcome });
    const before = await observe(own);
    const refused = await apply(own);
    assert.is(refused.exit, 1, refused.output);
    assert.match(flat(refused), /ben \(self-asserted\) began a change to 2010000.*OPS603/);
    assert.equal(await observe(own), before);
  },
);

claiming("that reports an applied change as failed does not cause a second application", "STOPPED", async (own) => {
  assert.is((await apply(own)).exit, 0);
  const applied = (await own.opsEvents()).at(-1)?.details;
  append(own, { ...applied, outcome: "failed", error: "no" } as unknown as Details);
  // The connector has run on since: the stored offset alone does not say that there is nothing to do.
  const stored = own.sandbox.stored() as JsonObject;
  late(own, { ...stored, resume_scn: TARGET_SCN + 40n, journal_generation: 8n });
  const before = await observe(own);
  // Another machine has no journal.
  const again = await apply(own, "--state", join(own.dir, "elsewhere"));
  assert.is(again.exit, 0, again.output);
  assert.match(flat(again), /this decision was already applied/);
  assert.equal(await observe(own), before);
});

claiming("of a run whose journal is unreadable sets no journal aside without --abandon", "STOPPED", async (own) => {
  const claimed = detailsOf(own.sandbox.stored() as JsonObject, {});
  append(own, claimed);
  append(own, { ...claimed, outcome: "applied" });
  const folder = join(own.dir, "state", CLUSTER_ID, CONNECTOR);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${claimed["run"]}.journal.jsonl`), "garbage\n", { mode: 0o600 });
  const kept = await runHere(FROM_OPS, own);
  expectNo(kept);
  assert.match(
    flat(kept),
    inSequence([
      /says that its change to 2010000 was applied, but the stored offset is \{.*; /,
      /its unreadable journal is kept.*--abandon/,
    ]),
  );
  assert.is(runsOf(own).length, 1);
  const aside = await runHere([...FROM_OPS, "--abandon", "--yes"], own);
  assert.match(flat(aside), /the journal is kept as/);
  assert.is(runsOf(own).length, 0);
});

claiming("after a late commit does not make it another user's change", "STOPPED", async (own) => {
  const previous = own.sandbox.stored() as JsonObject;
  assert.is((await apply(own)).exit, 0);
  late(own, previous);
  const undone = await runHere(["status", "--connector", CONNECTOR], own);
  assert.match(flat(undone), /is undone/);
  const claimed = detailsOf(previous, { next: { resume_scn: BACK - 5n }, ...to(BACK - 5n) });
  append(own, claimed);
  append(own, { ...claimed, outcome: "applied" });
  assert.match(flat(await runHere(["status", "--connector", CONNECTOR], own)), /is undone/);
});

/** Stores an offset as a task does. */
function late({ sandbox }: ChangedWorld, offset: JsonObject): void {
  sandbox.connect.cluster.offsets.write(CONNECTOR, [{ partition: { server: PREFIX }, offset }]);
}

outcomesClaimed.run();
