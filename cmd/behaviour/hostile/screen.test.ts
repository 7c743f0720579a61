/**
 * Text of others on the screen: wherever it comes in, in every command and form that shows it, it moves no cursor,
 * turns no reading direction, begins no line, and is neither markup, nor a link, nor a command to a pipeline's runner.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { digestOf } from "../../../core/values/digest.ts";
import { UNSEEN, unseen } from "../../../core/values/escape.ts";
import { type Json, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import { healthyWorld } from "../../../providers/sandbox/oracle/world.ts";
import { CONNECTOR, PREFIX, STORED_SCN, storedOffset } from "../../../providers/sandbox/sandbox.ts";
import { planFile } from "../../../providers/sandbox/scenario.ts";
import { everyOther } from "../../dev/pairs.ts";
import { type ChangedWorld, OPS_TOPIC, openChangedWorld } from "../changed-world.ts";
import { type Change, OFFSET_CHANGE, PAST_GAP } from "../changes.ts";
import { PATIENCE } from "../injected-faults.ts";
import { type Finished, runHere } from "../run-command.ts";

const LIMITS = ["--settle", "50ms", "--stop-timeout", "1s", "--resume-timeout", "1s", "--timeout", "2s"];

/** What a line, a picture or a page would be made of. None is longer than what the shortest view shows of a name. */
const TEXTS: Readonly<Record<string, string>> = {
  "controls, directions and line ends":
    "a\nFORGED-LINE\r\u001b[2J\u001b[31m\u009bK\u0085\u2028\u202e\u2066\u200b\ufeff\u{e0041}\ud800\b\u007f",
  "a fence, a script and a row": "b\n```\nFORGED-LINE\n</code><script>",
  "a runner's commands": "::error::FORGED ##vso[task.complete]FORGED ##[group]FORGED",
  markup: "<img src=x>[FORGED](x:1)|`c`|**i**|@FORGED",
};
const ALL = Object.entries(TEXTS);

/** Every command of a place, with the words before `--format`; a form that it does not have is left out. */
interface Said {
  readonly argv: readonly string[];
  readonly formats?: readonly (typeof FOUND)[number][];
  /** A page that it writes. */
  readonly page?: boolean;
}

interface Place {
  readonly place: string;
  readonly world?: (hostile: string) => Parameters<typeof openChangedWorld>[0];
  readonly change?: Change;
  /** Puts the text where it comes from. */
  readonly arrange?: (world: ChangedWorld, hostile: string) => Promise<void> | void;
  readonly says: (world: ChangedWorld, hostile: string) => readonly Said[];
  /**
   * Whether the text (what of it can be seen) is shown by some command at all: a place that shows nothing would prove
   * nothing.
   */
  readonly shown?: false | "where it is on one line";
  /** Only files are changed: one world does for all of these places. */
  readonly files?: true;
}

const EVERY = ["text", "json", "markdown", "html"] as const;
const FOUND = [...EVERY, "sarif", "junit"] as const;
const TWO = ["text", "json"] as const;

const plan: Said = { argv: ["plan", "PLAN"], formats: FOUND };
const page: Said = { argv: ["report", "PLAN"], page: true };
const offsets: Said = {
  argv: ["admin", "offsets", "show", "--context", "sandbox", "--name", CONNECTOR],
  formats: EVERY,
};

/** The reviewed plan or the recorded facts, with a member changed and every digest reckoned again. */
async function edited(world: ChangedWorld, what: "plan" | "observe", edit: (file: JsonObject) => Json): Promise<void> {
  const path = join(world.dir, `${what}.json`);
  if (!existsSync(path)) {
    const { exit, output } = await runHere([what, world.plan, "--out", path], { env: world.env, patience: PATIENCE });
    assert.is(exit, 0, output);
  }
  const { digest: _, ...body } = parseJson(await readFile(path, "utf8")) as JsonObject;
  const changed = edit(body) as JsonObject;
  const text = `${printJson({ ...changed, digest: digestOf(changed) })}\n`;
  await writeFile(join(world.dir, "edited.json"), text, { mode: 0o600 });
}

