import { suite } from "uvu";
import { known, unseen } from "../../core/kinds/offset-change/testing/build-facts.ts";
import { readTakeover } from "../../core/legacy/takeover.ts";
import { startingAt } from "../../core/legacy/target-config.ts";
import { DATABASE, type LegacyParts, legacyFacts, MINING, table } from "../../core/legacy/testing/build-legacy.ts";
import { HOSTILE } from "../../core/plan/testing/hostile.ts";
import { printJson } from "../../core/values/json.ts";
import { renderTerminal, type TerminalOptions } from "./report/terminal.ts";
import { type TakeoverReport, takeoverDocument, takeoverReport } from "./takeover.ts";
import { assertGolden } from "./testing/golden.ts";
import { asMarkdown, asPage } from "./testing/run-forms.ts";
import { schemaTester } from "./testing/schema.ts";

const renderTakeoverText = (of: TakeoverReport, options: TerminalOptions) =>
  renderTerminal(takeoverReport(of), options);
const renderTakeoverMarkdown = (of: TakeoverReport) => asMarkdown(takeoverReport(of));

const views = suite("a takeover");
const fits = schemaTester("takeover.schema.json");

const TIMES = known([
  { scn: 5n, at: undefined },
  { scn: 2169287n, at: "2026-11-20T18:30:00.123Z" },
  { scn: 2170000n, at: "2026-11-20T18:31:00Z" },
  { scn: 2172000n, at: "2026-11-20T18:33:00Z" },
  { scn: 2179000n, at: "2026-11-20T18:39:00Z" },
  { scn: 2180000n, at: "2026-11-20T18:40:00Z" },
  { scn: 2241020n, at: "2026-11-21T09:14:00Z" },
]);

function report(
  parts: LegacyParts,
  leaveOut: readonly string[] = [],
  more: Partial<TakeoverReport> = {},
): TakeoverReport {
  const facts = legacyFacts({ times: TIMES, ...parts });
  const reading = readTakeover(facts, { leaveOut, mining: MINING });
  const ready = reading.problems.length === 0 && reading.offsets !== undefined;
  return {
    facts,
    reading,
    target: { file: "orders-cdc.json", name: "orders-cdc" },
    config: ready ? startingAt({ "cdc.topic.prefix": "orders" }, reading.offsets?.startScn ?? 0n) : undefined,
    leftToDo: [],
    written: undefined,
    ...more,
  };
}

const OLD = table("OLD", 5n, 4n);
const reports: Readonly<Record<string, TakeoverReport>> = {
  ready: report({}, [], {
    written: "orders-cdc.start.json",
    leftToDo: ["cdc.database.user is required, but not set."],
  }),
  masked: report({}, [], {
    leftToDo: ["cdc.database.password is masked (********): set it before the connector is created."],
  }),
  "left-out": report({ offsets: [DATABASE, OLD, table("ORDERS", "2170000", 2180000n)] }, ["ORCLPDB1.SALES.OLD"]),
  "earlier-incarnation": report({
    offsets: [DATABASE, OLD],
    database: { resetlogsScn: 10n, zone: "+01:00" },
  }),
  "redo-gone": report({ unopened: ["/arch/1_119_1.arc"] }),
  "redo-unseen": report({ redo: unseen("the right is missing", "GRANT SELECT ON V_$LOG TO C##CDC;"), times: unseen() }),
  "last-unknown": report({
    legacy: {
      connectorClass: "io.debezium.connector.oracle.OracleConnector",
      config: { "connector.class": "io.debezium.connector.oracle.OracleConnector", "topic.prefix": "shop" },
    },
    offsets: [{ partition: { server: "shop" }, offset: { scn: "2170000", snapshot_scn: "2169287" } }],
  }),
  "nothing-delivered": report({ offsets: [DATABASE] }),
  hostile: report({
    legacy: { name: HOSTILE },
    offsets: [{ partition: { sidPdb: HOSTILE }, offset: { scn: 2169287n } }],
  }),
};

for (const [name, shown] of Object.entries(reports))
  views(`that is ${name} matches the expected text, in every form`, () => {
    assertGolden(renderTakeoverText(shown, { colour: false }), `takeover/${name}.txt`);
    assertGolden(renderTakeoverMarkdown(shown), `takeover/${name}.md`);
    assertGolden(asPage(takeoverReport(shown)), `takeover/${name}.html`);
    fits(printJson(takeoverDocument(shown)));
  });

views("is narrow and in colour on such a terminal", () => {
  assertGolden(
    renderTakeoverText(reports["left-out"] ?? report({}), { colour: true, width: 80 }),
    "takeover/left-out-80-colour.txt",
  );
});

views.run();
