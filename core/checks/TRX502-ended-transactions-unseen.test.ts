import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, initial, move } from "../kinds/offset-change/testing/build-facts.ts";
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

check.run();
