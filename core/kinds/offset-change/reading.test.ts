import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OffsetChangeIntent } from "../../document/intent.ts";
import { initialOffset } from "../../facts/offset/moved-offset.ts";
import { decideOffsetChange } from "./reading.ts";
import {
  type FactsParts,
  intent,
  known,
  opsEvent,
  ranOnFrom,
  reading,
  STORED,
  toScn,
  unseen,
} from "./testing/build-facts.ts";

const TO = 2169287n;
const { resume_rs_id: _rsId, resume_ssn: _ssn, ...KEPT } = STORED;
const restoring = (offset: typeof STORED) =>
  intent({ position: { to: "restore", run: "a", offset, replacing: STORED } });
const RECORDED = { ...STORED, journal_generation: 16n, resume_scn: TO };
const LAST = intent({ position: { to: "lastRecorded" } });
const events = [opsEvent({ run: "a" }), opsEvent({ run: "a", outcome: "applied" })].map(({ details, ...event }) => ({
  ...event,
  details: { ...details, ...ranOnFrom(TO) },
}));

const after = suite("the offset that an offset change stores");

for (const [what, wanted, parts, offset] of [
  ["a move keeps all but the position", intent(), {}, { ...KEPT, resume_scn: TO }],
  [
    "a first one is of this database",
    intent(),
    { stored: null },
    initialOffset(TO, { dbid: 2914731n, resetlogsScn: 1n }),
  ],
  ["a restore is the one from before, whatever is stored", restoring(RECORDED), { stored: null }, RECORDED],
  ["the one recorded last replaces one that can't be read", LAST, { stored: { resume_scn: "x" }, events }, RECORDED],
  ["there is none in place of one of a later version", intent(), { stored: { ...STORED, v: 9n } }, undefined],
  ["there is none while the target is unknown", LAST, { stored: { resume_scn: "x" } }, undefined],
  [
    "there is none beside another partition",
    intent(),
    { connector: { offsets: [{ partition: { server: "billing" }, offset: STORED }] } },
    undefined,
  ],
] as readonly (readonly [string, OffsetChangeIntent, FactsParts, object | undefined])[])
  after(what, () => assert.equal(reading(parts, wanted).after, offset));

after(
  "is as wanted only where all of it is stored already, and then changes nothing once the connector is started",
  () => {
    const stored = { ...KEPT, resume_scn: TO };
    for (const [wanted, parts, asWanted, changes] of [
      [toScn(TO, { resume: true }), { stored }, true, false],
      [toScn(TO), { stored }, true, true],
      [toScn(TO, { resume: true }), {}, false, true],
      [LAST, { stored: { resume_scn: "x" } }, false, true],
    ] as const) {
      const seen = reading(parts, wanted);
      assert.equal([seen.asWanted, seen.changesOffset], [asWanted, changes]);
    }
  },
);

after("recorded last decides what is restored; its target is where that begins", () => {
  const seen = reading({ stored: { ...STORED, dbid: null }, events }, LAST);
  assert.equal(seen.target, { pinned: true, scn: TO });
  assert.equal(seen.move, { direction: "backward", from: 2204511n, to: TO, distance: 35224n });
  const { scn, direction, restore } = decideOffsetChange(LAST, seen);
  assert.equal([scn, direction, restore], [TO, "backward", RECORDED]);
  const unread = reading({ stored: { resume_scn: "x" }, events }, LAST).move;
  assert.equal(unread, { direction: "initial", from: undefined, to: TO, distance: 0n });
});

after("recorded last is unknown without a record, and nothing follows from it", () => {
  const seen = reading({ stored: { resume_scn: "x" }, opsHistory: unseen("no right", "GRANT it.") }, LAST);
  assert.equal(seen.target, {
    ...{ pinned: false, why: "the ops topic could not be read: no right", remedies: ["GRANT it."] },
  });
  assert.equal([seen.move, seen.redo, seen.replacement, seen.asWanted], [undefined, undefined, undefined, false]);
  assert.equal(decideOffsetChange(LAST, seen).restore, undefined);
});

after.run();

const altered = suite("tables with a DDL in what an offset change skips or mines again");

const ORDERS = "ORCLPDB1.SALES.ORDERS";
const TIMES = known([
  { scn: TO, at: "2026-11-20T18:30:00Z" },
  { scn: 2204511n, at: "2026-11-20T19:00:00Z" },
  { scn: 2230000n, at: "2026-11-20T19:30:00Z" },
]);
const defined = (lastDdl: string): FactsParts => ({
  times: TIMES,
  ddl: known({ schemaTopic: "orders.cdc.schema", tables: [{ table: ORDERS, lastDdl, layout: ORDERS }] }),
});
const [BETWEEN, AHEAD, LATER] = ["2026-11-20T18:45:00Z", "2026-11-20T19:15:00Z", "2026-11-21T08:00:00Z"];
const RANGE: FactsParts = { connector: { miningMode: "range" } };
const removing = { allowSkip: true, removeTableSchemas: true } as const;

