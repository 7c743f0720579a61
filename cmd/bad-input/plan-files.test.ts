/** Plan files that can't be used: each is told what is wrong and where, whichever command reads it. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { attempt, expect, inFolder, printTable, type Row } from "./table.ts";

const GOOD = `apiVersion: cdcctl/v1
kind: OffsetChange
metadata:
  name: orders-replay
  reason: replay after the bad deploy
target:
  connectUrl: http://127.0.0.1:1
  connector: orders-cdc
spec:
  scn: 2169287
`;
const scn = (value: string): string => GOOD.replace("2169287", () => value);
const named = (name: string): string => GOOD.replace("orders-replay", () => name);
const connector = (name: string): string => GOOD.replace("orders-cdc", () => name);

/** Nine levels of nine aliases: a billion texts once they are resolved. */
const NINE = [..."bcdefghij"].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghi"[i]}`).join(",")}]`);
const BOMB = `a: &a ["lol"]\n${NINE.join("\n")}\n`;

const ROWS: readonly (Row & { readonly content: string | Uint8Array })[] = [
  { wrong: "empty", content: "", exit: 64, says: /the file is empty/ },
  { wrong: "only comments", content: "# nothing\n---\n", exit: 64, says: /no document/ },
  {
    wrong: "binary",
    content: Uint8Array.from({ length: 4096 }, (_, i) => (i * 7) % 256),
    exit: 64,
    says: /not UTF-8 text/,
  },
  { wrong: "zeros", content: new Uint8Array(100), exit: 64, says: /./ },
  { wrong: "50 MB", content: new Uint8Array(50 * 1024 * 1024).fill(0x61), exit: 64, says: /larger than 1 MB/ },
  { wrong: "YAML bomb of aliases", content: BOMB, exit: 64, says: /alias|anchor/i },
  { wrong: "nested 100,000 deep", content: `a: ${"[".repeat(100_000)}`, exit: 64, says: /nested|deep/ },
  {
    wrong: "no blank after the colon of apiVersion",
    content: GOOD.replace("apiVersion: ", "apiVersion:"),
    exit: 64,
    says: /plan\.yaml:1:1: .*a blank is missing after the colon/,
  },
  {
    wrong: "four dashes",
    content: `----\n${GOOD}`,
    exit: 64,
    says: /plan\.yaml:1:1: .*a line of more than three dashes does not begin a document Write: {1,2}---/,
  },
  { wrong: "key given twice", content: `${GOOD}  scn: 5\n`, exit: 64, says: /scn.* (twice|again|unique)|twice/ },
  { wrong: "tab as indentation", content: GOOD.replace("  scn", "\tscn"), exit: 64, says: /tab/i },
  {
    wrong: "key that is not known",
    content: `${GOOD}  alowSkip: true\n`,
    exit: 64,
    says: /alowSkip.*Did you mean allowSkip/,
  },
  {
    wrong: "kind that is not known",
    content: GOOD.replace("kind: OffsetChange", "kind: OffsetChnage"),
    exit: 64,
    says: /OffsetChnage.*OffsetChange/,
  },
  { wrong: "later apiVersion", content: GOOD.replace("cdcctl/v1", "cdcctl/v2"), exit: 64, says: /apiVersion/ },
  { wrong: "a list", content: "- a\n- b\n", exit: 64, says: /list/ },
  { wrong: "JSON of something else", content: '{"a": 1}\n', exit: 64, says: /apiVersion|kind/ },
  { wrong: "SCN negative", content: scn("-5"), exit: 64, says: /negative/ },
  { wrong: "SCN 0", content: scn("0"), exit: 64, says: /scn/ },
  { wrong: "SCN with exponent", content: scn("2e6"), exit: 64, says: /scn/ },
  { wrong: "SCN with fraction", content: scn("2000000.0"), exit: 64, says: /scn/ },
  { wrong: "SCN quoted", content: scn('"2169287"'), exit: 64, says: /scn.*(text|quote)/ },
  { wrong: "SCN hexadecimal", content: scn("0x211987"), exit: 64, says: /scn/ },
  { wrong: "SCN above 2^64", content: scn("18446744073709551617"), exit: 64, says: /scn/ },
  { wrong: "SCN of 10,000 digits", content: scn("9".repeat(10_000)), exit: 64, says: /scn/ },
  {
    wrong: "no position",
    content: GOOD.replace("  scn: 2169287\n", "  resume: true\n"),
    exit: 64,
    says: /scn, timestamp/,
  },
  {
    wrong: "two positions",
    content: `${GOOD}  earliestAvailable: true\n`,
    exit: 64,
    says: /scn.*earliestAvailable|one of/,
  },
  {
    wrong: "timestamp without zone",
    content: GOOD.replace("scn: 2169287", "timestamp: 2026-11-20T18:30:00"),
    exit: 64,
    says: /zone/,
  },
  {
    wrong: "timestamp of no calendar",
    content: GOOD.replace("scn: 2169287", "timestamp: 2026-02-30T18:30:00Z"),
    exit: 64,
    says: /timestamp/,
  },
  { wrong: "soft hyphen in a connector", content: connector("orders\u00ad-cdc"), exit: 64, says: /:8:20: .*U\+00AD/ },
  {
    wrong: "tag character in a name",
    content: connector('"orders\\U000E0041"'),
    exit: 64,
    says: /U\+E0041 as character 7/,
  },
  {
    wrong: "no-break space after a colon",
    content: GOOD.replace("scn: ", "scn:\u00a0"),
    exit: 64,
    says: /:10:7: a no-break space \(U\+00A0\)/,
  },
  { wrong: "connector named ..", content: connector('".."'), exit: 64, says: /target\.connector is "\.\."/ },
  { wrong: "connector without a name", content: connector('""'), exit: 64, says: /target\.connector is blank/ },
  {
    wrong: "control characters in a name",
    content: named('"or\\u001b[31mders\\u0007"'),
    exit: 64,
    says: /control|name/,
  },
  { wrong: "10,000 characters in a name", content: named("n".repeat(10_000)), exit: 64, says: /name/ },
  { wrong: "10,000 characters in the connector", content: connector("c".repeat(10_000)), exit: 64, says: /connector/ },
  {
    wrong: "escape sequence in the reason",
    content: GOOD.replace("replay after", '"\\x1b]0;x\\x07"  # '),
    exit: 64,
    says: /reason|control/,
  },
  { wrong: "path in the connector", content: connector("../../admin"), exit: 1, says: /127\.0\.0\.1:1/ },
  { wrong: "code that can't be accepted", content: `${GOOD}  accept: [OFF103]\n`, exit: 64, says: /OFF103/ },
  { wrong: "code that is not known", content: `${GOOD}  accept: [TRX5O1]\n`, exit: 64, says: /TRX5O1.*TRX501/ },
  {
    wrong: "URL with a password",
    content: GOOD.replace("http://", "http://admin:canary-4711@"),
    exit: 64,
    says: /connectUrl/,
  },
  {
    wrong: "reference in the URL",
    content: GOOD.replace("http://127.0.0.1:1", `"http://$\{env:HOME}.example:1"`),
    exit: 64,
    says: /connectUrl/,
  },
  { wrong: "one connector twice", content: `${GOOD}---\n${GOOD}`, exit: 64, says: /target twice/ },
];

