import { suite } from "uvu";
import * as assert from "uvu/assert";
import { initialOffset } from "../../facts/offset/moved-offset.ts";
import { type OpsOutcome, recordedChanges } from "../../facts/ops/ops-event.ts";
import type { RecordedMove } from "../../run/from-ops.ts";
import { canonicalJson, type JsonObject } from "../../values/json.ts";
import {
  isMoveBetween,
  isReversal,
  ledgerChange,
  moveStatusOf,
  strangeBeside,
  strangeInMove,
} from "./recorded-move.ts";
import { opsEvent, STORED } from "./testing/build-facts.ts";

const SCN = 2169287n;
const { resume_rs_id: _rsId, resume_ssn: _ssn, ...KEPT } = STORED;
/** What a move of `STORED` stores. */
const MOVED: JsonObject = { ...KEPT, resume_scn: SCN };
/** The same without the last commit. */
const AGAIN: JsonObject = {
  ...Object.fromEntries(Object.entries(MOVED).filter(([name]) => !name.startsWith("last_commit_"))),
  event_index: 0n,
};
const FIRST = initialOffset(SCN, { dbid: 2914731n, resetlogsScn: 1n });
const NOT_A_MOVE =
  "new_offset is neither the result of a move from previous_offset nor what a recorded run had stored before";
const LATER = "CDC-3002: the stored offset has format version 2, but this cdcctl supports versions up to 1";

type Parts = Partial<RecordedMove>;

function moveOf(parts: Parts = {}): RecordedMove {
  return {
    server: "orders",
    recordedAt: "2026-11-21T09:10:02Z",
    previous: STORED,
    next: MOVED,
    scn: SCN,
    forget: [],
    ...parts,
  };
}

const ids = (count: number) => Array.from({ length: count }, (_, i) => `1:4.9.77${i}`);
const fields = (count: number) => Object.fromEntries(ids(count).map((_, i) => [`x${i}`, 1n]));
/** A move of an offset whose ledger holds these, to one whose ledger holds those. */
const ledger = (before: readonly string[], after: readonly string[], forget: readonly string[]): Parts => ({
  previous: { ...STORED, released_xids: before.join(",") },
  next: { ...MOVED, released_xids: after.length === 0 ? null : after.join(",") },
  forget,
});
/** A change of the topic that moved `STORED`. */
const changeOf = (outcome: OpsOutcome, before: JsonObject | null = STORED, after: JsonObject | null = MOVED) =>
  recordedChanges(
    [
      opsEvent({
        run: "2026-11-21T09-10-00Z-7f3a",
        outcome,
        previous_offset: canonicalJson(before),
        new_offset: canonicalJson(after),
      }),
    ],
    "orders-cdc",
  );
const BACK: Parts = { previous: MOVED, next: STORED, scn: 2204511n };

const own = suite("a recorded move that cdcctl could have written");

for (const [what, parts] of Object.entries<Parts>({
  "backward, whose redo address is dropped with the old position": {},
  forward: { next: { ...MOVED, resume_scn: 2230000n }, scn: 2230000n },
  "in whose offset an SCN is text": {
    previous: { ...STORED, resume_scn: "2204511" },
    next: { ...MOVED, resume_scn: "2169287" },
  },
  "which drops the threads of the old position": {
    previous: { ...STORED, threads: '{"1":{"resume_scn":2204511}}' },
  },
  "which keeps what only the connector understands": {
    previous: { ...STORED, later: { a: [1n, null] } },
    next: { ...MOVED, later: { a: [1n, null] } },
  },
  "back below the first-start floor, which lifts the cut": {
    previous: { ...STORED, last_commit_xid: null, start_floor_scn: 2200000n, start_open_xids: "1:1.1.1" },
    next: { ...MOVED, last_commit_xid: null },
  },
  "which delivers again, as it says": { next: AGAIN, deliverAgain: true },
  "which removes a named id from the ledger": ledger(ids(2), ids(1), ["1:4.9.771"]),
  "which empties the ledger, to which an id was added after planning": ledger(ids(3), [], ids(2)),
  "of the first offset": { previous: null, next: FIRST },
  "of the first offset, where an empty one is stored": { previous: {}, next: FIRST },
}))
  own(what, () => assert.equal(strangeInMove(moveOf(parts), { prefix: "orders", changes: [] }), []));

