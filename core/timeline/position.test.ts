import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { examineRedo } from "../facts/redo/redo.ts";
import { anyWorld, buildWorld } from "../facts/testing/any-catalogue.ts";
import { archived, CATALOGUE, known, unseen } from "../kinds/offset-change/testing/build-facts.ts";
import { fewer, threadTimelines } from "./stretches.ts";
import { buildPosition, buildTimeline } from "./testing/build-timeline.ts";
import { isGap, MOST_STRETCHES, MOST_TRANSACTIONS, type Stretch, timelineOf } from "./timeline.ts";

const position = suite("the SCN timeline of a position");

const stretchText = ({ state, from, to, fromSequence, toSequence }: Stretch) =>
  `${state} ${fromSequence ?? "?"}-${toSequence ?? "?"} ${from}-${to}`;

position("has its marks in order of SCN, with the known times", () => {
  const { marks } = buildTimeline({ target: 2169287n, times: known([{ scn: 2169287n, at: "2026-11-20T18:30:00Z" }]) });
  assert.equal(
    marks.map(({ mark, scn, at }) => [mark, scn, at]),
    [
      ["target", 2169287n, "2026-11-20T18:30:00Z"],
      ["last commit", 2204498n, undefined],
      ["resume SCN", 2204511n, undefined],
      ["current SCN", 2241020n, undefined],
    ],
  );
});

position("merges consecutive logs, archived or online, from the one that contains the resume SCN", () => {
  const [thread] = buildTimeline().threads;
  assert.equal(thread?.stretches.map(stretchText), [
    "archived 121-121 2204000-2220000",
    "online 122-122 2220000-2241021",
  ]);
  const [back] = buildTimeline({ target: 2169287n }).threads;
  assert.equal(back?.stretches.map(stretchText)[0], "archived 118-121 2150000-2220000");
});

position("distinguishes missing sequences, purged logs and files that cannot be opened", () => {
  const catalogue = {
    ...CATALOGUE,
    archived: [
      archived(117n, 2100000n, 2150000n),
      archived(119n, 2170000n, 2190000n, { deleted: true, status: "D" }),
      archived(120n, 2190000n, 2204000n, { name: undefined }),
      archived(121n, 2204000n, 2220000n),
    ],
  };
  const [thread] = buildTimeline({ catalogue, target: 2110000n }).threads;
  assert.equal(thread?.stretches.map(stretchText), [
    "archived 117-117 2100000-2150000",
    "missing 118-118 2150000-2170000",
    "purged 119-119 2170000-2190000",
    "unreadable 120-120 2190000-2204000",
    "archived 121-121 2204000-2220000",
    "online 122-122 2220000-2241021",
  ]);
});

position("reports that redo is missing before the first log and behind the last", () => {
  const catalogue = { ...CATALOGUE, archived: [archived(120n, 2190000n, 2204000n)], online: [] };
  const [thread] = buildTimeline({ catalogue, target: 2169287n }).threads;
  assert.equal(thread?.stretches.map(stretchText), [
    "missing ?-? 2169287-2190000",
    "archived 120-120 2190000-2204000",
    "missing ?-? 2204000-2241021",
  ]);
});

position("shows a gap exactly where the examination of the redo finds a fault", async () => {
  await fc.assert(
    fc.property(anyWorld.map(buildWorld), ({ catalogue, question, probes }) => {
      const asked = { ...question, captureMode: "online" as const };
      const { faults, destination } = examineRedo(catalogue, asked, probes);
      if (
        destination === undefined ||
        question.from < question.resetlogsScn ||
        question.from === 0n ||
        question.from > question.currentScn
      )
        return;
      const threads = threadTimelines(catalogue, asked, probes);
      const gap = threads.some(({ stretches }) =>
        stretches.some(({ state, to }) => isGap(state) && to > question.from),
      );
      // That no thread has any redo is no thread's fault: there is nothing to draw on, and the sentence says so.
      assert.is(
        gap,
        faults.some((fault) => fault.thread !== undefined),
      );
    }),
  );
});

position("names what is unknown, and draws none of it as empty", () => {
  const timeline = timelineOf({
    ...buildPosition(),
    redo: unseen("ORA-00942"),
    transactions: unseen("no right"),
    journaled: unseen("no broker"),
    times: unseen("no time"),
  });
  assert.equal(
    timeline.unseen.map(({ what, why }) => `${what}: ${why}`),
    ["redo: ORA-00942", "open transactions: no right", "journaled transactions: no broker", "times: no time"],
  );
});

