import { suite } from "uvu";
import * as assert from "uvu/assert";
import { effectOf, intent, move, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { journalUnread } from "./TRX503-journal-unread.ts";

const check = suite("TRX503 a transaction journal that was not read");

check("passes when it was read, and where nothing can be torn", () => {
  assert.is(effectOf(journalUnread, move({ from: 9n, to: 10n })), "none");
  assert.is(effectOf(journalUnread, move({ from: 10n, to: 9n }, { journaled: unseen() })), "none");
});

check("warns on a forward move when it could not be read", () => {
  const on = move({ from: 9n, to: 10n }, { journaled: unseen() });
  assert.is(journalUnread.run(intent(), on).verdict, "unknown");
  assert.is(effectOf(journalUnread, on), "warns");
});

check("does not concern a signal alone: nothing is torn", () => {
  const parts = { journaled: unseen() };
  assert.is(resnapshot.effectOf(journalUnread, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(journalUnread, resnapshot.pastTheGap(parts)), "warns");
});

check.run();
