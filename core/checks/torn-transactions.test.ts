import { suite } from "uvu";
import * as assert from "uvu/assert";
import { planOffsetChange } from "../kinds/offset-change/plan.ts";
import {
  effectOf,
  initial,
  intent,
  known,
  move,
  reading,
  STORED,
  toScn,
  unseen,
} from "../kinds/offset-change/testing/build-facts.ts";
import { planResnapshot } from "../kinds/resnapshot/plan.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { lineOf } from "../values/remedy.ts";
import { worded } from "./testing/wording.ts";
import { endedTransactionsUnseen, heldByJournal, tornElsewhere, tornTransactions } from "./torn-transactions.ts";

const TRX501 = suite("TRX501 transactions that would be torn");

const openSince = (startScn: bigint, container: bigint | undefined = 1n) => ({
  xid: { container, usn: 4n, slot: 9n, sqn: 771n },
  startScn,
  startedAt: undefined,
  user: "APP",
  clientId: undefined,
});
const chunk = (firstScn: bigint, container: bigint | undefined = 1n, xid = "4.9.771") => ({
  xid,
  container,
  firstScn,
  user: "APP",
  clientId: undefined,
});
const forward = { from: 2204511n, to: 2230000n };

const skip = toScn(2230000n, { allowSkip: true });

TRX501("passes forward when no open transaction began before the target", () => {
  assert.is(effectOf(tornTransactions, move(forward, { transactions: known([openSince(2230000n)]) }), skip), "none");
});

TRX501("names those that began before it, and blocks unless accepted; admin continues with a warning", () => {
  const on = move(forward, { transactions: known([openSince(2229999n)]) });
  const verdict = worded(tornTransactions).run(skip, on);
  assert.ok(verdict.verdict === "fail");
  assert.is(verdict.seen, "1 open transaction began before 2230000: 1:4.9.771 (APP) from 2229999");
  assert.is(effectOf(tornTransactions, on, skip), "blocks");
  assert.is(effectOf(tornTransactions, on, { ...skip, accept: ["TRX501"] }), "accepted");
  assert.is(effectOf(tornTransactions, on, toScn(2230000n, { by: "admin" })), "warns");
});

TRX501("names, where what was delivered is delivered again, those whose first part is not", () => {
  const again = toScn(2169287n, { deliverAgain: true });
  const on = reading({ transactions: known([openSince(2169286n), openSince(2169287n)]) }, again);
  const verdict = worded(tornTransactions).run(again, on);
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, "1 open transaction began before 2169287: 1:4.9.771 (APP) from 2169286; without the last");
  assert.is(effectOf(tornTransactions, on, again), "blocks");
  assert.is(worded(endedTransactionsUnseen).run(again, on).verdict, "fail");
  const kept = reading({ transactions: known([openSince(2169286n)]) }, toScn(2169287n));
  assert.is(effectOf(tornTransactions, kept, toScn(2169287n)), "none");
});

TRX501("names under admin only options that admin has", () => {
  const transactions = known([openSince(2229999n)]);
  for (const made of [
    planOffsetChange(toScn(2230000n, { by: "admin" }), move(forward, { transactions }).facts),
    planResnapshot(
      resnapshot.intent({ by: "admin" }),
      resnapshot.pastTheGap({ transactions: known([openSince(1n)]) }).facts,
    ),
  ]) {
    const torn = made.findings.find(({ code }) => code === "TRX501");
    assert.is(torn?.effect, "warns");
    assert.ok(torn?.remedies.length);
    for (const { remedies } of made.findings)
      assert.not.match(remedies.map(lineOf).join("\n"), /spec\.accept|spec\.waitFor/);
  }
});

TRX501("applies to a first offset too, but never to a backward move, to the same SCN, or to a restored offset", () => {
  const transactions = known([openSince(1n)]);
  assert.is(effectOf(tornTransactions, initial({ to: 2230000n }, { transactions }), skip), "blocks");
  for (const on of [move({ from: 10n, to: 9n }, { transactions }), move({ from: 9n, to: 9n }, { transactions })])
    assert.is(effectOf(tornTransactions, on, skip), "none");
  const restore = intent({ position: { to: "restore", run: "a", offset: STORED, replacing: STORED } });
  assert.is(
    effectOf(tornTransactions, reading({ stored: { ...STORED, resume_scn: 9n }, transactions }, restore), restore),
    "none",
  );
});

