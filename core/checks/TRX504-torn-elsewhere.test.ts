import { suite } from "uvu";
import * as assert from "uvu/assert";
import { known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import {
  effectOf,
  ITEMS,
  intent,
  LINES,
  ORDERS,
  pastTheGap,
  reading,
  saidBy,
} from "../kinds/resnapshot/testing/build-facts.ts";
import { tornElsewhere } from "./TRX504-torn-elsewhere.ts";

const check = suite("TRX504 transactions torn in the tables that are not named");

const open = (startScn: bigint, sqn = 771n) => ({
  xid: { container: 3n, usn: 4n, slot: 9n, sqn },
  startScn,
  startedAt: undefined,
  user: "APP",
  clientId: undefined,
});
const waiting = intent({ waitForTransactions: 600_000n, skipGapForUnlistedTables: "all" });

check("warns that waiting helps the named tables only, and names the transactions", () => {
  const on = pastTheGap({ transactions: known([open(2219999n)]) }, waiting);
  assert.is(effectOf(tornElsewhere, on, waiting), "warns");
  assert.match(
    saidBy(tornElsewhere, on, waiting),
    "1 open transaction that began before 2220000 is waited for; in the unlisted table torn all the same: " +
      "3:4.9.771 (APP)",
  );
});

check("names five of very many", () => {
  const many = Array.from({ length: 500 }, (_, i) => open(2219999n, BigInt(i)));
  const text = saidBy(tornElsewhere, pastTheGap({ transactions: known(many) }, waiting), waiting);
  assert.match(text, /^500 open transactions .* are waited for.*, …/);
  assert.ok(text.length < 600);
});

check("passes where every captured table is named: there they are whole", () => {
  const all = intent({ tables: [ORDERS, LINES, ITEMS], waitForTransactions: 600_000n });
  assert.is(effectOf(tornElsewhere, pastTheGap({ transactions: known([open(1n)]) }, all), all), "none");
});

check("passes where none is open, none is waited for, or the offset stays", () => {
  assert.is(effectOf(tornElsewhere, pastTheGap({ transactions: known([open(2220000n)]) }, waiting), waiting), "none");
  const transactions = known([open(1n)]);
  assert.is(effectOf(tornElsewhere, pastTheGap({ transactions })), "none");
  assert.is(effectOf(tornElsewhere, reading({ transactions }, waiting), waiting), "none");
});

check("leaves transactions that can't be seen to TRX501", () => {
  assert.is(effectOf(tornElsewhere, pastTheGap({ transactions: unseen() }, waiting), waiting), "none");
});

check.run();
