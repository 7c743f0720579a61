import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Definitions, TableDefined } from "../../schemas/generated/facts.ts";
import { planOffsetChange } from "../kinds/offset-change/plan.ts";
import {
  effectOf,
  type FactsParts,
  facts,
  intent,
  known,
  reading,
  STORED,
  toScn,
  unseen,
} from "../kinds/offset-change/testing/build-facts.ts";
import { planResnapshot } from "../kinds/resnapshot/plan.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { lineOf } from "../values/remedy.ts";
import { ddlMinedInRange, ddlSkipped } from "./ddl.ts";
import { worded } from "./testing/wording.ts";

const FROM = 2204511n;
const TO = 2230000n;
const ORDERS = "ORCLPDB1.SALES.ORDERS";
const times = known([
  { scn: 2169287n, at: "2026-11-21T08:00:00Z" },
  { scn: FROM, at: "2026-11-21T09:00:00Z" },
  { scn: TO, at: "2026-11-21T09:10:00Z" },
]);
const defined = (...tables: readonly TableDefined[]) =>
  known<Definitions>({ schemaTopic: "orders.cdc.schema", tables });
const at = (lastDdl: string | undefined, layout?: string | null): FactsParts => ({
  times,
  ddl: defined({ table: ORDERS, lastDdl, ...(layout === undefined ? {} : { layout }) }),
});
const forward = toScn(TO, { allowSkip: true });
const skips = (parts: FactsParts, wanted = forward) => reading(parts, wanted);
const seen = (parts: FactsParts, wanted = forward) => worded(ddlSkipped).run(wanted, skips(parts, wanted));

const TAB112 = suite("TAB112 a DDL in what is skipped");

TAB112("blocks a forward move over a captured table's DDL unless accepted; admin continues with a warning", () => {
  const on = skips(at("2026-11-21T09:05:00Z"));
  assert.is(effectOf(ddlSkipped, on, forward), "blocks");
  assert.is(effectOf(ddlSkipped, on, { ...forward, accept: ["TAB112"] }), "accepted");
  assert.is(effectOf(ddlSkipped, on, { ...forward, origin: intent({ by: "admin" }).origin }), "warns");
  const verdict = seen(at("2026-11-21T09:05:00Z"));
  assert.ok(verdict.verdict === "fail");
  assert.is(
    verdict.seen,
    `${ORDERS} was changed at 2026-11-21T09:05:00Z (LAST_DDL_TIME), which may be a DDL, between the ` +
      `stored ${FROM} and ${TO}: the next start would stop with CDC-6003`,
  );
  assert.match(verdict.remedies?.map(lineOf).join("\n") ?? "", /spec\.removeTableSchemas: true\n.*init resnapshot/);
});

TAB112("passes for a DDL before the stored position, or ahead of the target, which the task mines", () => {
  for (const time of ["2026-11-21T08:59:00Z", "2026-11-21T09:11:00Z"])
    assert.is(effectOf(ddlSkipped, skips(at(time)), forward), "none", time);
});

TAB112("counts a DDL within ten seconds of either end", () => {
  for (const time of ["2026-11-21T08:59:51Z", "2026-11-21T09:10:09Z"])
    assert.is(effectOf(ddlSkipped, skips(at(time)), forward), "blocks", time);
});

TAB112("passes for a table of which the schema topic has no layout: there is none to compare", () => {
  assert.is(effectOf(ddlSkipped, skips(at("2026-11-21T09:05:00Z", null)), forward), "none");
  assert.is(effectOf(ddlSkipped, skips(at("2026-11-21T09:05:00Z", ORDERS)), forward), "blocks");
});

TAB112("does not concern a move back, to the same SCN, a first offset, or one that is restored", () => {
  const altered = at("2026-11-21T09:05:00Z");
  assert.is(effectOf(ddlSkipped, reading(altered)), "none");
  assert.is(effectOf(ddlSkipped, reading(altered, toScn(FROM)), toScn(FROM)), "none");
  assert.is(effectOf(ddlSkipped, reading({ ...altered, stored: null }, forward), forward), "none");
  const offset = { ...STORED, resume_scn: TO };
  const back = intent({ position: { to: "restore", run: "r", offset, replacing: STORED }, by: "rollback" });
  assert.is(effectOf(ddlSkipped, reading(altered, back), back), "none");
});

