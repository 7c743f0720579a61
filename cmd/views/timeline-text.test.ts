import fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { archived, CATALOGUE, known, unseen } from "../../core/kinds/offset-change/testing/build-facts.ts";
import { anyTimeline } from "../../core/timeline/testing/any-timeline.ts";
import { buildTimeline } from "../../core/timeline/testing/build-timeline.ts";
import { isGap, type Timeline } from "../../core/timeline/timeline.ts";
import { painter } from "./colour.ts";
import { widthOf } from "./layout.ts";
import { assertGolden } from "./testing/golden.ts";
import { timelineScale } from "./timeline-scale.ts";
import { gapsOf, LETTERS, MOST_DRAWN, timelineLines } from "./timeline-text.ts";

const text = suite("the SCN timeline in a terminal");

const plain = painter(false);
const shown = (timeline: Timeline, width = 80) => `${timelineLines(timeline, width, plain).join("\n")}\n`;

const GAP = {
  ...CATALOGUE,
  archived: [
    archived(118n, 2150000n, 2170000n),
    archived(120n, 2190000n, 2204000n, { deleted: true, nextTime: "2026-11-20T19:01:40Z" }),
    archived(121n, 2204000n, 2220000n),
  ],
};

const open = known([
  {
    xid: { container: 3n, usn: 4n, slot: 9n, sqn: 771n },
    startScn: 1_140_000n,
    startedAt: "2026-11-19T06:00:12Z",
    user: "APP",
    clientId: "batch-7",
  },
]);
const journaled = known([{ xid: "5.2.802", container: 3n, firstScn: 2200000n, user: "APP", clientId: undefined }]);

text("shows the connector's position, and the redo that it still needs", () => {
  assertGolden(shown(buildTimeline()), "timeline/stands.txt");
});

text("shows the target of a plan, a gap, and old open transactions", () => {
  const timeline = buildTimeline({
    target: 2169287n,
    firstAvailable: 2204000n,
    catalogue: GAP,
    transactions: open,
    journaled,
  });
  assertGolden(shown(timeline), "timeline/gap.txt");
  assertGolden(shown(timeline, 120), "timeline/gap-wide.txt");
});

text("shows several threads, each with its own gap", () => {
  const second = GAP.archived.map((log) => ({ ...log, thread: 2n, deleted: false }));
  const catalogue = {
    ...GAP,
    threads: CATALOGUE.threads.map((thread) => ({ ...thread, enabled: "PUBLIC" })),
    archived: [...GAP.archived, ...second],
  };
  assertGolden(shown(buildTimeline({ target: 2169287n, catalogue })), "timeline/threads.txt");
});

text("shows what is unknown", () => {
  const timeline = buildTimeline({
    stored: undefined,
    redo: unseen("ORA-00942 for V$ARCHIVED_LOG"),
    transactions: unseen("V$SESSION may not be read"),
    times: unseen("SCN_TO_TIMESTAMP failed"),
  });
  assertGolden(shown(timeline), "timeline/unseen.txt");
});

text("is never wider than the width, and holds only ASCII, whatever the world sends", async () => {
  await fc.assert(
    fc.property(anyTimeline, fc.integer({ min: 40, max: 140 }), (timeline, width) => {
      const marks = timeline.marks.map(({ of: _of, ...mark }) => mark);
      for (const line of timelineLines({ ...timeline, marks, transactions: [], unseen: [] }, width, plain))
        assert.match(line, /^[\x20-\x7e]*$/);
      for (const line of timelineLines(timeline, width, plain)) {
        assert.ok(widthOf(line) <= width, `${widthOf(line)} of ${width}: ${line}`);
        assert.not.match(line, /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }
    }),
  );
});

text("colour adds nothing and hides nothing", async () => {
  await fc.assert(
    fc.property(anyTimeline, (timeline) => {
      const coloured = timelineLines(timeline, 80, painter(true)).join("\n");
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the codes are what is taken away
      assert.is(coloured.replace(/\u001b\[\d+m/g, ""), timelineLines(timeline, 80, plain).join("\n"));
    }),
  );
});

/** The lines of the picture: those between the sentence and the key. */
function picture(timeline: Timeline, width: number): readonly string[] {
  const lines = timelineLines(timeline, width, plain);
  const end = lines.findIndex((line) => /^ {2}[A-Za-fx%] {2}\S/.test(line));
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.slice(14));
}

text("every mark is drawn once and named in the key, in the order of the SCNs", async () => {
  await fc.assert(
    fc.property(anyTimeline, fc.integer({ min: 80, max: 120 }), (timeline, width) => {
      const rows = picture(timeline, width).filter((line) => /^[ FTSLRC/]+$/.test(line) && /[FTSLRC]/.test(line));
      // Only a `stored scn` is there several times, each with an SCN of its own.
      const places = timeline.marks.map(({ mark }, i) => {
        const at = rows
          .flatMap((row) => [...row.matchAll(new RegExp(LETTERS[mark], "g"))].map(({ index }) => index))
          .sort((a, b) => a - b);
        const alike = timeline.marks.filter((one) => one.mark === mark).length;
        assert.is(at.length, alike, `${mark} stands ${at.length} times in\n${rows.join("\n")}`);
        return at[timeline.marks.slice(0, i).filter((one) => one.mark === mark).length] ?? 0;
      });
      places.forEach((place, i) => {
        const [here, before] = [timeline.marks[i], timeline.marks[i - 1]];
        if (before === undefined || here === undefined) return;
        if (here.scn === before.scn) assert.is(place, places[i - 1]);
        else assert.ok(place > (places[i - 1] ?? -1), "order on the screen is not that of the SCNs");
      });
      const key = timelineLines(timeline, width, plain);
      for (const { mark, scn, leftOut } of timeline.marks) {
        assert.ok(key.some((line) => line.startsWith(`  ${LETTERS[mark]}  ${mark} `) && line.includes(` ${scn} `)));
        // It may be broken between two lines.
        if (leftOut === true) assert.match(key.join(" ").replaceAll(/ +/g, " "), "left out");
      }
    }),
  );
});

text("no gap within the picture is hidden by an adjacent mark", async () => {
  await fc.assert(
    fc.property(anyTimeline, (timeline) => {
      const scale = timelineScale(timeline, 66);
      if (scale === undefined || timeline.threads.length > 12) return;
      const [low, high] = [scale.reach(0).from, scale.reach(scale.columns - 1).from];
      const lines = timelineLines(timeline, 80, plain);
      for (const { thread, stretches } of timeline.threads) {
        if (!stretches.some(({ state, from, to }) => isGap(state) && from <= high && to > low)) continue;
        assert.match(lines.find((line) => line.startsWith(`  thread ${thread} `)) ?? "", /[x%]/);
      }
    }),
  );
});

text("counts what it does not name", async () => {
  await fc.assert(
    fc.property(anyTimeline, (timeline) => {
      const all = shown(timeline, 120);
      const more = timeline.transactions.length - MOST_DRAWN + Number(timeline.moreTransactions);
      assert.is(/more gap/.test(all), gapsOf(timeline).length > 8);
      if (timeline.transactions.length > MOST_DRAWN) assert.match(all.replaceAll(",", ""), `and ${more} younger`);
    }),
  );
});

text.run();