own("which writes back what a recorded run had stored, in place of an offset that the task does not take", () => {
  const before: JsonObject = { ...STORED, v: null };
  const move = moveOf({ previous: before, next: MOVED });
  assert.equal(strangeInMove(move, { prefix: "orders", changes: changeOf("applied") }), []);
  assert.equal(strangeInMove(move, { prefix: "orders", changes: changeOf("failed") }), [NOT_A_MOVE]);
});

own("which restores the offset before a recorded run", () => {
  const changes = [...changeOf("failed"), ...changeOf("applied")];
  assert.equal(strangeInMove(moveOf(BACK), { prefix: "orders", changes }), []);
});

own.run();

const strange = suite("a recorded move that cdcctl would not have written");

for (const [what, parts, phrases] of [
  [
    "of another server",
    { server: "sales" },
    ['it is for server "sales", but cdc.topic.prefix of the connector is "orders"'],
  ],
  [
    "from an offset of a later version",
    { previous: { ...STORED, v: 2n }, next: { ...MOVED, v: 2n } },
    [`previous_offset: ${LATER}`, `new_offset: ${LATER}`, NOT_A_MOVE],
  ],
  [
    "to an unreadable offset",
    { next: { ...MOVED, resume_scn: "x" }, forget: ["1:4.9.771", "1:5.2.802"] },
    ['new_offset: the stored offset can\'t be read: resume_scn is "x", which is not an SCN', NOT_A_MOVE],
  ],
  ["to no offset at all", { previous: null, next: {} }, ["new_offset is empty", NOT_A_MOVE]],
  [
    "whose SCN differs from that of its offset",
    { scn: 2169288n },
    ["new_resume_scn is 2169288, but the resume SCN in new_offset is 2169287", NOT_A_MOVE],
  ],
  [
    "which releases a transaction that it does not name",
    ledger(ids(2), ids(1), []),
    ["new_offset removes 1:4.9.771 from the orphan release ledger, but forgotten_released does not name it"],
  ],
  [
    "which releases all of them, and names none",
    ledger(ids(7), [], []),
    [
      `new_offset removes ${ids(5).join(", ")} from the orphan release ledger, but forgotten_released does not name ` +
        "them",
    ],
  ],
  [
    "which names one, releases others and leaves one",
    ledger(ids(4), ids(1), ["1:4.9.771"]),
    [
      "new_offset removes 1:4.9.772, 1:4.9.773 from the orphan release ledger, but forgotten_released does not name " +
        "them",
    ],
  ],
  [
    "which changes the database's identity",
    { next: { ...MOVED, dbid: 1n } },
    ["dbid differs between previous_offset and new_offset, but no move changes that", NOT_A_MOVE],
  ],
  [
    "which adds a field, drops one and changes the type of a third",
    { previous: { ...STORED, a: 0n, b: 1n }, next: { ...MOVED, b: "1", "0": 0n } },
    ["0, a, b differ between previous_offset and new_offset, but no move changes those", NOT_A_MOVE],
  ],
  [
    "which changes many fields, of which ten are listed",
    { next: { ...MOVED, ...fields(11), x10: 1n } },
    [
      "x0, x1, x10, x2, x3, x4, x5, x6, x7, x8 differ between previous_offset and new_offset, but no move changes " +
        "those",
      NOT_A_MOVE,
    ],
  ],
  [
    "which delivers again without saying so",
    { next: AGAIN },
    [
      "event_index, last_commit_scn, last_commit_thread, last_commit_xid differ between previous_offset and " +
        "new_offset, but no move changes those",
      NOT_A_MOVE,
    ],
  ],
  ["which keeps the redo address of the old position", { next: { ...STORED, resume_scn: SCN } }, [NOT_A_MOVE]],
  ["of a first offset without a dbid", { previous: null, next: { ...FIRST, dbid: null } }, [NOT_A_MOVE]],
  [
    "of a first offset without an incarnation",
    { previous: null, next: { ...FIRST, resetlogs_scn: null } },
    [NOT_A_MOVE],
  ],
  [
    "of a first offset that has a last commit",
    { previous: null, next: { ...FIRST, last_commit_scn: 5n } },
    [NOT_A_MOVE],
  ],
] as readonly (readonly [string, Parts, readonly string[]])[])
  strange(what, () => assert.equal(strangeInMove(moveOf(parts), { prefix: "orders", changes: [] }), phrases));