TAB112("is unknown where times, the dictionary or the tables are", () => {
  const why = (parts: FactsParts) => {
    const verdict = seen(parts);
    return verdict.verdict === "unknown" ? verdict.seen : verdict.verdict;
  };
  assert.match(
    why({ ...at("2026-11-21T09:05:00Z"), times: known([]) }),
    /the time of SCN 2204511 and of SCN 2230000 is not known/,
  );
  assert.match(why(at(undefined)), "LAST_DDL_TIME is not known");
  assert.is(why({ times, ddl: unseen("no grant") }), "no grant");
  const { ddl: _, ...older } = facts({ times });
  const verdict = worded(ddlSkipped).run(
    forward,
    reading({ ...older, ddl: undefined } as unknown as FactsParts, forward),
  );
  assert.is(verdict.verdict, "unknown");
});

TAB112("of a table last defined long before or after, an unknown time of one end does not matter", () => {
  const only = (scn: bigint) => known(times.known ? times.value.filter((one) => one.scn === scn) : []);
  assert.is(effectOf(ddlSkipped, skips({ ...at("2026-11-21T07:00:00Z"), times: only(FROM) }), forward), "none");
  assert.is(effectOf(ddlSkipped, skips({ ...at("2026-11-21T12:00:00Z"), times: only(TO) }), forward), "none");
});

const removing = toScn(TO, { allowSkip: true, removeTableSchemas: true });

TAB112("spec.removeTableSchemas removes exactly these tables' layouts, stopped and before the move", () => {
  const parts = {
    times,
    ddl: defined(
      { table: ORDERS, lastDdl: "2026-11-21T09:05:00Z", layout: ORDERS },
      { table: "ORCLPDB1.SALES.LINES", lastDdl: "2026-11-21T07:00:00Z", layout: "ORCLPDB1.SALES.LINES" },
    ),
  };
  const plan = planOffsetChange(removing, facts(parts));
  assert.equal(
    plan.steps.map(({ step }) => step),
    ["stop-connector", "recheck", "record-applying", "remove-records", "patch-offset", "record-outcome"],
  );
  assert.equal(plan.steps[3], {
    step: "remove-records",
    records: [{ topic: "orders.cdc.schema", of: "schema", only: [ORDERS] }],
  });
  const decided = plan.decided as unknown as Record<string, unknown>;
  assert.equal([decided["removeTableSchemas"], decided["removedSchemas"]], [true, [ORDERS]]);
});

TAB112("an offset change that removes layouts still says that these tables need a snapshot", () => {
  const on = skips(at("2026-11-21T09:05:00Z"), removing);
  assert.is(effectOf(ddlSkipped, on, removing), "warns");
  const verdict = seen(at("2026-11-21T09:05:00Z"), removing);
  assert.match(verdict.verdict === "fail" ? lineOf(verdict.remedies?.[0] ?? "") : "", "cdcctl init resnapshot");
});

TAB112("nothing is removed, and the decision stays as it was, without the key or without a DDL", () => {
  for (const [wanted, parts] of [
    [forward, at("2026-11-21T09:05:00Z")],
    [removing, at("2026-11-21T07:00:00Z")],
  ] as const) {
    const { steps, decided } = planOffsetChange(wanted, facts(parts));
    assert.not.ok(steps.some(({ step }) => step === "remove-records"));
    assert.not.ok("removedSchemas" in decided);
  }
  assert.is(planOffsetChange(forward, facts()).decided.removeTableSchemas, undefined);
});

const GAP = { from: "2026-11-21T05:00:00Z", ddl: "2026-11-21T05:30:00Z", to: "2026-11-21T06:00:00Z" };

/** A gap in which these tables were last defined. */
function inGap(...tables: readonly string[]) {
  const { gap } = resnapshot.pastTheGap();
  if (gap?.to === undefined) throw new Error("no gap");
  return {
    times: known([
      { scn: gap.from, at: GAP.from },
      { scn: gap.to, at: GAP.to },
    ]),
    ddl: defined(...tables.map((table) => ({ table, lastDdl: GAP.ddl, layout: table }))),
  };
}

