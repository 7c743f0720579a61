import { suite } from "uvu";
import * as assert from "uvu/assert";
import { archivedLog } from "../../doctor/testing/build-preflight.ts";
import { historyOf, logSizeFor, reachOf } from "./history.ts";
import { archivedLogsOf } from "./logs.ts";

const history = suite("the history in archived logs");

const counted = (...logs: ReturnType<typeof archivedLog>[]) => archivedLogsOf(logs, 1n, 1n);
const GIB = 1_073_741_824n;

history("finds the busiest hour wherever it begins, and the first of several", () => {
  const logs = [0, 5.5, 5.9, 6.1, 6.4, 7, 9, 9.1, 9.2, 9.3].map((hour, at) => archivedLog(BigInt(at + 1), hour));
  const [only, ...others] = historyOf(counted(...logs), 0);
  assert.equal(others, []);
  assert.equal(only, {
    thread: 1n,
    logs: 10,
    bytes: 10n * GIB,
    peak: { since: "2026-11-21T05:30:00Z", logs: 4, bytes: 4n * GIB },
  });
});

history("accepts an hour without its end, and omits earlier logs and threads without any", () => {
  const logs = counted(archivedLog(1n, 1), archivedLog(2n, 2), archivedLog(3n, 3, { thread: 2n }));
  assert.equal(
    historyOf(logs, Date.parse("2026-11-21T02:00:00Z")).map(({ thread, logs: count, peak }) => [
      thread,
      count,
      peak.logs,
    ]),
    [
      [1n, 1, 1],
      [2n, 1, 1],
    ],
  );
  assert.equal(historyOf(logs, Date.parse("2026-11-22T00:00:00Z")), []);
});

history("sizes online logs for four switches in that hour, in steps of 128 MiB", () => {
  const of = (bytes: bigint) => logSizeFor({ thread: 1n, logs: 9, bytes, peak: { since: "", logs: 9, bytes } });
  const step = 134_217_728n;
  assert.equal([of(4n * step), of(4n * step + 4n), of(1n)], [step, 2n * step, 0n]);
});

history("goes back from the newest log to the first missing one", () => {
  const gone = { deleted: true };
  const reach = reachOf(counted(archivedLog(1n, 1), archivedLog(2n, 2, gone), archivedLog(3n, 3), archivedLog(4n, 4)));
  assert.equal(reach, [{ thread: 1n, since: "2026-11-21T03:00:00Z", purged: true }]);
  assert.equal(reachOf(counted(archivedLog(1n, 1))), [{ thread: 1n, since: "2026-11-21T01:00:00Z", purged: false }]);
  assert.equal(reachOf(counted(archivedLog(1n, 1, gone))), [{ thread: 1n, since: undefined, purged: true }]);
});

history.run();
