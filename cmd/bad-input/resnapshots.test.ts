/** Plan files of kind Resnapshot that can't be used, and what is typed behind `admin resnapshot`. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR, type Sandbox, type SandboxOptions, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { CUSTOMERS, fillDictionary, IN_THE_GAP, LINES, ORDERS, purge } from "../behaviour/real/resnapshot-scene.ts";
import { attempt, expect, expectOneMessage, inFolder, printTable, type Row } from "./table.ts";
import { OFFSET } from "./world-rows.ts";

const GOOD = `apiVersion: cdcctl/v1
kind: Resnapshot
metadata:
  name: orders-again
  reason: archived logs purged
target:
  connectUrl: http://127.0.0.1:1
  connector: orders-cdc
spec:
  tables: [${ORDERS}]
`;
const tables = (value: string): string => GOOD.replace(`[${ORDERS}]`, () => value);
const more = (line: string): string => `${GOOD}  ${line}\n`;
const LONGEST = "T".repeat(128);
/** One byte more than Oracle allows, in fewer characters. */
const TOO_LONG = "表".repeat(43);
const many = (count: number): string => `[${Array.from({ length: count }, (_, i) => `P.S.T${i}`).join(",")}]`;

const FILES: readonly (Row & { readonly content: string })[] = [
  { wrong: "no tables", content: tables("[]"), exit: 64, says: /tables.*(empty|at least|one)/ },
  { wrong: "tables left out", content: GOOD.replace(/ {2}tables.*\n/, "  resume: true\n"), exit: 64, says: /tables/ },
  { wrong: "tables null", content: tables(""), exit: 64, says: /tables/ },
  { wrong: "tables as one text", content: tables(ORDERS), exit: 64, says: /tables.*list/ },
  { wrong: "tables as a mapping", content: tables("{a: b}"), exit: 64, says: /tables.*list/ },
  { wrong: "a number among the tables", content: tables("[1.5]"), exit: 64, says: /tables/ },
  { wrong: "a list among the tables", content: tables(`[[${ORDERS}]]`), exit: 64, says: /tables/ },
  { wrong: "no owner", content: tables("[ORDERS]"), exit: 64, says: /ORDERS.*OWNER\.TABLE/ },
  { wrong: "an empty name", content: tables('[""]'), exit: 64, says: /tables/ },
  { wrong: "only dots", content: tables('["..."]'), exit: 64, says: /tables/ },
  { wrong: "a dot at the end", content: tables('["SALES.ORDERS."]'), exit: 64, says: /SALES\.ORDERS\./ },
  { wrong: "a quote that is not closed", content: tables(`['SALES."ORDERS']`), exit: 64, says: /SALES/ },
  { wrong: "a quote in a quoted name", content: tables(`['SALES."OR""DERS"']`), exit: 64, says: /SALES/ },
  { wrong: "text behind a quoted name", content: tables(`['SALES."ORDERS"X']`), exit: 64, says: /SALES/ },
  { wrong: "a name of 128 bytes", content: tables(`[P.S.${LONGEST}]`), exit: 1, says: /127\.0\.0\.1:1/ },
  { wrong: "a name of 129 bytes", content: tables(`[P.S.${LONGEST}X]`), exit: 64, says: /128 bytes/ },
  { wrong: "a name of 43 characters and 129 bytes", content: tables(`[P.S.${TOO_LONG}]`), exit: 64, says: /128 bytes/ },
  { wrong: "a name of 100,000 characters", content: tables(`[P.S.${"T".repeat(100_000)}]`), exit: 64, says: /tables/ },
  {
    wrong: "control characters in a name",
    content: tables('["SALES.OR\\u001b[31mDERS\\u0007"]'),
    exit: 64,
    says: /tables/,
  },
  { wrong: "a line break in a name", content: tables('["SALES.OR\\nDERS"]'), exit: 64, says: /tables/ },
  {
    wrong: "half a surrogate in a name",
    content: tables('["SALES.OR\\ud800DERS"]'),
    exit: 64,
    says: /tables|escape|surrogate/i,
  },
  { wrong: "a table twice", content: tables(`[${ORDERS}, ${ORDERS}]`), exit: 64, says: /twice|unique|duplicate/i },
  { wrong: "10,001 tables", content: tables(many(10_001)), exit: 64, says: /tables.*10,?000/ },
  { wrong: "10,000 tables", content: tables(many(10_000)), exit: 1, says: /127\.0\.0\.1:1/ },
  { wrong: "100,000 tables", content: tables(many(100_000)), exit: 64, says: /tables.*10,?000|1 MB/ },
  {
    wrong: "a key that is not known",
    content: more("skipGapForUnlistedTabels: true"),
    exit: 64,
    says: /Did you mean skipGapForUnlistedTables/,
  },
  {
    wrong: "a flag's name",
    content: more("skip-gap-for-unlisted-tables: true"),
    exit: 64,
    says: /skip-gap-for-unlisted-tables.*skipGapForUnlistedTables/,
  },
  { wrong: "a key of the other kind", content: more("scn: 5"), exit: 64, says: /scn/ },
  { wrong: "allowSkip", content: more("allowSkip: true"), exit: 64, says: /allowSkip/ },
  {
    wrong: "the assertion as text",
    content: more('skipGapForUnlistedTables: "true"'),
    exit: 64,
    says: /skipGapForUnlistedTables/,
  },
  {
    wrong: "the assertion as yes",
    content: more("skipGapForUnlistedTables: yes"),
    exit: 64,
    says: /skipGapForUnlistedTables/,
  },
  {
    wrong: "the assertion null",
    content: more("skipGapForUnlistedTables:"),
    exit: 64,
    says: /skipGapForUnlistedTables/,
  },
  {
    wrong: "the assertion as an empty list",
    content: more("skipGapForUnlistedTables: []"),
    exit: 64,
    says: /skipGapForUnlistedTables/,
  },
  {
    wrong: "no name in the assertion",
    content: more("skipGapForUnlistedTables: [ORDERS]"),
    exit: 64,
    says: /skipGapForUnlistedTables.*OWNER\.TABLE|ORDERS.*OWNER\.TABLE/,
  },
  { wrong: "a wait without a unit", content: more("waitForAck: 5"), exit: 64, says: /waitForAck/ },
  { wrong: "a wait in another language", content: more("waitForAck: 5 Minuten"), exit: 64, says: /waitForAck/ },
  { wrong: "a negative wait", content: more("waitForTransactions: -10m"), exit: 64, says: /waitForTransactions/ },
  { wrong: "a wait of nothing", content: more('waitForTransactions: ""'), exit: 64, says: /waitForTransactions/ },
  {
    wrong: "a wait of 10,000 digits",
    content: more(`waitForAck: ${"9".repeat(10_000)}d`),
    exit: 64,
    says: /waitForAck/,
  },
  { wrong: "a wait of three million years", content: more("waitForAck: 999999999d"), exit: 1, says: /127\.0\.0\.1:1/ },
  { wrong: "resume as text", content: more("resume: later"), exit: 64, says: /resume/ },
  { wrong: "an ops format that is none", content: more("opsFormat: avro"), exit: 64, says: /opsFormat.*json/ },
  { wrong: "a refusal accepted", content: more("accept: [SNP903]"), exit: 64, says: /SNP903/ },
  { wrong: "a check of the other kind accepted", content: more("accept: [OFF103]"), exit: 64, says: /OFF103/ },
  { wrong: "no reason", content: GOOD.replace("  reason: archived logs purged\n", ""), exit: 64, says: /reason/ },
  { wrong: "a blank reason", content: GOOD.replace("archived logs purged", '"   "'), exit: 64, says: /reason/ },
];

