import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LAG_ATTRIBUTES, LARGEST_TRANSACTIONS } from "../../../core/facts/connector/task-metrics.ts";
import { startSandbox } from "../sandbox.ts";
import { SCENARIOS } from "../scenarios.ts";

const java = suite("Java's own JMX client is served by the sandbox's JVM");

const PROGRAM = join(import.meta.dirname, "testdata", "JmxClient.java");
const ARGUMENTS = ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", PROGRAM];
const WITH_JMX = SCENARIOS.filter(({ options }) => options.jmx !== undefined);

java("there are scenarios with JMX", () => {
  assert.ok(WITH_JMX.length > 1);
});

for (const { name, options } of WITH_JMX)
  java(`in the scenario ${name}: it connects, finds the task's MBean and reads every attribute`, async () => {
    const sandbox = await startSandbox(options);
    try {
      const login = options.jmx?.login;
      const names = [LARGEST_TRANSACTIONS, ...LAG_ATTRIBUTES];
      const values = options.jmx?.values(sandbox.oracle) ?? {};
      const asked = names.filter((one) => one in (values.lag ?? {}) || one === LARGEST_TRANSACTIONS);
      const { stdout } = await promisify(execFile)(
        "java",
        [
          ...ARGUMENTS,
          sandbox.jvm?.url ?? "",
          asked.join(","),
          ...(login === undefined ? [] : [login.user, login.password]),
        ],
        { timeout: 90_000 },
      );
      const lines = stdout.trim().split("\n");
      if (login !== undefined) assert.match(lines.shift() ?? "", /^refused: Authentication failed!/);
      assert.is(lines.shift(), "bean sh.oso.cdc:type=task,server=orders");
      assert.is(lines.pop(), "closed");
      assert.is(lines.pop(), "no bean: sh.oso.cdc:type=task,server=orders");
      assert.is(lines.pop(), "missing: No such attribute");
      const read = new Set(lines.map((line) => line.replace(/^alone /, "").split(" ", 1)[0]));
      for (const attribute of Object.keys(values.lag ?? {})) assert.ok(read.has(attribute), attribute);
      const rows = lines.filter((line) => line.startsWith(`${LARGEST_TRANSACTIONS} `));
      assert.is(rows.length, values.largest?.length ?? 0);
      for (const [at, one] of (values.largest ?? []).entries()) {
        assert.match(rows[at] ?? "", `events=${one.events} firstScn=${one.firstScn} heapBytes=${one.heapBytes}`);
        assert.match(rows[at] ?? "", `journaled=${one.journaled}`);
        assert.match(rows[at] ?? "", `xid=${one.xid}`);
      }
    } finally {
      await sandbox.close();
    }
  });

java.run();
