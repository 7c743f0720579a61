import { suite } from "uvu";
import * as assert from "uvu/assert";
import { verifyProgress } from "./verifying.ts";

const progress = suite("progress of a verification");

const READING = {
  phase: "reading",
  rows: 120_000,
  newRecords: 400_000,
  legacyRecords: 100_000,
  bytes: 300_000_000,
  recordsExpected: 3_000_000,
  rowsExpected: 1_000_000,
  spooled: 0,
  joined: 0,
  partitions: 64,
  millis: 2_000,
} as const;

function progressOn(
  columns: number | undefined,
  colour = false,
): { text: () => string; write: ReturnType<typeof verifyProgress> } {
  let text = "";
  const write = (more: string): void => {
    text += more;
  };
  const stderr = { write, colour, columns };
  return { text: () => text, write: verifyProgress({ stderr }) };
}

progress("a log has no line for every batch", () => {
  const { text, write } = progressOn(undefined);
  for (let i = 0; i < 1000; i++) write.report({ is: "progress", table: "SALES.ORDERS", progress: READING });
  write.end();
  assert.is(text(), "");
});

progress("of a job on Spark: units, rate, stages and failed tasks", async () => {
  const { text, write } = progressOn(200);
  const status = {
    ...{ is: "progress", table: "SALES.ORDERS", units: 12n, of: 40n, records: 400_000n, slots: 3n, ofSlots: 16n },
    ...{ stages: [4n], tasks: 3n, ofTasks: 7n, failedTasks: 1n, seconds: 2n },
  };
  const deadline = performance.now() + 60_000;
  while (text() === "" && performance.now() < deadline) {
    write.job(status);
    await new Promise((resolve) => setImmediate(resolve));
  }
  write.end();
  assert.match(
    text(),
    "SALES.ORDERS: 12 of 40 units, 400,000 rows and records, 200,000 records/s; compared 3 of 16 parts; " +
      "stage 4: 3 of 7 tasks; 1 task failed",
  );
});

progress("an overwritten line is erased at the end, and never wider than the terminal", async () => {
  const { text, write } = progressOn(60);
  const deadline = performance.now() + 60_000;
  while (text() === "" && performance.now() < deadline) {
    write.report({ is: "progress", table: "SALES.ORDERS", progress: READING });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const shown = text();
  assert.match(shown, "SALES.ORDERS: 120,000 of about 1,000,000 rows");
  assert.ok(shown.length < 60 && !shown.includes("\n"));
  write.end();
  assert.is(text(), `${shown}\r${" ".repeat(shown.length)}\r`);
});

progress("one-time messages are printed at once: SCN, disk, an interrupted run", () => {
  const { text, write } = progressOn(undefined);
  write.report({ is: "check SCN", scn: 2_044_000n, chosen: "by the safety margin" });
  write.report({
    is: "notice",
    table: "T",
    notice: { is: "disk", estimated: 2_900_000_000, free: undefined, place: "/var/work" },
  });
  write.report({ is: "notice", table: "T", notice: { is: "resumed", finished: 3, begun: 1 } });
  write.report({
    is: "notice",
    table: "T",
    notice: { is: "afresh", why: "the check SCN has changed since it began" },
  });
  assert.is(
    text(),
    `check SCN 2044000 (by the safety margin)
  disk: about 2.9 GB in /var/work, free space is unknown; removed at the end
  resuming an interrupted run: 3 parts read, 1 begun
  cannot resume an interrupted run (the check SCN has changed since it began): reading everything again
`,
  );
});

progress("a hostile topic's name moves no cursor", () => {
  const { text, write } = progressOn(80);
  write.report({ is: "table", table: "T", newTopic: "a\u001b[2Jb", legacyTopic: undefined, remarks: [] });
  assert.not.match(text(), "\u001b");
});

progress.run();