const files = suite("plan files of kind Resnapshot that can't be used");
for (const { content, ...row } of FILES) {
  files(row.wrong, () =>
    inFolder({ "plan.yaml": content }, async (folder) => {
      const env = { HOME: folder, CDCCTL_STATE: join(folder, "state") };
      const applied = await attempt(["apply", join(folder, "plan.yaml"), "--yes"], env);
      expect(row, applied, ["\u001b", "\u0007"]);
      if (row.exit !== 64) return;
      assert.match(applied.output, /plan\.yaml/);
      assert.is((await attempt(["validate", join(folder, "plan.yaml")], env)).output, applied.output);
    }),
  );
}
files.run();

interface FlagRow extends Row {
  readonly flags: readonly string[];
  /** Redo is gone from the stored position on. */
  readonly gap?: boolean;
}

const asked = (value: string): readonly string[] => ["--tables", value];
const FLAGS: readonly FlagRow[] = [
  { wrong: "--tables left out", flags: [], exit: 64, says: /tables/ },
  { wrong: "--tables without a value", flags: ["--tables"], exit: 64, says: /tables/ },
  { wrong: "--tables empty", flags: asked(""), exit: 64, says: /--tables/ },
  { wrong: "--tables of commas", flags: asked(",,,"), exit: 64, says: /--tables/ },
  { wrong: "--tables with an empty entry", flags: asked(`${ORDERS},,${LINES}`), exit: 64, says: /--tables/ },
  { wrong: "--tables with a comma at the end", flags: asked(`${ORDERS},`), exit: 64, says: /--tables/ },
  { wrong: "--tables without owners", flags: asked("ORDERS"), exit: 64, says: /--tables.*OWNER\.TABLE/ },
  { wrong: "--tables twice", flags: [...asked(ORDERS), ...asked(LINES)], exit: 64, says: /tables/ },
  { wrong: "a quote that is not closed", flags: asked('SALES."ORDERS'), exit: 64, says: /--tables/ },
  { wrong: "control characters", flags: asked("SALES.OR\u001b[31mDERS\u0007"), exit: 1, says: /SNP901/ },
  { wrong: "a name of 129 bytes", flags: asked(`P.S.${LONGEST}X`), exit: 64, says: /--tables/ },
  { wrong: "100,000 characters", flags: asked("x".repeat(100_000)), exit: 64, says: /--tables/ },
  { wrong: "another flag's value", flags: asked("--resume"), exit: 64, says: /tables/ },
  { wrong: "a flag that is not known", flags: [...asked(ORDERS), "--skip-gap"], exit: 64, says: /skip-gap/ },
  { wrong: "a flag of offsets set", flags: [...asked(ORDERS), "--allow-skip"], exit: 64, says: /allow-skip/ },
  { wrong: "a flag of apply", flags: [...asked(ORDERS), "--yes"], exit: 64, says: /yes/ },
  { wrong: "a word too many", flags: [...asked(ORDERS), LINES], exit: 64, says: /LINES/ },
  { wrong: "a switch with a value", flags: [...asked(ORDERS), "--resume=maybe"], exit: 64, says: /resume/ },
  { wrong: "--ops-format of no kind", flags: [...asked(ORDERS), "--ops-format", "avro"], exit: 64, says: /ops-format/ },
  {
    wrong: "a table that is not captured",
    flags: asked("ORCLPDB1.SALES.ORDRES"),
    exit: 1,
    says: /ORCLPDB1\.SALES\.ORDERS.*SNP901/,
  },
  { wrong: "a name that only looks like a pattern", flags: asked("ORCLPDB1.SALES.%"), exit: 1, says: /SNP901/ },
  {
    wrong: "no reason, past a gap",
    gap: true,
    flags: [...asked(`${ORDERS},${LINES},${CUSTOMERS}`)],
    exit: 1,
    says: /--reason.*SNP908/,
  },
  {
    wrong: "a blank reason, past a gap",
    gap: true,
    flags: [...asked(`${ORDERS},${LINES},${CUSTOMERS}`), "--reason", "  "],
    exit: 1,
    says: /--reason.*SNP908/,
  },
  {
    wrong: "unlisted tables, nothing asserted",
    gap: true,
    flags: [...asked(ORDERS), "--reason", "purged"],
    exit: 1,
    says: /ORCLPDB1\.SALES\.CUSTOMERS.*--skip-gap-for-unlisted-tables.*SNP903/,
  },
];