TRX501("names a transaction that both the database and the journal list once", () => {
  for (const [ours, journals] of [
    [1n, 1n],
    [undefined, 1n],
    [1n, undefined],
  ] as const) {
    const on = move(forward, {
      transactions: known([openSince(2229999n, ours)]),
      journaled: known([chunk(2229998n, journals)]),
    });
    assert.ok(on.torn.known);
    assert.is(on.torn.value.length, 1);
    assert.is(on.torn.value[0]?.seenIn, "both");
  }
});

TRX501("distinguishes the same id in two containers", () => {
  const on = move(forward, {
    transactions: known([openSince(2229999n, 3n)]),
    journaled: known([chunk(2229998n, 4n)]),
  });
  assert.ok(on.torn.known);
  assert.equal(
    on.torn.value.map(({ xid, seenIn }) => [xid, seenIn]),
    [
      ["4:4.9.771", "journal"],
      ["3:4.9.771", "GV$TRANSACTION"],
    ],
  );
});

TRX501("names one that only the journal contains, even with an id of an unknown form", () => {
  const on = move(forward, { journaled: known([chunk(5n, 1n, "??"), chunk(2230000n)]) });
  assert.ok(on.torn.known);
  assert.equal(
    on.torn.value.map(({ xid }) => xid),
    ["1:??"],
  );
});

TRX501("never passes forward while open transactions are unknown", () => {
  const on = move(forward, { transactions: unseen() });
  assert.is(worded(tornTransactions).run(skip, on).verdict, "unknown");
  assert.is(effectOf(tornTransactions, on, skip), "blocks");
});

TRX501("names at most ten of very many", () => {
  const many = Array.from({ length: 500 }, (_, i) => ({
    ...openSince(1n),
    xid: { container: 1n, usn: 1n, slot: 1n, sqn: BigInt(i) },
  }));
  const verdict = worded(tornTransactions).run(skip, move(forward, { transactions: known(many) }));
  assert.ok(verdict.verdict === "fail");
  assert.match(verdict.seen, /^500 open transactions/);
  assert.ok(verdict.seen.length < 1000);
  const ten = worded(tornTransactions).run(skip, move(forward, { transactions: known(many.slice(0, 10)) }));
  assert.ok(ten.verdict === "fail");
  assert.match(ten.seen, /^10 open transactions [^…]*$/, "all ten are named");
});

TRX501("does not apply to a signal alone: nothing is skipped", () => {
  const transactions = known([openSince(1n)]);
  assert.is(resnapshot.effectOf(tornTransactions, resnapshot.reading({ transactions })), "none");
  assert.is(resnapshot.effectOf(tornTransactions, resnapshot.reading({ transactions: unseen() })), "none");
});

TRX501("past a gap blocks what began before the new position, whether or not the listed tables are affected", () => {
  const on = resnapshot.pastTheGap({ transactions: known([openSince(resnapshot.AFTER_GAP - 1n)]) });
  assert.is(resnapshot.effectOf(tornTransactions, on), "blocks");
  assert.is(resnapshot.effectOf(tornTransactions, on, resnapshot.intent({ accept: ["TRX501"] })), "accepted");
  assert.is(resnapshot.effectOf(tornTransactions, on, resnapshot.intent({ by: "admin" })), "warns");
  assert.match(resnapshot.resultOf(tornTransactions, on), "spec.waitForTransactions");
  const later = resnapshot.pastTheGap({ transactions: known([openSince(resnapshot.AFTER_GAP)]) });
  assert.is(resnapshot.effectOf(tornTransactions, later), "none");
});

TRX501("past a gap does not block what is waited for, but what is unknown cannot be waited for", () => {
  const waiting = resnapshot.intent({ waitForTransactions: 600_000n });
  const on = resnapshot.pastTheGap({ transactions: known([openSince(1n)]) }, waiting);
  assert.is(resnapshot.effectOf(tornTransactions, on, waiting), "none");
  const blind = resnapshot.pastTheGap({ transactions: unseen() }, waiting);
  assert.is(resnapshot.effectOf(tornTransactions, blind, waiting), "blocks");
});

const TRX502 = suite("TRX502 transactions that have ended since");

TRX502("warns on a forward move and on a first offset", () => {
  assert.is(effectOf(endedTransactionsUnseen, move({ from: 9n, to: 10n })), "warns");
  assert.is(effectOf(endedTransactionsUnseen, initial({ to: 10n })), "warns");
});