const planFiles = suite("plan files that can't be used");

for (const { content, ...row } of ROWS) {
  planFiles(row.wrong, () =>
    inFolder({ "plan.yaml": content }, async (folder) => {
      const env = { HOME: folder, CDCCTL_STATE: join(folder, "state") };
      const file = join(folder, "plan.yaml");
      const applied = await attempt(["apply", file, "--yes"], env);
      expect(row, applied, ["canary-4711", "\u001b", "\u0007"]);
      if (row.exit !== 64) return;
      for (const argv of [
        ["plan", file],
        ["validate", file],
        ["observe", file, "--out", join(folder, "facts.json")],
      ])
        assert.is((await attempt(argv, env)).output, applied.output, argv[0]);
    }),
  );
}

planFiles("all problems in all files are reported together", () =>
  inFolder(
    { "a.yaml": scn("-5"), "b.yaml": GOOD.replace("resume", "x"), "c.yaml": `${GOOD}  alowSkip: true\n` },
    async (folder) => {
      const files = ["a.yaml", "b.yaml", "c.yaml"].map((name) => join(folder, name));
      const { exit, output } = await attempt(["validate", ...files], { HOME: folder });
      assert.is(exit, 64);
      assert.match(output, /a\.yaml:10:/);
      assert.match(output, /c\.yaml:11:/);
    },
  ),
);

planFiles.after(() => printTable("plan files: what is wrong, exit code, message"));
planFiles.run();
