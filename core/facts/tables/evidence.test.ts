import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { RowScn, TableActivity } from "../../../schemas/generated/facts.ts";
import { known, unseen } from "../../kinds/offset-change/testing/build-facts.ts";
import { processorMillis } from "../../values/testing/processor-time.ts";
import { COUNTS_GONE, type Evidence, evidenceOf, type GapBegin } from "./evidence.ts";

const evidence = suite("evidence about an unlisted table since the gap began");

const TABLE = { container: "ORCLPDB1", owner: "SALES", name: "ITEMS" };
const BEGIN: GapBegin = { scn: 2204511n, at: "2026-11-20T19:02:11Z" };
const BEFORE = "2026-11-20T19:02:07Z";
const SINCE = "2026-11-20T19:02:12Z";

const active = (parts: Partial<TableActivity> = {}): TableActivity => ({
  ...TABLE,
  lastDdl: undefined,
  modifications: undefined,
  analyzed: undefined,
  ...parts,
});
const modified = (at: string | undefined) => ({ inserts: 0n, updates: 7n, deletes: 0n, truncated: false, at });
const row = (scn: bigint | undefined, problem?: string): RowScn => ({
  ...TABLE,
  scn,
  ...(problem === undefined ? {} : { problem }),
});

const of = (activity: readonly TableActivity[], rows: readonly RowScn[] = [], begin = BEGIN): Evidence =>
  evidenceOf(known(activity), known(rows), begin)(TABLE);

evidence("DDL, modifications or a row since it began each count as changed", () => {
  assert.is(of([active({ lastDdl: SINCE })]).says, "changed");
  assert.is(of([active({ modifications: modified(SINCE) })]).says, "changed");
  assert.is(of([active()], [row(2204511n)]).says, "changed");
  assert.is(of([], [row(2204511n)]).says, "changed");
});

evidence("older evidence counts as nothing seen, and is still shown", () => {
  const found = of([active({ lastDdl: BEFORE, modifications: modified(BEFORE) })], [row(2204510n)]);
  assert.is(found.says, "nothing seen");
  assert.is(found.lastDdl, BEFORE);
  assert.is(found.modifications?.updates, 7n);
  assert.is(found.rowScn, 2204510n);
  assert.not("unseen" in found);
});

evidence("a change up to three seconds before counts as one since, which is the database's precision", () => {
  assert.is(of([active({ lastDdl: "2026-11-20T19:02:08Z" })]).says, "changed");
  assert.is(of([active({ lastDdl: "2026-11-20T19:02:08.500Z" })]).says, "changed");
});

evidence("modifications counted before statistics were gathered are lost: unknown, with the reason", () => {
  for (const parts of [{}, { modifications: modified(BEFORE) }, { lastDdl: BEFORE }])
    for (const rows of [[], [row(2204510n)]]) {
      const found = of([active({ ...parts, analyzed: SINCE })], rows);
      assert.is(found.says, "unknown");
      assert.is(found.analyzed, SINCE);
      assert.is(found.unseen, COUNTS_GONE);
    }
});

evidence("statistics gathered since do not hide evidence of a change", () => {
  for (const parts of [{ lastDdl: SINCE }, { modifications: modified(SINCE) }]) {
    const found = of([active({ ...parts, analyzed: SINCE })]);
    assert.is(found.says, "changed");
    assert.is(found.analyzed, SINCE);
    assert.not("unseen" in found);
  }
  assert.is(of([active({ analyzed: SINCE })], [row(2204511n)]).says, "changed");
});

evidence("statistics from before the gap lose nothing of it", () => {
  assert.equal(of([active({ analyzed: BEFORE })]), { says: "nothing seen" });
});

evidence("a table without data in the dictionary is unknown, not unchanged", () => {
  assert.equal(of([]), { says: "unknown" });
  assert.equal(of([active({ name: "OTHER" } as Partial<TableActivity>)]), { says: "unknown" });
});

evidence("while the start of the gap is unknown, times are no evidence, but a row's SCN is", () => {
  const begin = { ...BEGIN, at: undefined };
  const found = of([active({ lastDdl: SINCE })], [], begin);
  assert.is(found.says, "unknown");
  assert.match(found.unseen ?? "", "the time when the gap began is unknown");
  assert.is(of([active()], [row(2204512n)], begin).says, "changed");
  assert.is(of([active()], [row(2204510n)], begin).says, "nothing seen");
});

evidence("modifications without a time may have happened since: unknown", () => {
  assert.is(of([active({ modifications: modified(undefined) })]).says, "unknown");
});

evidence("a table without rows, or an unreadable one, is no evidence of anything", () => {
  assert.is(of([], [row(undefined)]).says, "unknown");
  const found = of([], [row(undefined, "ORA-01031: insufficient privileges")]);
  assert.is(found.says, "unknown");
  assert.match(found.unseen ?? "", "ORA-01031");
});

evidence("evidence that could not be read is reported once, with the reason", () => {
  const found = evidenceOf(unseen("not looked up"), unseen("not looked up"), BEGIN)(TABLE);
  assert.equal(found, { says: "unknown", unseen: "not looked up" });
});

evidence("tables are distinguished by container, owner and name, whatever these contain", () => {
  const odd = { container: 'P","X', owner: "A.B", name: "C" };
  const findingOf = evidenceOf(known([{ ...active({ lastDdl: SINCE }), ...odd }]), known([]), BEGIN);
  assert.is(findingOf(odd).says, "changed");
  assert.is(findingOf({ container: "P", owner: 'X","A.B', name: "C" }).says, "unknown");
  assert.is(findingOf({ container: 'P","X', owner: "A", name: "B.C" }).says, "unknown");
});

evidence("never reports that nothing happened, whatever was observed", () => {
  const words = new Set<Evidence["says"]>();
  for (const lastDdl of [undefined, BEFORE, SINCE])
    for (const scn of [undefined, 1n, 2204511n]) words.add(of([active({ lastDdl })], [row(scn)]).says);
  assert.equal([...words].sort(), ["changed", "nothing seen"]);
});

evidence("100,000 tables are evaluated in about a second", () => {
  const many = Array.from({ length: 100_000 }, (_, i) => ({ ...active({ lastDdl: BEFORE }), name: `T${i}` }));
  const begin = processorMillis();
  const findingOf = evidenceOf(known(many), known([]), BEGIN);
  assert.ok(many.every((table) => findingOf(table).says === "nothing seen"));
  assert.ok(processorMillis() - begin < 5000, `${processorMillis() - begin} ms`);
});

evidence.run();