TRX502("passes for a backward move and to the same SCN, which tear nothing", () => {
  assert.is(effectOf(endedTransactionsUnseen, move({ from: 10n, to: 9n })), "none");
  assert.is(effectOf(endedTransactionsUnseen, move({ from: 9n, to: 9n })), "none");
});

TRX502("applies for a resnapshot only to tables that are not snapshotted", () => {
  assert.is(resnapshot.effectOf(endedTransactionsUnseen, resnapshot.reading()), "none");
  assert.is(resnapshot.effectOf(endedTransactionsUnseen, resnapshot.pastTheGap()), "warns");
  assert.match(
    resnapshot.resultOf(endedTransactionsUnseen, resnapshot.pastTheGap()),
    "in the unlisted table they are torn, in the named ones the snapshot holds them",
  );
  const one = resnapshot.intent({ tables: [resnapshot.ORDERS] });
  assert.match(
    resnapshot.resultOf(endedTransactionsUnseen, resnapshot.pastTheGap({}, one), one),
    "in the 2 unlisted tables they are torn",
  );
  const all = resnapshot.intent({ tables: [resnapshot.ORDERS, resnapshot.LINES, resnapshot.ITEMS] });
  assert.is(resnapshot.effectOf(endedTransactionsUnseen, resnapshot.pastTheGap({}, all), all), "none");
});

const TRX505 = suite("TRX505 journaled transactions that would pull the offset back");

/** A chunk of a generation below the stored one, 17, unless it is given. */
const journaled = (firstScn: bigint, lastScn: bigint, generation = 7n) => ({
  ...chunk(firstScn, 3n),
  chunks: [{ generation, firstScn, lastScn }],
});
const removing = toScn(2230000n, { allowSkip: true, removeJournaledTransactions: true });
const heldIn = (one: ReturnType<typeof journaled>, from = forward) => move(from, { journaled: known([one]) });

TRX505("refuses a forward move over one that the task restores, and names it with its last record", () => {
  const on = heldIn(journaled(2200000n, 2201000n));
  const verdict = worded(heldByJournal).run(skip, on);
  assert.ok(verdict.verdict === "fail");
  assert.is(
    verdict.seen,
    "1 journaled transaction would be restored and hold the resume point below 2230000: 3:4.9.771 (APP), whose last " +
      "record is at 2201000",
  );
  for (const accepting of [skip, { ...skip, accept: ["TRX505"] }, toScn(2230000n, { by: "admin" })])
    assert.is(effectOf(heldByJournal, on, accepting), "blocks");
});

TRX505("counts every chunk that begins below the target, up to the stored generation + 1", () => {
  assert.is(effectOf(heldByJournal, heldIn(journaled(2229999n, 2240000n, 18n)), skip), "blocks");
  assert.is(effectOf(heldByJournal, heldIn(journaled(2229999n, 2240000n, 19n)), skip), "none");
  assert.is(effectOf(heldByJournal, heldIn(journaled(2230000n, 2240000n)), skip), "none");
});

TRX505("applies to a first offset: chunks of generation 1 are left from an earlier life of the prefix", () => {
  const first = (generation: bigint) =>
    initial({ to: 2230000n }, { journaled: known([journaled(1n, 2n, generation)]) });
  assert.is(effectOf(heldByJournal, first(1n), skip), "blocks");
  assert.is(effectOf(heldByJournal, first(2n), skip), "none");
});

TRX505("passes back, to the same SCN, and where the plan file removes their records", () => {
  const one = journaled(1n, 2n);
  for (const from of [
    { from: 10n, to: 9n },
    { from: 9n, to: 9n },
  ])
    assert.is(effectOf(heldByJournal, heldIn(one, from), skip), "none");
  assert.is(effectOf(heldByJournal, heldIn(one), removing), "none");
});

TRX505("passes past a gap while a running connector is waited for, and not once it has stopped", () => {
  const waiting = resnapshot.intent({ waitForTransactions: 600_000n, skipGapForUnlistedTables: "all" });
  const effect = (state: string, asked = waiting) => {
    const on = resnapshot.pastTheGap({ journaled: known([journaled(1n, 2n)]) }, asked);
    const { connector } = on.facts;
    const facts = { ...on.facts, connector: { ...connector, status: { ...connector.status, state } } };
    return resnapshot.effectOf(heldByJournal, { ...on, facts }, asked);
  };
  assert.is(effect("STOPPED"), "blocks");
  assert.is(effect("RUNNING", resnapshot.intent({})), "blocks");
  assert.is(effect("RUNNING"), "none");
});