const flags = suite("arguments of admin resnapshot");
const [healthy, purged] = await Promise.all([
  startSandbox({ oracle: fillDictionary }),
  startSandbox({
    offset: { ...OFFSET, resume_scn: IN_THE_GAP, last_commit_scn: IN_THE_GAP - 13n },
    oracle(world: Parameters<NonNullable<SandboxOptions["oracle"]>>[0]) {
      fillDictionary(world);
      purge(world);
    },
  }),
]);
for (const row of FLAGS) {
  flags(row.wrong, () =>
    inFolder({}, async (folder) => {
      const world: Sandbox = row.gap === true ? purged : healthy;
      const at = ["--connect-url", world.connect.url, "--name", CONNECTOR];
      const done = await attempt(["admin", "resnapshot", ...at, ...row.flags], { HOME: folder });
      expect(row, done, ["cdc-secret", "\u001b", "\u0007"]);
      if (row.exit === 1) expectOneMessage(row, done);
      assert.ok(world.connect.requests.every(({ method }) => method === "GET"));
      assert.not.ok(world.broker.requests.some(({ api }) => api === "Produce" || api === "CreateTopics"));
    }),
  );
}
flags.after(async () => {
  printTable("resnapshots, as files and as flags: what is wrong, exit code, message");
  await Promise.all([healthy.close(), purged.close()]);
});
flags.run();
