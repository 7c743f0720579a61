import { readFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DEBEZIUM_PROPERTIES } from "../../../core/legacy/debezium/properties.ts";
import { type DebeziumOffset, loadOffset } from "../../../core/legacy/debezium/stored-offsets.ts";
import { COPIED, covers } from "../../../core/legacy/property-table.ts";
import { type JsonObject, parseJson } from "../../../core/values/json.ts";
import { expectedOf, isOf, MATRIX, verdictOf } from "../../../core/verification/debezium/testing/matrix.ts";
import { askDebezium, JUDGES, type OffsetHeld } from "./judge.ts";

const FIXTURES = new URL("../../../core/legacy/debezium/testdata/", import.meta.url);

const order = (version: string): number => version.split(".").reduce((sum, part) => sum * 100 + Number(part), 0);
const isIn = ({ since = "0.0.0", upTo = "99.0.0" }: DebeziumOffset["loads"], version: string): boolean =>
  order(since) <= order(version) && order(version) <= order(upTo);

/** Every offset of the fixtures: those that were read, every text of a commit, and those that Debezium wrote. */
async function fixtures(): Promise<readonly JsonObject[]> {
  const { inputs, commitScn, written } = parseJson(
    await readFile(new URL("offsets.json", FIXTURES), "utf8"),
  ) as unknown as {
    readonly inputs: readonly { readonly offset: JsonObject }[];
    readonly commitScn: readonly { readonly value: string }[];
    readonly written: readonly { readonly offset: JsonObject }[];
  };
  return [
    ...inputs.map(({ offset }) => offset),
    ...commitScn.map(({ value }): JsonObject => ({ scn: "5000", commit_scn: value })),
    ...written.map(({ offset }) => offset),
  ];
}

/** What no SCN of a database is, though Debezium holds it: a sign, or more digits than 63 bits have. */
const NO_SCN = /^-|^\d{19,}$/;

/** What the product's reading of an offset says otherwise than Debezium's own; undefined for nothing. */
function difference(offset: JsonObject, held: OffsetHeld, version: string): string | undefined {
  const read = loadOffset({ partition: { server: "inv" }, offset });
  if ("refused" in held)
    return typeof read === "string" || !isIn(read.loads, version) ? undefined : `is refused: ${held.refused}`;
  const threads = Object.entries(held.threads);
  if (typeof read === "string") {
    const strange = [held.scn, held.snapshotScn, ...threads.map(([, scn]) => scn)].some((scn) =>
      NO_SCN.test(scn ?? ""),
    );
    return strange ? undefined : `is loaded, but here it ${read}`;
  }
  if (!isIn(read.loads, version)) return "is loaded, but not by this version according to its reading here";
  const text = (scn: bigint | undefined): string | null => scn?.toString() ?? null;
  if (text(read.scn) !== held.scn) return `has the SCN ${held.scn}, here ${read.scn}`;
  if (text(read.snapshotScn) !== held.snapshotScn) return `has the snapshot SCN ${held.snapshotScn}`;
  for (const [thread, scn] of threads) {
    // Which of two entries for one thread is held is not defined.
    const here = read.commits.filter((one) => String(one.thread) === thread).map((one) => String(one.scn));
    if (!here.includes(scn)) return `has the commit ${scn} of thread ${thread}, here ${here.join(" and ")}`;
  }
  if (new Set(read.commits.map(({ thread }) => thread)).size !== threads.length)
    return `has the threads ${threads.map(([thread]) => thread).join()}`;
  // Older versions take no text for a snapshot.
  if (order(version) < order("3.0.2")) return undefined;
  const running = read.snapshot?.type === "INITIAL" && !read.snapshot.completed;
  return running === held.snapshotRunning ? undefined : `says that its snapshot is running: ${held.snapshotRunning}`;
}

const judges = suite("Debezium's own classes");

for (const version of JUDGES) {
  judges(`${version} hold of every offset what is read here`, async () => {
    const offsets = await fixtures();
    assert.ok(offsets.length > 100);
    const answer = await askDebezium(version, { offsets, values: [] });
    const wrong = offsets.flatMap((offset, at) => {
      const why = difference(offset, answer.offsets[at] as OffsetHeld, version);
      return why === undefined
        ? []
        : [`${JSON.stringify(offset, (_, one) => (typeof one === "bigint" ? `${one}` : one))} ${why}`];
    });
    assert.equal(wrong, []);
    const refused = answer.offsets.filter((held) => "refused" in held).length;
    assert.ok(refused > 10 && refused < offsets.length / 2, `${refused} are refused`);
  });

  judges(`${version} write every value as the test data say, with and without a schema`, async () => {
    const cells = MATRIX.filter((cell) => isOf(cell, version));
    const values = cells.map(({ config, type, value }): JsonObject => ({ config: { ...config }, type, value }));
    const answer = await askDebezium(version, { offsets: [], values });
    assert.ok(cells.length > 150);
    for (const [at, cell] of cells.entries()) {
      const written = answer.values[at] as (typeof answer.values)[number];
      const { column, json, of } = cell;
      if ("refused" in written) {
        assert.is(json, undefined, `${of}: ${written.refused}`);
        continue;
      }
      assert.is(written.plain, `{"C":${json}}`, of);
      if (column === undefined) continue;
      for (const record of [written.plain, written.enveloped])
        assert.match(verdictOf({ ...cell, column }, record), expectedOf(cell).verdict, `${of}: ${record}`);
    }
  });
}

/** The properties that its ConfigDef has at this version, according to the table that translations are tested with. */
async function propertiesOf(version: string): Promise<readonly string[]> {
  const lines = (await readFile(new URL("properties.tsv", FIXTURES), "utf8")).split("\n");
  return lines.flatMap((line) => {
    const [name = "", first = "", last = "", , , , within = ""] = line.split("\t");
    const isThen = within.includes("configdef") && order(first) <= order(version) && order(version) <= order(last);
    return isThen ? [name] : [];
  });
}

for (const version of JUDGES)
  judges(`${version} know every property of the table, and no other, and each has a rule`, async () => {
    const { properties } = await askDebezium(version, { offsets: [], values: [] });
    assert.equal([...(await propertiesOf(version))].sort(), [...properties].sort());
    const patterns = [...Object.keys(DEBEZIUM_PROPERTIES.rules), ...COPIED];
    const lawless = properties.filter((property) => {
      const name = DEBEZIUM_PROPERTIES.canonical(property, { [property]: "x" }, version);
      return !patterns.some((pattern) => covers(pattern, name));
    });
    assert.equal(lawless, []);
  });

judges.run();