for (const [what, changes] of [
  ["nobody recorded", []],
  ["failed", changeOf("failed")],
  ["is still under way", changeOf("applying")],
  ["began elsewhere", changeOf("applied", { ...STORED, journal_generation: 1n })],
  ["led elsewhere", changeOf("applied", STORED, { ...MOVED, journal_generation: 1n })],
  ["stored the first offset", changeOf("applied", null)],
  ["removed the offset", changeOf("applied", STORED, null)],
  ["carries no offsets", recordedChanges([opsEvent({ outcome: "applied" })], "orders-cdc")],
] as const)
  strange(`which rolls back a change that ${what}`, () => {
    assert.not(isReversal(moveOf(BACK), changes));
    assert.equal(strangeInMove(moveOf(BACK), { prefix: "orders", changes }), [NOT_A_MOVE]);
  });

strange(
  "which removes an offset that the task does not take, as a recorded run did: an empty one is never stored",
  () => {
    const move = moveOf({ previous: { ...STORED, v: null }, next: {} });
    assert.equal(strangeInMove(move, { prefix: "orders", changes: changeOf("applied", STORED, null) }), [
      "new_offset is empty",
      NOT_A_MOVE,
    ]);
  },
);

strange("which rolls back a change that removed or stored a whole offset: none is restored in that way", () => {
  assert.not(isReversal(moveOf({ previous: null, next: STORED }), changeOf("applied", STORED, null)));
  assert.not(isReversal(moveOf({ next: {} }), changeOf("applied", null, STORED)));
});

strange.run();

const beside = suite("a recorded move compared with the stored offset");

for (const [what, stored, seen] of [
  ["of the same incarnation, whatever was committed since", { ...STORED, resume_scn: 2300000n }, undefined],
  ["none", null, undefined],
  ["unreadable", { ...STORED, resume_scn: "x" }, undefined],
  ["of another database", { ...STORED, dbid: 7n }, "dbid 7, resetlogs 1"],
  ["of another incarnation", { ...STORED, resetlogs_scn: 9n }, "dbid 2914731, resetlogs 9"],
  ["without an identity", { ...STORED, dbid: null, resetlogs_scn: null }, "dbid none, resetlogs none"],
] as const)
  beside(`the stored offset is ${what}`, () =>
    assert.is(
      strangeBeside(moveOf(), stored),
      seen && `new_offset is from dbid 2914731, resetlogs 1, but the stored offset is from ${seen}`,
    ),
  );

beside("an unreadable stored offset is compared with nothing", () =>
  assert.is(strangeBeside(moveOf({ next: {} }), { ...STORED, dbid: 7n }), undefined),
);

beside("is in place, has not begun, or is neither", () => {
  for (const [move, stored, status] of [
    [moveOf(), MOVED, "stands"],
    [moveOf(), STORED, "not begun"],
    [moveOf(), { ...MOVED, journal_generation: 18n }, "something else"],
    [moveOf(), null, "something else"],
    [moveOf({ previous: null }), null, "not begun"],
    [moveOf({ previous: {} }), null, "not begun"],
  ] as const)
    assert.is(moveStatusOf(move, stored), status);
});

beside("a move between two offsets goes to the resume SCN of the second", () => {
  assert.ok(isMoveBetween(STORED, MOVED));
  assert.ok(isMoveBetween({}, FIRST));
  assert.ok(isMoveBetween(STORED, AGAIN), "one that delivers again");
  assert.not(isMoveBetween(MOVED, STORED));
  assert.not(isMoveBetween({ ...STORED, v: 2n }, { ...MOVED, v: 2n }));
  assert.not(isMoveBetween({ v: 1n }, MOVED), "from an offset that can't be read");
  const { resume_scn: _scn, ...nowhere } = MOVED;
  assert.not(isMoveBetween(STORED, nowhere), "to an offset without a resume SCN");
});

beside("the ledger is compared id by id", () => {
  assert.equal(ledgerChange(moveOf(ledger(ids(3), ["1:4.9.771"], []))), {
    removed: ["1:4.9.770", "1:4.9.772"],
    left: ["1:4.9.771"],
  });
  assert.equal(ledgerChange({ previous: null, next: FIRST }), { removed: [], left: [] });
  assert.equal(ledgerChange({ previous: null, next: {} }), { removed: [], left: [] });
});

beside.run();