TAB112("blocks a resnapshot past a gap over a DDL, and passes when the layouts of its tables are removed", () => {
  const tables = [resnapshot.ORDERS, resnapshot.LINES, resnapshot.ITEMS];
  const wanted = resnapshot.intent({ tables });
  const asked = { ...wanted, removeTableSchemas: true as const };
  const parts = inGap(resnapshot.ORDERS);
  assert.is(resnapshot.effectOf(ddlSkipped, resnapshot.pastTheGap(parts, wanted), wanted), "blocks");
  assert.is(resnapshot.effectOf(ddlSkipped, resnapshot.pastTheGap(parts, asked), asked), "none");
  const { steps } = planResnapshot(asked, resnapshot.pastTheGap(parts, asked).facts);
  const names = steps.map(({ step }) => step);
  assert.ok(names.indexOf("stop-connector") < names.indexOf("remove-records"));
  assert.is(names.indexOf("remove-records") + 1, names.indexOf("patch-offset"));
});

TAB112("an unlisted table whose layout is removed needs a snapshot too", () => {
  const asked = resnapshot.intent({ tables: [resnapshot.ORDERS], removeTableSchemas: true });
  const on = resnapshot.pastTheGap(inGap(resnapshot.ORDERS, resnapshot.LINES), asked);
  const verdict = worded(ddlSkipped).run(asked, on);
  assert.match(verdict.verdict === "fail" ? verdict.seen : "", new RegExp(`^${resnapshot.LINES} was changed`));
  assert.is(resnapshot.effectOf(ddlSkipped, on, asked), "warns");
});

TAB112("a signal alone skips nothing", () => {
  assert.is(resnapshot.effectOf(ddlSkipped, resnapshot.reading(inGap(resnapshot.ORDERS))), "none");
});

const TAB113 = suite("TAB113 a DDL that is mined again by range");

const inRange = (parts: FactsParts): FactsParts => ({ ...parts, database: { connectedTo: "ORCLPDB1" } });

TAB113("blocks a backward move across a DDL in range mode unless accepted", () => {
  const on = reading(inRange(at("2026-11-21T08:30:00Z")));
  assert.is(effectOf(ddlMinedInRange, on), "blocks");
  assert.is(effectOf(ddlMinedInRange, on, intent({ accept: ["TAB113"] })), "accepted");
  const verdict = worded(ddlMinedInRange).run(intent(), on);
  assert.is(
    verdict.verdict === "fail" && verdict.seen,
    `${ORDERS} was changed at 2026-11-21T08:30:00Z (LAST_DDL_TIME), which may be a DDL, after the target 2169287`,
  );
  const remedies = JSON.stringify(verdict.verdict === "fail" && verdict.remedies);
  assert.match(remedies, "spec.timestamp: 2026-11-21T08:30:20Z");
  assert.match(remedies, "cdcctl init resnapshot");
});

TAB113("counts a DDL up to now, whether the schema topic has a layout or not", () => {
  assert.is(effectOf(ddlMinedInRange, reading(inRange(at("2026-11-21T12:00:00Z", null)))), "blocks");
  assert.is(effectOf(ddlMinedInRange, reading(inRange(at("2026-11-21T07:00:00Z")))), "none");
});

TAB113("does not concern mining with log files, which have dictionaries, nor a forward move", () => {
  assert.is(effectOf(ddlMinedInRange, reading(at("2026-11-21T08:30:00Z"))), "none");
  assert.is(effectOf(ddlMinedInRange, skips(inRange(at("2026-11-21T09:05:00Z"))), forward), "none");
});

TAB113("is unknown where the time of the target is", () => {
  const verdict = worded(ddlMinedInRange).run(
    intent(),
    reading(inRange({ ...at("2026-11-21T08:30:00Z"), times: known([]) })),
  );
  assert.match(verdict.verdict === "unknown" ? verdict.seen : "", "the time of SCN 2169287 is not known");
});

TAB112.run();
TAB113.run();
