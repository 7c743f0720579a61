import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, initial, move } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { endedTransactionsUnseen } from "./TRX502-ended-transactions-unseen.ts";

const check = suite("TRX502 transactions that have ended since");

check("warns on a forward move and on a first offset", () => {
  assert.is(effectOf(endedTransactionsUnseen, move({ from: 9n, to: 10n })), "warns");
  assert.is(effectOf(endedTransactionsUnseen, initial({ to: 10n })), "warns");
});

check("passes for a move back and to the same SCN: they tear nothing", () => {
  assert.is(effectOf(endedTransactionsUnseen, move({ from: 10n, to: 9n })), "none");
  assert.is(effectOf(endedTransactionsUnseen, move({ from: 9n, to: 9n })), "none");
});

check("of a resnapshot, concerns the tables only that are not snapshotted", () => {
  assert.is(resnapshot.effectOf(endedTransactionsUnseen, resnapshot.reading()), "none");
  assert.is(resnapshot.effectOf(endedTransactionsUnseen, resnapshot.pastTheGap()), "warns");
  assert.match(
    resnapshot.saidBy(endedTransactionsUnseen, resnapshot.pastTheGap()),
    "in the unlisted table they are torn, in the named ones the snapshot holds them",
  );
  const all = resnapshot.intent({ tables: [resnapshot.ORDERS, resnapshot.LINES, resnapshot.ITEMS] });
  assert.is(resnapshot.effectOf(endedTransactionsUnseen, resnapshot.pastTheGap({}, all), all), "none");
});

check.run();