TRX505("is unknown where the journal was not read, and blocks unless that is accepted", () => {
  const on = move({ from: 9n, to: 10n }, { journaled: unseen() });
  assert.is(worded(heldByJournal).run(skip, on).verdict, "unknown");
  assert.is(effectOf(heldByJournal, on, skip), "blocks");
  assert.is(effectOf(heldByJournal, on, { ...skip, accept: ["TRX505"] }), "accepted");
  const signalOnly = { journaled: unseen() };
  assert.is(resnapshot.effectOf(heldByJournal, resnapshot.reading(signalOnly)), "none");
});

TRX505("leads from admin to a plan file, and from a plan file to the setting", () => {
  const remedies = (asked: typeof skip) => {
    const verdict = worded(heldByJournal).run(asked, heldIn(journaled(1n, 2n)));
    return verdict.verdict === "fail" ? (verdict.remedies ?? []).map(lineOf).join("\n") : "";
  };
  assert.match(remedies(skip), "spec.removeJournaledTransactions: true");
  assert.match(remedies(toScn(2230000n, { by: "admin" })), "cdcctl init offset-change");
});

const TRX504 = suite("TRX504 torn transactions in unlisted tables");

const openInPdb = (startScn: bigint, sqn = 771n) => ({
  xid: { container: 3n, usn: 4n, slot: 9n, sqn },
  startScn,
  startedAt: undefined,
  user: "APP",
  clientId: undefined,
});
const waiting = resnapshot.intent({ waitForTransactions: 600_000n, skipGapForUnlistedTables: "all" });

TRX504("warns that waiting helps the listed tables only, and names the transactions", () => {
  const on = resnapshot.pastTheGap({ transactions: known([openInPdb(2219999n)]) }, waiting);
  assert.is(resnapshot.effectOf(tornElsewhere, on, waiting), "warns");
  assert.match(
    resnapshot.resultOf(tornElsewhere, on, waiting),
    "1 open transaction that began before 2220000 is waited for; in the unlisted table torn all the same: " +
      "3:4.9.771 (APP)",
  );
});

TRX504("names five of very many", () => {
  const many = Array.from({ length: 500 }, (_, i) => openInPdb(2219999n, BigInt(i)));
  const text = resnapshot.resultOf(
    tornElsewhere,
    resnapshot.pastTheGap({ transactions: known(many) }, waiting),
    waiting,
  );
  assert.match(text, /^500 open transactions .* are waited for.*, …/);
  assert.ok(text.length < 600);
  const five = resnapshot.pastTheGap({ transactions: known(many.slice(0, 5)) }, waiting);
  assert.not.match(resnapshot.resultOf(tornElsewhere, five, waiting), "…", "all five are named");
});

TRX504("passes where every captured table is listed, since they are complete there", () => {
  const all = resnapshot.intent({
    tables: [resnapshot.ORDERS, resnapshot.LINES, resnapshot.ITEMS],
    waitForTransactions: 600_000n,
  });
  assert.is(
    resnapshot.effectOf(tornElsewhere, resnapshot.pastTheGap({ transactions: known([openInPdb(1n)]) }, all), all),
    "none",
  );
});

TRX504("passes where none is open, none is waited for, or the offset stays", () => {
  assert.is(
    resnapshot.effectOf(
      tornElsewhere,
      resnapshot.pastTheGap({ transactions: known([openInPdb(2220000n)]) }, waiting),
      waiting,
    ),
    "none",
  );
  const transactions = known([openInPdb(1n)]);
  assert.is(resnapshot.effectOf(tornElsewhere, resnapshot.pastTheGap({ transactions })), "none");
  assert.is(resnapshot.effectOf(tornElsewhere, resnapshot.reading({ transactions }, waiting), waiting), "none");
});

TRX504("leaves unknown transactions to TRX501", () => {
  assert.is(
    resnapshot.effectOf(tornElsewhere, resnapshot.pastTheGap({ transactions: unseen() }, waiting), waiting),
    "none",
  );
});

TRX501.run();
TRX502.run();
TRX504.run();
TRX505.run();