for (const [what, wanted, parts, found] of [
  ["a forward move skips those up to its target", toScn(2230000n, removing), defined(AHEAD), [ORDERS]],
  ["a forward move does not skip those behind its target", toScn(2230000n, removing), defined(LATER), []],
  ["a move back mines none again with the layouts in the redo", intent(removing), defined(BETWEEN), undefined],
  [
    "a move back by range mines those since its target again",
    intent(removing),
    { ...defined(BETWEEN), ...RANGE },
    [ORDERS],
  ],
  ["a move back by range mines later ones again too", intent(removing), { ...defined(LATER), ...RANGE }, [ORDERS]],
  [
    "a restored offset was stored with these layouts",
    { ...restoring({ ...STORED, resume_scn: 2230000n }), ...removing },
    defined(AHEAD),
    undefined,
  ],
  ["the same SCN skips none", toScn(2204511n, removing), { ...defined(AHEAD), ...RANGE }, undefined],
  ["a first offset has none", intent(removing), { ...defined(AHEAD), ...RANGE, stored: null }, undefined],
] as readonly (readonly [string, OffsetChangeIntent, FactsParts, readonly string[] | undefined])[])
  altered(what, () => {
    const seen = reading(parts, wanted);
    assert.equal(seen.altered?.known && seen.altered.value.map(({ table }) => table), found);
    const removed = found?.length ? [{ topic: "orders.cdc.schema", of: "schema", only: found }] : [];
    assert.equal(seen.removed, removed);
    assert.equal(decideOffsetChange(wanted, seen).removedSchemas, found?.length ? found : undefined);
    assert.equal(reading(parts, { ...wanted, removeTableSchemas: undefined }).removed, [], "only if asked for");
  });

altered("are unknown, and nothing is removed, where they could not be read", () => {
  const seen = reading({ ...defined(AHEAD), ddl: unseen("no right") }, toScn(2230000n, removing));
  assert.equal([seen.altered?.known, seen.removed], [false, []]);
});

altered.run();

const torn = suite("what an offset change tears or holds");

const journaled = known(
  [{ xid: "4.9.771", container: 1n, firstScn: TO - 1n, user: "APP", clientId: "batch" }],
  "orders.cdc.txjournal",
);
const open = known([
  {
    ...{ xid: { container: 1n, usn: 5n, slot: 1n, sqn: 9n }, startScn: TO - 7n },
    ...{ startedAt: undefined, user: "HR", clientId: undefined },
  },
]);

for (const [what, wanted, parts, tears] of [
  ["a move forward", toScn(2230000n), {}, true],
  ["a first offset", intent(), { stored: null }, true],
  ["a move back", intent(), {}, false],
  ["a move back that delivers again", intent({ deliverAgain: true }), {}, true],
  ["the same SCN, which delivers nothing again", toScn(2204511n, { deliverAgain: true }), {}, false],
  ["a restored later offset", restoring({ ...STORED, resume_scn: 2230000n }), {}, false],
  ["an unknown target", LAST, { stored: { resume_scn: "x" } }, false],
] as readonly (readonly [string, OffsetChangeIntent, FactsParts, boolean])[])
  torn(
    `${what} ${tears ? "can leave transactions in part, and is held back by what the journal has" : "tears none"}`,
    () => {
      const seen = reading({ ...parts, journaled, transactions: open }, wanted);
      assert.is(seen.tears, tears);
      assert.equal(seen.held.known && seen.held.value.map(({ xid }) => xid), tears ? ["1:4.9.771"] : []);
      assert.equal(
        seen.torn.known && seen.torn.value.map(({ xid, seenIn, user, clientId }) => [xid, seenIn, user, clientId]),
        tears
          ? [
              ["1:5.1.9", "GV$TRANSACTION", "HR", undefined],
              ["1:4.9.771", "journal", "APP", "batch"],
            ]
          : [],
      );
    },
  );

torn("each is named with its container as far as that is known", () => {
  const chunks = known(
    (
      [
        ["4.9.770", undefined],
        ["4.9.771", 3n],
        ["3:4.9.772", 3n],
      ] as const
    ).map(([xid, container], i) => ({
      ...{ xid, container, firstScn: TO + BigInt(i), user: undefined, clientId: undefined },
    })),
  );
  const named = ["4.9.770", "3:4.9.771", "3:4.9.772"];
  const seen = reading({ journaled: chunks }, toScn(2230000n));
  assert.equal(seen.torn.known && seen.torn.value.map(({ xid }) => xid), named);
  assert.equal(seen.held.known && seen.held.value.map(({ xid }) => xid), named);
});

torn("what can't be seen of them is unknown, not none", () => {
  const seen = reading({ journaled: unseen("a"), transactions: unseen("b") }, toScn(2230000n));
  assert.equal([seen.held.known, seen.torn.known], [false, false]);
});

torn.run();