function withText(tree: Json, path: readonly string[], hostile: string): Json {
  const [first, ...rest] = path;
  if (first === undefined) return hostile;
  if (Array.isArray(tree)) return tree.map((one, i) => (`${i}` === first ? withText(one, rest, hostile) : one));
  const members = tree as JsonObject;
  return { ...members, [first]: withText(members[first] ?? {}, rest, hostile) };
}

function opsRecord(world: ChangedWorld, details: JsonObject): void {
  const value = {
    v: 1n,
    type: "offsets-set",
    ts_ms: BigInt(Date.now()),
    server: PREFIX,
    resume_scn: null,
    details: {
      connector: CONNECTOR,
      command: "offsets set",
      reason: "replay",
      operator: "ben",
      direction: "backward",
      previous_resume_scn: `${STORED_SCN}`,
      new_resume_scn: "2010000",
      outcome: "applying",
      ...details,
    },
  };
  world.sandbox.broker.append(OPS_TOPIC, {
    key: Buffer.from(printJson({ server: PREFIX }, 0)),
    value: Buffer.from(printJson(value, 0)),
  });
}

const fromOps: Said = {
  argv: ["recover", "--from-ops", "--context", "sandbox", "--connector", CONNECTOR, ...LIMITS],
};

/** What shows a change in flight. */
const elsewhere: readonly Said[] = [
  { argv: ["status", "--context", "sandbox"], formats: EVERY },
  { argv: ["status", "--context", "sandbox", "--fail-on", "undone,in-flight"], formats: EVERY },
  // The text wraps its cells, each within its column.
  { argv: ["history", "--ops", "--context", "sandbox"], formats: ["json", "markdown", "html"] },
  { argv: ["connectors", "list", "--context", "sandbox"], formats: EVERY },
];

