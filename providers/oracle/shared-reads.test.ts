import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import type { ArchivedLog } from "../../schemas/generated/facts.ts";
import { sharedReads } from "./shared-reads.ts";

const reads = suite("shared reads of a database");

/** A database with logs that end at 10, 20, … 50; records the calls in order. */
function database(more: Partial<OraclePort> = {}) {
  const asked: string[] = [];
  const port = {
    database: async () => void asked.push("database"),
    archivedLogs: async (from: bigint) => {
      asked.push(`logs from ${from}`);
      return [10n, 20n, 30n, 40n, 50n].filter((end) => end > from).map((nextScn) => ({ nextScn }) as ArchivedLog);
    },
    timesOf: async (scns: readonly bigint[]) => {
      asked.push(`times of ${scns.join()}`);
      return scns.map((scn) => ({ scn, at: undefined }));
    },
    probeLogs: async (files: readonly string[]) => {
      asked.push(`probe ${files.join()}`);
      return files.map((file) => ({ file, opened: true as const }));
    },
    ...more,
  } as unknown as OraclePort;
  return { asked, port: sharedReads(port, Promise.resolve()) };
}

const ends = (logs: readonly ArchivedLog[]) => logs.map(({ nextScn }) => nextScn);

reads("read archived logs from the lowest SCN, and return to each those from its own on", async () => {
  const { asked, port } = database();
  const [one, other] = await Promise.all([port.archivedLogs(30n), port.archivedLogs(10n)]);
  assert.equal(ends(one), [40n, 50n]);
  assert.equal(ends(other), [20n, 30n, 40n, 50n]);
  assert.equal(ends(await port.archivedLogs(40n)), [50n]);
  assert.equal(asked, ["database", "logs from 10"]);
});

reads("read them once more for a later, lower SCN", async () => {
  const { asked, port } = database();
  assert.equal(ends(await port.archivedLogs(30n)), [40n, 50n]);
  assert.equal(ends(await port.archivedLogs(0n)), [10n, 20n, 30n, 40n, 50n]);
  assert.equal(asked, ["database", "logs from 30", "logs from 0"]);
});

reads("resolve no time and try no file a second time, and answer in each one's order", async () => {
  const { asked, port } = database();
  const times = await Promise.all([port.timesOf([3n, 1n]), port.timesOf([1n, 2n, 3n])]);
  assert.equal(
    times.map((all) => all.map(({ scn }) => scn)),
    [
      [3n, 1n],
      [1n, 2n, 3n],
    ],
  );
  await port.timesOf([2n, 4n]);
  await Promise.all([port.probeLogs(["b", "a"]), port.probeLogs(["a"])]);
  assert.equal(await port.probeLogs(["a"]), [{ file: "a", opened: true }]);
  assert.equal(asked, ["database", "times of 3,1,2", "times of 4", "probe b,a"]);
});

reads("run one by one what was rejected together, so that one failure does not affect the others", async () => {
  const { port } = database({
    timesOf: async (scns) => {
      if (scns.includes(7n)) throw new CallFailed("oracle", "rejected", { message: "no time of 7" });
      return scns.map((scn) => ({ scn, at: undefined }));
    },
  });
  const [good, bad] = await Promise.allSettled([port.timesOf([1n]), port.timesOf([7n])]);
  assert.is(good.status, "fulfilled");
  assert.is(bad.status === "rejected" && (bad.reason as Error).message, "no time of 7");
});

reads("make no call after a first one that failed", async () => {
  let calls = 0;
  const { asked, port } = database({
    database: () => {
      calls++;
      return Promise.reject(new CallFailed("oracle", "unauthorized", { message: "ORA-01017" }));
    },
  });
  const all = [port.archivedLogs(1n), port.timesOf([1n]), port.probeLogs(["a"]), port.database()];
  for (const one of await Promise.allSettled(all)) assert.is(one.status, "rejected");
  await port.database().catch(() => undefined);
  assert.is(calls, 1);
  assert.equal(asked, []);
});

reads.run();
