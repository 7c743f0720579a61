import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { OnlineLog } from "../../schemas/generated/facts.ts";
import { CallFailed } from "../errors.ts";
import { archivedLogsOf } from "../facts/redo/logs.ts";
import type { OraclePort } from "../ports/oracle.ts";
import { readSizes, sizes } from "./redo-profile.ts";
import { archivedLog, preflightReading } from "./testing/build-preflight.ts";

const sizing = suite("sizes of online logs and of the archive");

const GIB = 1_073_741_824n;
const question = { days: 7, maxDowntime: 36_000_000, journalThreshold: 300_000, destination: undefined };
const NOON = Date.parse("2026-11-21T12:00:00Z");
const online = (thread: bigint, bytes: bigint): OnlineLog => ({
  ...{ sequence: 1n, firstScn: 1n, nextScn: undefined, status: "CURRENT", archived: false, member: "/r" },
  thread,
  bytes,
});

sizing("are by the busiest hour of each thread, and by all threads together", () => {
  const of = (thread: bigint, ...hours: readonly number[]) =>
    hours.map((hour, at) => archivedLog(BigInt(at + 1), hour, { thread }));
  const logs = archivedLogsOf([...of(1n, 2, 6, 6.2, 6.4, 6.6, 6.8), ...of(2n, 6.1, 9)], 1n, 1n);
  const found = sizes(logs, [online(1n, GIB), online(1n, GIB / 2n), online(2n, GIB)], question, NOON);
  assert.equal(
    found.threads.map(({ thread, logs: count, switchesPerHour, onlineBytes, wantedBytes }) => [
      ...[thread, count, switchesPerHour, onlineBytes, wantedBytes],
    ]),
    [
      [1n, 6, 8, GIB / 2n, (GIB * 5n) / 4n],
      [2n, 2, 3, GIB, undefined],
    ],
  );
  assert.is(found.since, "2026-11-21T02:00:00Z");
  assert.equal(found.busiestHour, { since: "2026-11-21T06:00:00Z", logs: 6, bytes: 6n * GIB });
  assert.is(found.retention, 11 * 3_600_000, "10 h and 5 min, in whole hours");
  assert.is(found.bytesPerDay, 24n * GIB, "8 GiB in the eight hours that the logs cover");
  assert.is(found.space.busiest, 66n * GIB);
  assert.is(found.space.average, 11n * GIB);
});

sizing("are missing for a database that archived nothing in these days", () => {
  const old = archivedLogsOf([archivedLog(1n, -24 * 9)], 1n, 1n);
  const found = sizes(old, [], question, NOON);
  assert.equal([found.threads, found.since, found.busiestHour, found.bytesPerDay], [[], undefined, undefined, 0n]);
  assert.is(found.reaches.length, 1);
});

sizing("recommend a size even for a thread without online logs", () => {
  const [only] = sizes(archivedLogsOf([archivedLog(1n, 8)], 1n, 1n), [], question, NOON).threads;
  assert.equal([only?.onlineBytes, only?.wantedBytes], [undefined, GIB / 4n]);
});

sizing("are refused if no destination can be mined", async () => {
  const { facts } = preflightReading();
  const oracle = {
    database: async () => facts.database.known && facts.database.value,
    destinations: async () => facts.destinations.known && facts.destinations.value,
    archivedLogs: async () => [archivedLog(1n)],
    onlineLogs: async () => [],
  } as unknown as OraclePort;
  assert.is((await readSizes(question, oracle, NOON)).destination, "LOG_ARCHIVE_DEST_1");
  try {
    await readSizes({ ...question, destination: "LOG_ARCHIVE_DEST_9" }, oracle, NOON);
    assert.unreachable();
  } catch (error) {
    assert.instance(error, CallFailed);
    assert.match((error as CallFailed).message, "no valid local archive destination LOG_ARCHIVE_DEST_9");
  }
});

sizing.run();
