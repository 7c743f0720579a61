import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { scenarioNamed } from "../../providers/sandbox/scenarios.ts";
import { type Finished, runHere, type Surroundings } from "../behaviour/run-command.ts";

const profile = suite("doctor redo-profile, over the wire");

type Look = (words?: readonly string[], more?: Partial<Surroundings>) => Promise<Finished>;

function inWorld(name: string, act: (sandbox: Sandbox, look: Look) => Promise<void>): void {
  profile(name, async () => {
    const sandbox = await startSandbox(scenarioNamed("redo-profile").options);
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-redo-"));
    const config = join(folder, "orders-cdc.json");
    try {
      await writeFile(config, JSON.stringify(sandbox.config), { mode: 0o600 });
      await act(sandbox, (words = [], more = {}) =>
        runHere(["doctor", "redo-profile", "--config", config, ...words], { env: { HOME: folder }, ...more }),
      );
    } finally {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

const LARGE = ({ oracle }: Sandbox) => {
  for (const log of oracle.archivedLogs) log.blocks = 4_194_304n;
};
const mining = ({ oracle }: Sandbox) => oracle.seen.filter((sql) => sql.includes("LOGMNR"));

inWorld("one log is mined, counted by one query, and LogMiner is ended", async (sandbox, run) => {
  const { exit, stdout } = await run();
  assert.is(exit, 0);
  assert.match(stdout, "11,903: 11,071 of tables, 820 begin or end a transaction, 12 without a table");
  const [add, start, count, end, ...more] = mining(sandbox);
  assert.match(add ?? "", "ADD_LOGFILE");
  assert.match(start ?? "", "START_LOGMNR");
  assert.match(count ?? "", "GROUP BY");
  assert.match(end ?? "", "END_LOGMNR");
  assert.equal(more, []);
});

inWorld("its cost is reported before LogMiner is started", async (sandbox, run) => {
  LARGE(sandbox);
  const { exit, output } = await run();
  assert.is(exit, 64);
  assert.match(output, "LogMiner will read and decode 1 archived log, 2.1 GB");
  assert.equal(mining(sandbox), []);
});

inWorld("on a terminal only yes is accepted as confirmation", async (sandbox, run) => {
  LARGE(sandbox);
  const no = await run([], { typed: "y" });
  assert.is(no.exit, 1);
  assert.match(no.output, "Nothing was mined.");
  assert.equal(mining(sandbox), []);
  const yes = await run([], { typed: "yes" });
  assert.is(yes.exit, 0, yes.output);
  assert.match(yes.output, "ORCLPDB1.STAGE.PRICES is not captured");
});

inWorld("with --sample-logs 0 nothing is mined, and nothing is asked", async (sandbox, run) => {
  LARGE(sandbox);
  const { exit, output } = await run(["--sample-logs", "0"]);
  assert.is(exit, 0, output);
  assert.match(output, "Not sampled: --sample-logs 0.");
  assert.equal(mining(sandbox), []);
});

inWorld("several logs form one range", async (sandbox, run) => {
  const { exit, output } = await run(["--sample-logs", "3", "--yes"]);
  assert.is(exit, 0, output);
  assert.match(output, "SCN 2010000 to 2039999, 3 archived logs");
  assert.is(mining(sandbox).length, 4);
});

inWorld("LogMiner that takes too long is cancelled and ended", async (sandbox, run) => {
  sandbox.oracle.fault = (sql) => (sql.includes("LOGMNR_CONTENTS") ? "hang" : undefined);
  const { exit, output } = await run(["--query-timeout", "300ms"]);
  assert.is(exit, 1);
  assert.match(output, /time|did not answer/);
  assert.match(mining(sandbox).at(-1) ?? "", "END_LOGMNR");
});

inWorld("a view without a grant is named with its grant, and LogMiner is ended", async (sandbox, run) => {
  sandbox.oracle.denied.add("V$LOGMNR_CONTENTS");
  const { exit, output } = await run();
  assert.is(exit, 1);
  assert.match(output, "GRANT SELECT ON V_$LOGMNR_CONTENTS TO");
  assert.match(mining(sandbox).at(-1) ?? "", "END_LOGMNR");
});

inWorld("without the dictionary no table is classified as captured or not", async (sandbox, run) => {
  sandbox.oracle.denied.add("CDB_TABLES");
  const { exit, output } = await run();
  assert.is(exit, 0, output);
  assert.match(output, /not captured +unknown: /);
  assert.match(output, /ORCLPDB1\.STAGE\.PRICES +unknown +9,001/);
});

inWorld("an impossible value is a usage error", async (_, run) => {
  for (const words of [
    ["--sample-logs", "101"],
    ["--sample-logs", "-1"],
    ["--window", "soon"],
    ["--query-timeout", "0s"],
  ])
    assert.is((await run(words)).exit, 64, words.join(" "));
});

profile.run();
