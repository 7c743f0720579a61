import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, resultOf } from "../../kinds/migration/testing/build-readings.ts";
import { known } from "../../kinds/offset-change/testing/build-facts.ts";
import type { CutoverReading } from "../readings.ts";
import { auditNotPassed } from "./audit-evidence.ts";

const MIG128 = suite("MIG128 an audit that a cutover rests on");

const DBID = cutover().facts.database.dbid;
const resting = (audit: unknown): CutoverReading => {
  const reading = cutover();
  return { ...reading, facts: { ...reading.facts, audit: audit as CutoverReading["facts"]["audit"] } };
};
const PASSED = {
  ...{ file: "orders.audit.json", digest: "sha256:1", connector: "orders-legacy", auditedDbid: String(DBID) },
  ...{ writtenAt: "2026-03-01T00:00:00Z", checkScn: 2_169_000n },
  tables: [{ table: "ORCLPDB1.SALES.ORDERS", outcome: "pass" as const, byLegacy: 0n, leftOut: [] }],
};
const found = (audit: object) => resultOf(auditNotPassed, resting(known(audit)));

MIG128("counts where it has passed for this connector in this database", () => {
  assert.is(found(PASSED), "");
  assert.is(resultOf(auditNotPassed, cutover()), "", "nothing is asked where no audit is named");
  assert.is(effectOf(auditNotPassed, resting(known({ ...PASSED, connector: "other" }))), "blocks");
});

MIG128("is refused for anything else", () => {
  const cases: readonly (readonly [object, string])[] = [
    [{ connector: "other" }, "orders.audit.json is an audit of other, not of orders-legacy"],
    [{ auditedDbid: undefined }, "orders.audit.json is the evidence of a verification, not of an audit"],
    [{ auditedDbid: "1" }, `orders.audit.json is an audit in database 1, but this is database ${DBID}`],
    [
      { tables: [{ ...PASSED.tables[0], outcome: "fail" }] },
      "by orders.audit.json an audit has not passed for ORCLPDB1.SALES.ORDERS",
    ],
  ];
  for (const [other, seen] of cases) assert.match(found({ ...PASSED, ...other }), seen);
  const missing = { known: false, why: "no such file", source: "orders.audit.json" };
  assert.match(resultOf(auditNotPassed, resting(missing)), "there is no valid evidence: no such file");
});

MIG128.run();