position("names the offset with which times were converted, if the server's may have been different then", () => {
  const summer = "2026-07-20T18:30:00Z";
  const marked = buildTimeline({ target: 2169287n, times: known([{ scn: 2169287n, at: summer }]) });
  const opened = buildTimeline({
    transactions: known([
      {
        xid: { container: 3n, usn: 4n, slot: 9n, sqn: 771n },
        startScn: 2150000n,
        startedAt: summer,
        user: "APP",
        clientId: undefined,
      },
    ]),
  });
  const logged = buildTimeline({
    catalogue: { ...CATALOGUE, archived: [archived(118n, 2150000n, 2250000n, { firstTime: summer })] },
  });
  for (const { unseen: remarks } of [marked, opened, logged])
    assert.equal(remarks, [
      {
        what: "time zone rules",
        why:
          "times are converted with the database server's current offset, +01:00; times before the last change of " +
          `its clock, such as ${summer}, may be an hour off`,
      },
    ]);
  assert.equal(buildTimeline().unseen, []);
  assert.equal(buildTimeline({ clock: undefined, times: known([{ scn: 2204511n, at: summer }]) }).unseen, []);
});

position("a transaction that is open and journaled is one, from the lower SCN of the two", () => {
  const { transactions } = buildTimeline({
    transactions: known([
      {
        xid: { container: 3n, usn: 4n, slot: 9n, sqn: 771n },
        startScn: 2150000n,
        startedAt: "2026-11-20T18:00:00Z",
        user: "APP",
        clientId: undefined,
      },
    ]),
    journaled: known([
      { xid: "4.9.771", container: 3n, firstScn: 2140000n, user: "APP", clientId: undefined },
      { xid: "4.9.771", container: 4n, firstScn: 2160000n, user: undefined, clientId: undefined },
    ]),
  });
  assert.equal(
    transactions.map(({ xid, firstScn, seenIn }) => [xid, firstScn, seenIn]),
    [
      ["3:4.9.771", 2140000n, ["database", "journal"]],
      ["4:4.9.771", 2160000n, ["journal"]],
    ],
  );
});

position("stays small: 200,000 logs with every third missing, and 10,000 transactions", () => {
  const logs = Array.from({ length: 200_000 }, (_, i) => BigInt(i))
    .filter((i) => i % 3n !== 0n)
    .map((i) => archived(i, 1_000n + i * 10n, 1_010n + i * 10n));
  const timeline = buildTimeline({
    stored: { resumeScn: 1_005n },
    currentScn: 2_001_000n,
    catalogue: { ...CATALOGUE, archived: logs, online: [] },
    transactions: known(
      Array.from({ length: 10_000 }, (_, i) => ({
        xid: { container: 1n, usn: 1n, slot: 1n, sqn: BigInt(i) },
        startScn: BigInt(20_000 - i),
        startedAt: undefined,
        user: undefined,
        clientId: undefined,
      })),
    ),
  });
  const [thread] = timeline.threads;
  assert.ok((thread?.stretches.length ?? 0) <= MOST_STRETCHES);
  assert.ok(thread?.stretches.some(({ state }) => state === "in part"));
  assert.is(timeline.transactions.length, MOST_TRANSACTIONS);
  assert.is(timeline.moreTransactions, 9_950n);
});

position("merged stretches cover all that they represent, and hide no gap", () => {
  const stretches = Array.from(
    { length: 200 },
    (_, i): Stretch => ({
      state: i === 77 ? "missing" : i % 2 === 0 ? "archived" : "online",
      from: BigInt(i * 10),
      to: BigInt(i * 10 + 10),
      fromSequence: BigInt(i),
      toSequence: BigInt(i),
      fromTime: undefined,
      toTime: undefined,
    }),
  );
  const merged = fewer(stretches, 10);
  assert.is(merged.length, 10);
  assert.is(merged.at(-1)?.to, 2000n);
  assert.equal(
    merged.filter(({ state }) => isGap(state)).map(({ from, to }) => from <= 770n && to >= 780n),
    [true],
  );
});

position.run();