const PLACES: readonly Place[] = [
  {
    place: "the reason of a plan file",
    change: OFFSET_CHANGE,
    arrange: async (world, hostile) => {
      await writeFile(
        world.plan,
        planFile("orders-replay", "PLACE", "scn: 2010000").replace("reason: PLACE", `reason: ${printJson(hostile, 0)}`),
      );
    },
    shown: "where it is on one line",
    says: () => [plan, page, { argv: ["validate", "PLAN"], formats: TWO }],
  },
  {
    place: "the name in a plan file",
    arrange: async (world, hostile) => {
      await writeFile(world.plan, OFFSET_CHANGE.plan.replace("name: orders-replay", `name: ${printJson(hostile, 0)}`));
    },
    shown: "where it is on one line",
    says: () => [plan, { argv: ["validate", "PLAN"], formats: TWO }],
  },
  {
    place: "the connector in a plan file",
    arrange: async (world, hostile) => {
      await writeFile(
        world.plan,
        OFFSET_CHANGE.plan.replace(`connector: ${CONNECTOR}`, `connector: ${printJson(hostile, 0)}`),
      );
    },
    shown: "where it is on one line",
    says: () => [plan, { argv: ["validate", "PLAN"], formats: TWO }],
  },
  {
    place: "a connector that is asked for",
    says: (_, hostile) => [
      { argv: ["admin", "offsets", "show", "--context", "sandbox", "--name", hostile], formats: EVERY },
      { argv: ["recover", "--from-ops", "--context", "sandbox", "--connector", hostile] },
      { argv: ["status", "--no-check", "--connector", hostile], formats: EVERY },
    ],
  },
  {
    place: "a file's name",
    arrange: (world, hostile) => {
      writeFileSync(join(world.dir, fileOf(hostile)), readFileSync(world.plan));
      writeFileSync(join(world.dir, `${fileOf(hostile)}.bad`), "kind: [", { mode: 0o600 });
    },
    says: (world, hostile) => [
      { argv: ["plan", join(world.dir, fileOf(hostile))], formats: EVERY },
      { argv: ["validate", join(world.dir, fileOf(hostile))], formats: TWO },
      { argv: ["plan", join(world.dir, `${fileOf(hostile)}.bad`)], formats: EVERY },
      { argv: ["show", join(world.dir, `${fileOf(hostile)}.bad`)] },
      { argv: ["plan", join(world.dir, fileOf(hostile)), "--out", join(world.dir, `${fileOf(hostile)}.out`)] },
      { argv: ["observe", join(world.dir, fileOf(hostile)), "--out", join(world.dir, `${fileOf(hostile)}.facts`)] },
      { argv: ["init", "OffsetChange", "--out", join(world.dir, `${fileOf(hostile)}.new`)] },
    ],
  },
  {
    place: "the name of a run on disk",
    arrange: (world, hostile) => {
      const folder = join(world.dir, "state", "4L6g3nShT-eMCtK--X86sw", CONNECTOR);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${fileOf(hostile)}.jsonl`), "nothing\n", { mode: 0o600 });
      writeFileSync(join(folder, "2026-11-21T09-15-40Z-7f3a.jsonl"), `${hostile}\n`, { mode: 0o600 });
    },
    says: () => [
      { argv: ["status", "--no-check"], formats: EVERY },
      { argv: ["history"], formats: EVERY },
      { argv: ["recover"] },
    ],
    shown: false,
  },
  {
    place: "a run that is asked for",
    says: (_, hostile) => [
      { argv: ["show", `2026-11-21T${hostile}`] },
      { argv: ["recover", hostile] },
      { argv: ["rollback", hostile] },
      { argv: ["explain", hostile] },
      { argv: ["schema", hostile] },
      { argv: [hostile] },
      { argv: ["plan", "PLAN", `--${hostile}`] },
    ],
  },
  ...(
    [
      ["plannedAt", ["plans", "0", "plannedAt"]],
      ["the version", ["cdcctl"]],
      ["an outcome", ["plans", "0", "outcome", "state"]],
      ["a finding", ["plans", "0", "findings", "0", "seen"]],
      ["a finding's remedy", ["plans", "0", "findings", "0", "remedies", "0"]],
      ["a finding's code", ["plans", "0", "findings", "0", "code"]],
      ["a host", ["plans", "0", "world", "connectUrl"]],
      ["the zone", ["plans", "0", "world", "zone"]],
      ["a decision", ["plans", "0", "decision"]],
      ["a field of the offset", ["plans", "0", "offset", "rows", "0", "field"]],
      ["a value of the offset", ["plans", "0", "offset", "rows", "0", "before", "text"]],
      ["a time of the offset", ["plans", "0", "offset", "rows", "0", "before", "at"]],
      ["the intent's name", ["plans", "0", "intent", "metadata", "name"]],
      ["the intent's ticket", ["plans", "0", "intent", "metadata", "ticket"]],
    ] as const
  ).map(
    ([what, path]): Place => ({
      place: `${what} in a resolved plan`,
      arrange: (world, hostile) => edited(world, "plan", (file) => withText(file, path, hostile)),
      says: () => [
        { argv: ["show", "EDITED"], formats: EVERY },
        { argv: ["report", "EDITED"], page: true },
      ],
      shown: false,
      files: true,
    }),
  ),
  ...(
    [
      ["their time", ["at"]],
      ["a record's time", ["database", "value", "at"]],
      ["the connector's class", ["connector", "settings", "connectorClass"]],
      ["the connector's state", ["connector", "status", "state"]],
      ["the connector's trace", ["connector", "status", "trace"]],
      ["a setting", ["connector", "config", "cdc.note"]],
      ["the database's name", ["database", "value", "name"]],
      ["the database's zone", ["database", "value", "zone"]],
      ["why nothing is known", ["redo", "why"]],
    ] as const
  ).map(
    ([what, path]): Place => ({
      place: `${what} in recorded facts`,
      arrange: (world, hostile) =>
        edited(world, "observe", (file) => withText(file, ["observations", "0", "facts", ...path], hostile)),
      says: () => [{ argv: ["plan", "--facts", "EDITED", "PLAN"], formats: ["text", "markdown"] }],
      shown: false,
      files: true,
    }),
  ),
  {
    place: "the stored offset",
    world: (hostile) => ({
      offset: { ...storedOffset(healthyWorld()), [hostile]: hostile, resume_rs_id: hostile } as JsonObject,
    }),
    says: () => [offsets, plan, page],
  },
  {
    place: "an offset of another version",
    world: (hostile) => ({ offset: { v: hostile, resume_scn: hostile, snapshot: hostile } as JsonObject }),
    says: () => [offsets, plan, page],
  },
  ...(["operator", "reason", "command", "error", "direction"] as const).map(
    (name): Place => ({
      place: `the ${name} of a record of the ops topic`,
      arrange: (world, hostile) =>
        opsRecord(world, { run: "2026-11-21T09-15-40Z-7f3a", [name]: hostile, new_offset: "x" }),
      says: () => [plan, page, ...elsewhere, fromOps, { argv: ["apply", "PLAN", "--yes", ...LIMITS] }],
      ...(name === "error" ? { shown: false } : {}),
    }),
  ),
  ...(["run", "decision", "new_resume_scn", "previous_resume_scn", "connector", "tables", "signal_id"] as const).map(
    (name): Place => ({
      place: `the ${name} of a record of the ops topic`,
      arrange: (world, hostile) => opsRecord(world, { run: "2026-11-21T09-15-40Z-7f3a", [name]: hostile }),
      says: () => [plan, page, ...elsewhere, fromOps],
      shown: false,
    }),
  ),
  {
    place: "a worker's error",
    arrange: ({ sandbox }, hostile) => {
      sandbox.connect.fail(({ path }) =>
        path.endsWith("/offsets") ? { says: `no: ${hostile}`, status: 400 } : undefined,
      );
    },
    says: () => [offsets, plan, page, { argv: ["apply", "PLAN", "--yes", ...LIMITS] }],
  },
  {
    place: "a worker's error at a change",
    arrange: ({ sandbox }, hostile) => {
      sandbox.connect.fail(({ method, path }) =>
        method === "PUT" && path.endsWith("/stop") ? { says: `no: ${hostile}`, status: 400 } : undefined,
      );
    },
    says: () => [
      { argv: ["apply", "PLAN", "--yes", ...LIMITS] },
      { argv: ["history"], formats: EVERY },
      { argv: ["status", "--no-check"], formats: EVERY },
    ],
  },
  {
    place: "title and message of a rule",
    arrange: (world, hostile) => {
      mkdirSync(join(world.dir, "rules"));
      const text = printJson(hostile, 0);
      for (const [name, condition] of [
        ["denies", "deny: 'true'"],
        ["fails", "warn: plan.figures.nothing == 1"],
      ])
        writeFileSync(join(world.dir, `rules/${name}.yaml`), `title: ${text}\n${condition}\nmessage: ${text}\n`);
    },
    shown: "where it is on one line",
    says: (world) => [
      { argv: ["plan", "PLAN", "--policy", join(world.dir, "rules")], formats: FOUND },
      { argv: ["policy", "test", join(world.dir, "rules")], formats: EVERY },
    ],
  },
  {
    place: "a rule that can't be read, and its name",
    arrange: (world, hostile) => {
      mkdirSync(join(world.dir, "rules"));
      const text = `title: A\ndeny: ${printJson(hostile, 0)}\nmessage: M\n`;
      writeFileSync(join(world.dir, "rules", `${fileOf(hostile)}.yaml`), text);
    },
    says: (world) => [
      { argv: ["plan", "PLAN", "--policy", join(world.dir, "rules")], formats: FOUND },
      { argv: ["policy", "test", join(world.dir, "rules")], formats: EVERY },
    ],
  },
  {
    place: "who stopped a connector, and why",
    arrange: (world, hostile) => {
      const details = { connector: CONNECTOR, operator: hostile, reason: hostile, ticket: hostile };
      const value = { v: 1n, type: "connector-stopped", ts_ms: BigInt(Date.now()), server: PREFIX, details };
      world.sandbox.broker.append(OPS_TOPIC, {
        key: Buffer.from(printJson({ server: PREFIX }, 0)),
        value: Buffer.from(printJson(value, 0)),
      });
    },
    world: () => ({ state: "STOPPED" }),
    says: () => [{ argv: ["connectors", "show", CONNECTOR, "--context", "sandbox"], formats: EVERY }, ...elsewhere],
  },
  {
    place: "the connector's configuration",
    world: (hostile) => ({
      config: { "cdc.note": hostile, "value.converter": hostile, "cdc.archive.destination": hostile },
    }),
    says: () => [plan, page, { argv: ["observe", "PLAN", "--out", "NEW"] }],
    shown: false,
  },
  {
    place: "the names of the connector's topics",
    world: (hostile) => ({ config: { "cdc.ops.topic": hostile, "cdc.tx.journal.topic": hostile } }),
    says: () => [plan, page],
  },
  {
    place: "the connector's class",
    world: (hostile) => ({ config: { "connector.class": hostile } }),
    // what is no class's name is hidden, as every value that is not known to be harmless
    says: () => [plan, offsets],
    shown: false,
  },
  {
    place: "names in the database",
    change: PAST_GAP,
    world: (hostile) => ({
      oracle: (world) => {
        PAST_GAP.world.oracle?.(world);
        world.tables = world.tables.map((table, i) =>
          i % 2 === 0 ? table : { ...table, owner: hostile, name: hostile },
        );
        world.destinations = world.destinations.map((one) => ({ ...one, name: hostile }));
        world.archivedLogs = world.archivedLogs.map((one) => ({ ...one, name: `/${hostile}` }));
        world.database.name = "ORCLCDB";
      },
    }),
    says: () => [plan, page],
  },
  {
    place: "who holds an open transaction",
    world: (hostile) => ({
      oracle: (world) => {
        world.transactions = [
          {
            instance: 1n,
            container: 3n,
            usn: 9n,
            slot: 4n,
            sequence: 1207n,
            startScn: 2_005_000n,
            startTime: world.scnTimes.timeOf(2_005_000n),
            user: hostile,
            clientId: hostile,
          },
        ];
      },
    }),
    says: () => [
      plan,
      page,
      { argv: ["admin", "transactions", "--context", "sandbox", "--name", CONNECTOR], formats: EVERY },
    ],
  },
];

/** A name that a file can have. */
function fileOf(hostile: string): string {
  return hostile.replaceAll("/", "_").replaceAll("\u0000", "");
}

/** What of a line of text is one by what the outside says. */
const OWN_LINE = /^\s*(?:FORGED|```\s*FORGED)/m;

function checkText(what: string, text: string): void {
  const shown = text.replaceAll(/[⚠☑]\ufe0f/gu, "");
  const kept = [...shown.matchAll(UNSEEN)].map(([one]) => one).filter((one) => one !== "\n");
  assert.equal(kept, [], `${what}: ${JSON.stringify(shown.slice(0, 4000))}`);
  assert.not.match(shown, OWN_LINE, what);
}

/** Checks the parts of Markdown that are not code: what looks like markup there is markup. */
function checkMarkdown(what: string, text: string): void {
  const fences = text.split("\n").filter((line) => /^`{3,}/.test(line));
  assert.is(fences.length % 2, 0, `${what}: ${text}`);
  const bare = text.replaceAll(/^(`{3,})\w*\n[\s\S]*?^\1$/gm, "").replaceAll(/`[^`\n]+`/g, "");
  const own = /^(?:<details><summary>[A-Za-z ]+<\/summary>|<\/details>)$/gm;
  assert.not.match(bare.replaceAll(own, ""), /<(?!br>|\/?code>)/, `${what}: ${bare}`);
  assert.not.match(bare, /(?<!\\)\[FORGED|!\[FORGED/, `${what}: ${bare}`);
  assert.not.match(bare, /@FORGED|https:\/\/e\.test|(?<!\\)\*\*i\*\*/, `${what}: ${bare}`);
  for (const table of bare.matchAll(/^\|.*\n\|(?: -+:? \||(?: ---:? \|))+\n(?:\|.*\n)+/gm)) {
    const cells = table[0]
      .trimEnd()
      .split("\n")
      .map((row) => row.split("|").length);
    assert.equal([...new Set(cells)].length, 1, `${what}: ${table[0]}`);
  }
}

function checkHtml(what: string, html: string): void {
  checkText(what, html);
  assert.not.match(html, /<(?:img|script)|onerror=FORGED(?!\(\)&#62;)|href=|<\/code><script/i, what);
}

function checkJson(what: string, text: string): void {
  assert.equal(
    [...text.matchAll(UNSEEN)].filter(([one]) => one !== "\n"),
    [],
    what,
  );
  if (text.trim() !== "") parseJson(text);
}

function expectSound(what: string, { exit, output, stdout }: Finished, format: string | undefined): void {
  assert.is.not(exit, 70, `${what}: ${output}`);
  checkText(what, output);
  assert.not.match(output.replaceAll(/^::(?:error|warning) /gm, ""), /^\s*::|##(?:vso)?\[/im, what);
  if (format === "json" || format === "sarif") checkJson(what, stdout);
  if (format === "markdown") checkMarkdown(what, stdout);
  if (format === "html") checkHtml(what, stdout);
}

const screen = suite("external text on the screen");

let files: Promise<ChangedWorld> | undefined;
const open = (place: Place, hostile: string) =>
  openChangedWorld(
    { connect: { commitInterval: 1_000_000_000 }, ...place.world?.(hostile) },
    place.change ?? OFFSET_CHANGE,
  );
screen.after(async () => (await files)?.close());

/** Each place with each text; with every other one of them, where every other case is left out. */
const CASES = PLACES.flatMap((one, turn) =>
  ALL.map((_, at) => [one, ALL[(turn + at) % ALL.length] ?? ["", ""]] as const),
);

for (const [one, [what, hostile]] of everyOther(CASES))
  screen(`${what}, in ${one.place}`, async () => {
    if (one.files === true) files ??= open(one, hostile);
    const world = await (one.files === true && files !== undefined ? files : open(one, hostile));
    try {
      const seen = await everything(one, hostile, world);
      if (one.shown === undefined || (one.shown !== false && !unseen(hostile))) assert.match(seen, /FORGED/, seen);
    } finally {
      if (one.files !== true) await world.close();
    }
  });

/** Runs what shows a place, holds each output against the rules. @returns all of it */
async function everything({ arrange, says }: Place, hostile: string, world: ChangedWorld): Promise<string> {
  await arrange?.(world, hostile);
  let seen = "";
  const out = join(world.dir, "page.html");
  const names = { PLAN: world.plan, EDITED: join(world.dir, "edited.json"), NEW: join(world.dir, "new.json") };
  for (const { argv, formats = [undefined], page: writes = false } of says(world, hostile))
    for (const format of formats) {
      const words = argv.map((word) => names[word as keyof typeof names] ?? word);
      const line = [...words, ...(format === undefined ? [] : ["--format", format]), ...(writes ? ["--out", out] : [])];
      const finished = await runHere(line, { env: { ...world.env, GITHUB_ACTIONS: "true" }, patience: PATIENCE });
      expectSound(line.join(" "), finished, format);
      seen += finished.output;
      if (!writes || !existsSync(out)) continue;
      const html = readFileSync(out, "utf8");
      checkHtml(line.join(" "), html);
      seen += html;
      rmSync(out);
    }
  return seen;
}

screen.run();
