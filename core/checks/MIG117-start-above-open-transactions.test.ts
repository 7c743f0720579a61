import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cutover, effectOf, intent, saidBy, verdictOf } from "../kinds/migration/testing/build-readings.ts";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { startAboveOpenTransactions } from "./MIG117-start-above-open-transactions.ts";

const check = suite("MIG117 a start above the begin of open transactions");

const OLD = {
  xid: { container: 3n, usn: 4n, slot: 9n, sqn: 771n },
  startScn: 1000n,
  startedAt: undefined,
  user: "APP",
  clientId: undefined,
};

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

const UNSET = { "use.transaction.begin.for.mining.session": "" };
const RUNNING = { state: "RUNNING", worker: "w", tasks: [{ id: 0n, state: "RUNNING", worker: "w" }] };

check("a setting that is not set counts as false: without a look before the stop it can't be told", () => {
  const on = cutover({ properties: UNSET });
  assert.is(verdictOf(startAboveOpenTransactions, on), "unknown");
  assert.is(effectOf(startAboveOpenTransactions, on), "blocks");
  assert.is(effectOf(startAboveOpenTransactions, on, intent({ accept: ["MIG117"] })), "accepted");
  assert.match(saidBy(startAboveOpenTransactions, on), "not recorded before it stopped");
});

check("while the connector runs only what is open already blocks", () => {
  const legacy = { status: RUNNING };
  assert.is(effectOf(startAboveOpenTransactions, cutover({ legacy, properties: UNSET })), "none");
  assert.is(
    effectOf(startAboveOpenTransactions, cutover({ legacy, properties: UNSET, transactions: unseen() })),
    "blocks",
  );
  const open = cutover({ legacy, properties: UNSET, transactions: known([OLD]) });
  assert.is(verdictOf(startAboveOpenTransactions, open), "fail");
});

check("one that was open before the stop and has ended since is named, with a start that loses nothing", () => {
  const start = cutover().takeover.offsets?.startScn ?? 0n;
  const look = (...open: readonly (typeof OLD)[]) => ({ from: start, to: start, open });
  const named = cutover({ properties: UNSET, openBefore: look(OLD) });
  assert.is(verdictOf(startAboveOpenTransactions, named), "fail");
  assert.match(saidBy(startAboveOpenTransactions, named), "ended since: 3:4.9.771 (APP, from 1000)");
  assert.match(saidBy(startAboveOpenTransactions, named), "set cdc.start.scn=1000");
  assert.is(effectOf(startAboveOpenTransactions, cutover({ properties: UNSET, openBefore: look() })), "none");
});

check.run();
