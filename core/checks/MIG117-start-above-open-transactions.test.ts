import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy } from "../kinds/migration/testing/build-readings.ts";
import { startAboveOpenTransactions } from "./MIG117-start-above-open-transactions.ts";

const check = suite("MIG117 a start above the begin of open transactions");

check("passes where mining sessions begin at the oldest open transaction", () => {
  assert.is(effectOf(startAboveOpenTransactions, cutover()), "none");
});

check("blocks where they do not, or the database buffers, until it is accepted", () => {
  for (const [name, value] of [
    ["use.transaction.begin.for.mining.session", "false"],
    ["record.buffer.mode", "database"],
  ] as const) {
    const on = cutover({ properties: { [name]: value } });
    assert.is(effectOf(startAboveOpenTransactions, on), "blocks");
    assert.is(effectOf(startAboveOpenTransactions, on, intent({ accept: ["MIG117"] })), "accepted");
    assert.match(saidBy(startAboveOpenTransactions, on), `${name}=${value}`);
  }
});

check.run();
