/**
 * Resolved plans that were edited by somebody who can reckon every digest: nothing that was not reviewed is done, shown
 * as reviewed, or told to anybody.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { parseResolvedPlan } from "../../../core/plan/resolved-plan.ts";
import { digestOf } from "../../../core/values/digest.ts";
import { isObject, type Json, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { anyOf } from "../../../core/values/regexp.ts";
import { cdcctl } from "../../commands/catalogue.ts";
import type { Host } from "../../host.ts";
import { run } from "../../main.ts";
import { CANARIES, openChangedWorld } from "../changed-world.ts";
import { OFFSET_CHANGE, PAST_GAP } from "../changes.ts";
import { openMigrationWorld } from "../migration/migration-world.ts";
import { runHere } from "../run-command.ts";
import { leaks, openTrap, type Trap } from "./trap.ts";

const PATIENCE = {
  connect: { callMillis: 8000, patchMillis: 8000, retryMillis: 500, firstContactMillis: 500 },
  kafka: { connectMillis: 6000, requestMillis: 6000 },
};

/** A world, a resolved plan in it, and what may be read nowhere. */
interface Scene {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  /** The resolved plan, as it was written. */
  readonly text: string;
  /** What the workers have been told to change, and everything that is stored. */
  changes(): string;
  close(): Promise<void>;
}

type Kind = "OffsetChange" | "Resnapshot" | "Migration";

const isChange = ({ method, path }: { readonly method: string; readonly path: string }) =>
  method !== "GET" && !path.includes("/validate");

async function scene(kind: Kind): Promise<Scene> {
  if (kind === "Migration") {
    const world = await openMigrationWorld();
    const plan = await world.plan("cutover");
    return planned(world.dir, world.env, world.secrets, plan, {
      changes: () =>
        printJson([world.sandbox.connect.requests.filter(isChange).length, world.stored("legacy"), world.topics()]),
      close: world.close,
    });
  }
  const world = await openChangedWorld(
    { connect: { commitInterval: 1_000_000_000 } },
    kind === "Resnapshot" ? PAST_GAP : OFFSET_CHANGE,
  );
  return planned(world.dir, world.env, CANARIES, world.plan, {
    changes: () => printJson([world.sandbox.connect.requests.filter(isChange).length, world.sandbox.stored() ?? null]),
    close: world.close,
  });
}

async function planned(
  dir: string,
  env: Readonly<Record<string, string>>,
  secrets: readonly string[],
  plan: string,
  of: Pick<Scene, "changes" | "close">,
): Promise<Scene> {
  const out = join(dir, "reviewed.plan.json");
  const { exit, output } = await runHere(["plan", plan, "--out", out], { env, patience: PATIENCE });
  assert.is(exit, 0, output);
  return { dir, env, secrets, text: await readFile(out, "utf8"), ...of };
}

/** How a command came out that could ask. */
interface Asked {
  readonly exit: number;
  readonly output: string;
  /** What had been shown when it asked; undefined: it did not. */
  readonly shown: string | undefined;
}

