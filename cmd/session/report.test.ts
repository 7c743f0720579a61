import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { journaledChunk } from "../../providers/sandbox/journal-records.ts";
import { CONNECTOR, PREFIX, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { runHere } from "../behaviour/run-command.ts";

const report = suite("report, over the wire");

report("a transaction that only the journal knows has its wall-clock time, as the database tells it", async () => {
  const sandbox = await startSandbox({
    state: "STOPPED",
    journal: {
      records: [
        journaledChunk(PREFIX, {
          xid: "2.30.918",
          chunk: 0,
          generation: 7n,
          from: 2_030_000n,
          to: 2_031_000n,
          user: "APP",
        }),
      ],
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-report-"));
  try {
    const out = join(folder, "page.html");
    const flags = ["--connect-url", sandbox.connect.url, "--out", out];
    const { exit, output } = await runHere(["report", CONNECTOR, ...flags], { env: { HOME: "/nonexistent" } });
    assert.is(exit, 0, output);
    const page = (await readFile(out, "utf8")).replace(/<[^>]*>/g, " ");
    const [, time] = /journaled 3:2\.30\.918, APP\s+2030000\s+(\S+ \S+)/.exec(page) ?? [];
    assert.match(time ?? "no row", /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
  } finally {
    await sandbox.close();
    await rm(folder, { recursive: true });
  }
});

report.run();