/** Runs a command at a terminal at which somebody says no. */
async function atTerminal(argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Asked> {
  let output = "";
  let shown: string | undefined;
  const stream = {
    write: (text: string) => {
      output += text;
    },
    colour: false,
    columns: undefined,
  };
  const host: Host = {
    argv,
    env,
    stdout: stream,
    stderr: stream,
    interactive: true,
    ask: async () => {
      shown = output;
      return "no";
    },
    operator: "tester",
    interrupt: new AbortController().signal,
    patience: PATIENCE,
  };
  return { exit: await run(cdcctl, host), output, shown };
}

/** A copy of the file with its first plan edited. @param decided whether the decision is reckoned again too */
function edited(text: string, change: (plan: Record<string, Json>) => void, decided = false): string {
  const { digest: _digest, ...body } = parseJson(text) as Record<string, Json>;
  const [plan] = body["plans"] as Record<string, Json>[];
  if (plan === undefined) throw new Error("a resolved plan without a plan");
  change(plan);
  if (decided && plan["decided"] !== undefined) {
    plan["decision"] = digestOf(plan["decided"]);
    body["decision"] = plan["decision"];
  }
  return `${printJson({ ...body, digest: digestOf(body) })}\n`;
}

type Path = readonly (string | number)[];

function setAt(root: Record<string, Json>, path: Path, value: Json | undefined): void {
  const last = path.at(-1) ?? "";
  const at = path.slice(0, -1).reduce<Json>((one, step) => (one as Record<string | number, Json>)[step] ?? null, root);
  const members = at as Record<string | number, Json>;
  if (value === undefined) delete members[last];
  else Object.defineProperty(members, last, { value, enumerable: true, configurable: true, writable: true });
}

function getAt(root: Json, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((one, step) => (one as Record<string | number, Json> | undefined)?.[step], root);
}

/** Every member, and the first item of every list. */
function members(value: Json, path: Path = []): readonly Path[] {
  const own = path.length === 0 ? [] : [path];
  if (Array.isArray(value)) return value.length === 0 ? own : [...own, ...members(value[0] ?? null, [...path, 0])];
  if (!isObject(value)) return own;
  return [...own, ...Object.entries(value).flatMap(([name, member]) => members(member, [...path, name]))];
}

/** Something else of the same type. */
function another(value: Json | undefined): Json {
  if (typeof value === "bigint") return value + 1n;
  if (typeof value === "boolean") return !value;
  if (typeof value === "string") return `mallory-${value}`;
  if (Array.isArray(value)) return [...value, "mallory"];
  return { mallory: "mallory" };
}

const STRANGE: readonly (Json | undefined)[] = [
  undefined,
  null,
  [],
  {},
  7n,
  -1n,
  "",
  "mallory",
  [null],
  true,
  "2026-99-99T99:99:99Z",
];

const edits = suite("an edited resolved plan");

const scenes = new Map<Kind, Promise<Scene>>();
const sceneOf = (kind: Kind): Promise<Scene> => {
  const there = scenes.get(kind) ?? scene(kind);
  scenes.set(kind, there);
  return there;
};
let trap: Trap;
edits.before(async () => {
  trap = await openTrap(() => "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n");
});
edits.after(async () => {
  await trap.close();
  for (const one of scenes.values()) await (await one).close();
});

let files = 0;

/**
 * Applies an edited file, at a terminal or with words. Whatever it says, nothing is changed, told to the trap, or a
 * bug.
 */
async function applyEdited(of: Scene, text: string, ...words: readonly string[]): Promise<Asked> {
  const path = join(of.dir, `edited-${files++}.plan.json`);
  await writeFile(path, text);
  const before = of.changes();
  const ended = await atTerminal(["apply", path, ...words], of.env);
  assert.is(of.changes(), before, ended.output);
  assert.ok(ended.exit === 1 || ended.exit === 64, `exit ${ended.exit}\n${ended.output}`);
  assert.equal(leaks(of.secrets, { trap: trap.received(), output: ended.output, shown: ended.shown ?? "" }), []);
  return ended;
}

/** What was reviewed: what `--expect` is given. */
async function approvalOf({ text }: Scene): Promise<string> {
  return String((parseJson(text) as JsonObject)["approval"]);
}

/**
 * Members of an intent that decide nothing by themselves: of these one like another may stand in a plan file. What they
 * lead to is planned, shown and asked for.
 */
const FREE = anyOf([
  /^target\.(context|connectUrl)/,
  /^(origin|verify|tables)(\.|$)/,
  /^(evidence|readRowScns|deleteTopics|deleteLicenceTopic|position)/,
]);

for (const kind of ["OffsetChange", "Resnapshot", "Migration"] as const) {
  edits(`${kind}: unedited it is shown and asked for, and answering No changes nothing`, async () => {
    const of = await sceneOf(kind);
    const { shown, exit } = await applyEdited(of, of.text);
    assert.is(exit, 1);
    assert.match(shown ?? "", `decision ${String((parseJson(of.text) as JsonObject)["decision"]).slice(0, 19)}`);
  });

  edits(
    `${kind}: every member of its intent edited is refused before anybody is asked, or leads to nothing that was ` +
      "not shown",
    async () => {
      const of = await sceneOf(kind);
      const [plan] = (parseJson(of.text) as { readonly plans: readonly JsonObject[] }).plans;
      const paths = members(plan?.["intent"] ?? null);
      assert.ok(paths.length > 10);
      for (const path of paths) {
        const value = another(getAt(plan?.["intent"] ?? null, path));
        const text = edited(of.text, (one) => setAt(one, ["intent", ...path], value));
        const isFree = FREE.test(path.join("."));
        const words = isFree ? [] : ["--expect", await approvalOf(of)];
        const ended = await applyEdited(of, text, ...words).catch((error: Error) => {
          throw new Error(`intent.${path.join(".")}: ${error.message}`);
        });
        if (!isFree) assert.match(ended.output, /APL802|not one of a plan file|holds no plan/, path.join("."));
      }
    },
  );

  edits(`${kind}: every edited member of its decision, with digests computed again, is another decision`, async () => {
    const of = await sceneOf(kind);
    const [plan] = (parseJson(of.text) as { readonly plans: readonly JsonObject[] }).plans;
    for (const path of members(plan?.["decided"] ?? null).filter((one) => one.length < 3)) {
      const change = (one: Record<string, Json>) =>
        setAt(one, ["decided", ...path], another(getAt(plan?.["decided"] ?? null, path)));
      const genuine = await applyEdited(of, edited(of.text, change), "--yes");
      assert.is(genuine.exit, 64, `${path.join(".")}\n${genuine.output}`);
      const ended = await applyEdited(of, edited(of.text, change, true), "--expect", await approvalOf(of));
      assert.match(ended.output, /APL8(02|10)|holds no plan/, path.join("."));
    }
  });

  edits(`${kind}: its texts are not shown when it is applied`, async () => {
    const of = await sceneOf(kind);
    const text = edited(of.text, (plan) => {
      for (const path of members(plan)) {
        const [first = ""] = path;
        if (["intent", "decided", "decision", "plannedAt"].includes(String(first)) || path.includes("clusterId"))
          continue;
        const value = getAt(plan, path);
        if (typeof value !== "string" || /^\d{4}-|^sha256:/.test(value)) continue;
        const kept = edited(of.text, (one) => setAt(one, path, "mallory says that all is well"));
        if (isReadable(kept, of)) setAt(plan, path, "mallory says that all is well");
      }
    });
    assert.ok(text.split("mallory says").length > 10);
    const { shown, output, exit } = await applyEdited(of, text);
    assert.is(exit, 1, output);
    assert.ok(shown !== undefined, output);
    assert.not.match(output, /mallory/);
  });

  for (const [turn, format] of ["text", "markdown", "json"].entries())
    edits(`${kind}: whatever replaces a member, show --format ${format} shows or refuses it`, async () => {
      const of = await sceneOf(kind);
      const [plan] = (parseJson(of.text) as { readonly plans: readonly JsonObject[] }).plans;
      const path = join(of.dir, `shown-${format}.plan.json`);
      // Each member in one of the formats: they are many.
      for (const [index, member] of members(plan ?? null).entries()) {
        if (index % 3 !== turn) continue;
        const value = STRANGE[index % STRANGE.length];
        await writeFile(
          path,
          edited(of.text, (one) => setAt(one, member, value), member[0] === "decided"),
        );
        const { exit, output } = await atTerminal(["show", path, "--format", format], of.env);
        assert.ok(
          [0, 1, 64].includes(exit),
          `${member.join(".")} = ${value === undefined ? "nothing" : printJson(value, 0)}: exit ` +
            `${exit}\n${output.slice(0, 2000)}`,
        );
      }
    });
}

const read = new Map<string, boolean>();

/** Whether a file is one that could be applied: its form holds it to some texts. */
function isReadable(text: string, { dir }: Scene): boolean {
  const key = `${dir}${digestOf(text)}`;
  const known = read.get(key);
  if (known !== undefined) return known;
  let fits = true;
  try {
    parseResolvedPlan(text, "x");
  } catch {
    fits = false;
  }
  read.set(key, fits);
  return fits;
}

// ---- Hosts, logins and references ---------------------------------------------------------------------------------

const HOSTS: readonly (readonly [string, (address: string) => string])[] = [
  ["cdc.database.host", () => "127.0.0.1"],
  ["cdc.database.port", (address) => address.split(":")[1] ?? ""],
  ["cdc.database.url", (address) => `jdbc:oracle:thin:@//${address}/ORCLCDB`],
  ["cdc.database.service", () => "MALLORY"],
  ["cdc.database.user", () => "mallory"],
  ["cdc.database.password", () => "$" + "{env:CONNECT_PASSWORD}"],
  ["cdc.database.wallet.location", () => "/etc"],
  ["cdc.database.connection.properties", (address) => `oracle.net.wallet_location=${address}`],
  ["cdc.stream.bootstrap.servers", (address) => address],
  ["cdc.stream.sasl.jaas.config", () => "$" + "{file:/etc/passwd:root}"],
  ["cdc.kafka.bootstrap.servers", (address) => address],
  ["producer.override.bootstrap.servers", (address) => address],
  ["admin.override.sasl.jaas.config", () => "x"],
  ["value.converter.schema.registry.url", (address) => `http://${address}`],
  ["transforms.x.endpoint", (address) => `http://${address}`],
  ["cdc.lob.mode", () => "$" + "{file:/etc/passwd:root}"],
  ["cdc.lob.mode", () => "$" + "{env:CONNECT_PASSWORD}"],
  ["cdc.lob.mode", (address) => `http://${address}`],
  ["cdc.lob.mode", () => "scott@mallory"],
  ["cdc.lob.mode", () => "inline"],
  ["connector.class", () => "FileStreamSource"],
  ["tasks.max", () => "8"],
  ["name", () => "mallory"],
  ["cdc.topic.prefix", () => "mallory"],
  ["cdc.start.scn", () => "1"],
  ["cdc.snapshot.mode", () => "initial"],
  ["config.providers", () => "file"],
  ["__proto__", () => "mallory"],
  ["constructor", () => "mallory"],
];

for (const [name, value] of HOSTS)
  for (const flags of ["--yes", "--expect"])
    edits(
      `Migration: ${name} = ${value("HOST:PORT")} in its settings causes no login to be sent (${flags})`,
      async () => {
        const of = await sceneOf("Migration");
        const calls = trap.calls;
        const text = edited(of.text, (plan) => setAt(plan, ["intent", "to", "config", name], value(trap.address)));
        const words = flags === "--yes" ? ["--yes"] : ["--expect", await approvalOf(of)];
        const ended = await applyEdited(of, text, ...words);
        assert.is(ended.shown, undefined);
        assert.match(ended.output, /APL802|not one of a plan file/);
        assert.is(trap.calls, calls);
      },
    );

const TARGETS: readonly (readonly [string, Kind, Path, (address: string) => Json | undefined])[] = (
  ["OffsetChange", "Resnapshot", "Migration"] as const
).flatMap((kind): (readonly [string, Kind, Path, (address: string) => Json | undefined])[] => [
  ["another worker beside its context", kind, ["target", "connectUrl"], (address) => `http://${address}`],
  ["a worker with a login", kind, ["target", "connectUrl"], (address) => `http://cdcctl:x@${address}`],
  ["a worker that is a reference", kind, ["target", "connectUrl"], () => "$" + "{env:CONNECT_PASSWORD}"],
  ["a worker that is a file", kind, ["target", "connectUrl"], () => "file:///etc/passwd"],
  ["a context that does not exist", kind, ["target", "context"], () => "mallory"],
  ["a context that is a reference", kind, ["target", "context"], () => "$" + "{env:CONNECT_PASSWORD}"],
  ["a context named __proto__", kind, ["target", "context"], () => "__proto__"],
  ["no context", kind, ["target", "context"], () => undefined],
  ["another connector", kind, ["target", "connector"], () => "billing-cdc"],
  ["a connector with a path", kind, ["target", "connector"], () => "../../x"],
  ["orders of the command line", kind, ["origin", "by"], () => "admin"],
  ["orders of the ops topic", kind, ["origin", "by"], () => "ops topic"],
  ["another reason", kind, ["metadata", "reason"], () => "as agreed"],
  ["a reason on two lines", kind, ["metadata", "reason"], () => "as\nagreed"],
  ["a name with a path", kind, ["metadata", "name"], () => "../../x"],
  ["one more accepted finding", kind, ["accept"], () => ["TRX501"]],
  ["a refusal accepted", kind, ["accept"], () => ["OFF103"]],
  ["an unknown code", kind, ["accept"], () => ["XXX999"]],
]);

for (const [what, kind, path, value] of TARGETS)
  edits(`${kind}: with ${what} it changes nothing, and no login is sent`, async () => {
    const of = await sceneOf(kind);
    const text = edited(of.text, (plan) => setAt(plan, ["intent", ...path], value(trap.address)));
    const ended = await applyEdited(of, text, "--expect", await approvalOf(of));
    assert.is(ended.shown, undefined);
  });

edits("Migration: another evidence file than the reviewed one is another place", async () => {
  const of = await sceneOf("Migration");
  const text = edited(of.text, (plan) => setAt(plan, ["intent", "evidence"], "elsewhere.evidence.json"));
  const ended = await applyEdited(of, text, "--expect", await approvalOf(of));
  assert.match(ended.output, /APL8(02|10)/);
});

edits("OffsetChange: a worker that the plan names gets no login, and nothing is applied there", async () => {
  const of = await sceneOf("OffsetChange");
  const text = edited(of.text, (plan) => {
    setAt(plan, ["intent", "target", "context"], undefined);
    setAt(plan, ["intent", "target", "connectUrl"], `http://${trap.address}`);
  });
  const calls = trap.calls;
  await applyEdited(of, text, "--yes");
  assert.ok(trap.calls > calls);
});

const POSITIONS: readonly (readonly [string, Json])[] = [
  ["another SCN", { to: "scn", scn: 2_044_900n }],
  ["an SCN above any", { to: "scn", scn: 2n ** 63n }],
  ["SCN 0", { to: "scn", scn: 0n }],
  ["a negative SCN", { to: "scn", scn: -1n }],
  ["a moment that does not exist", { to: "timestamp", timestamp: "2026-99-99T00:00:00Z" }],
  ["an offset to restore", { to: "restore", run: "x", offset: { v: 1n, resume_scn: 5n }, replacing: {} }],
  [
    "an offset of version 7",
    { to: "restore", run: "x", offset: { v: 7n, resume_scn: 5n, mine: "x" }, replacing: { v: 1n } },
  ],
  ["nothing", {}],
  ["null", null],
];
for (const [what, position] of POSITIONS)
  for (const by of ["plan file", "rollback"])
    edits(`OffsetChange: with ${what} as target, by a ${by}, it is not accepted as the decision`, async () => {
      const of = await sceneOf("OffsetChange");
      const text = edited(of.text, (plan) => {
        setAt(plan, ["intent", "position"], position);
        setAt(plan, ["intent", "origin", "by"], by);
      });
      const ended = await applyEdited(of, text, "--yes");
      assert.is(ended.shown, undefined);
      assert.match(ended.output, /APL802|not one of a plan file|holds no plan|restores an offset/);
    });

edits("a rollback that restores more than a run changed is refused, whatever the decision", async () => {
  const of = await sceneOf("OffsetChange");
  const before = { v: 1n, resume_scn: 2_044_511n, dbid: 2_914_731_004n, resetlogs_scn: 1n };
  for (const other of [{ dbid: 7n }, { v: 7n }, { mine: "x" }, { last_commit_scn: 5n }]) {
    const position = {
      to: "restore",
      run: "x",
      offset: { ...before, ...other },
      replacing: { ...before, resume_scn: 2_010_000n },
    };
    const text = edited(
      of.text,
      (plan) => {
        setAt(plan, ["intent", "position"], position);
        setAt(plan, ["intent", "origin", "by"], "rollback");
        setAt(plan, ["decided", "restore"], position.offset);
        setAt(plan, ["decided", "scn"], 2_044_511n);
      },
      true,
    );
    const ended = await applyEdited(of, text, "--yes");
    assert.match(ended.output, /restores an offset that no run has moved|spec has none of scn/);
  }
});

for (const kind of ["OffsetChange", "Resnapshot", "Migration"] as const)
  edits(
    `${kind}: twice in one file it is refused, since each would be planned from an offset that the other moves`,
    async () => {
      const of = await sceneOf(kind);
      const { digest: _digest, ...body } = parseJson(of.text) as Record<string, Json>;
      const [plan] = body["plans"] as JsonObject[];
      const plans = [plan ?? null, plan ?? null];
      const twice = { ...body, plans, decision: digestOf([plan?.["decision"], plan?.["decision"]]) };
      const ended = await applyEdited(of, `${printJson({ ...twice, digest: digestOf(twice) })}\n`, "--yes");
      assert.is(ended.exit, 64, ended.output);
      assert.match(ended.output, /is the target twice/);
    },
  );

edits.run();
