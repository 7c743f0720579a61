import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { isStopped } from "../../core/facts/connector/connector.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import { isObject, parseJson, printJson } from "../../core/values/json.ts";
import { openConnect } from "../../providers/connect/connect.ts";
import { until } from "../../providers/connect/contract.ts";
import { quickClock } from "../../providers/connect/testing/test-clock.ts";
import { LEGACY_TOPIC } from "../../providers/sandbox/migration/legacy-task.ts";
import { AFTERWARDS, MEANWHILE, OPEN_SCN } from "../../providers/sandbox/migration/orders-script.ts";
import { NEW_CONNECTOR, NEW_TOPIC } from "../../providers/sandbox/migration/scenario.ts";
import { LEGACY_CONNECTOR } from "../../providers/sandbox/migration/stage.ts";
import { type Sandbox, startSandbox } from "../../providers/sandbox/sandbox.ts";
import { inFolder } from "../bad-input/table.ts";
import { runApart } from "../session/testing/run-apart.ts";

const tools = suite("a cutover by the individual commands");

const PASSWORD = "cdc-secret";
const LAST_SCN = AFTERWARDS.at(-1)?.scn ?? 0n;

/** Commit SCNs of the records of a topic, as far as they say one. */
async function commits(sandbox: Sandbox, topic: string, member: "scn" | "commit_scn"): Promise<readonly bigint[]> {
  return (await sandbox.broker.records(topic)).flatMap(({ value }) => {
    const json = value === null ? null : parseJson(Buffer.from(value).toString("utf8"));
    const row = isObject(json) && isObject(json["payload"]) ? json["payload"] : json;
    const source = isObject(row) && isObject(row["source"]) ? row["source"] : row;
    const scn = isObject(source) ? source[member] : undefined;
    return scn === undefined || scn === null ? [] : [BigInt(String(scn))];
  });
}

const stopped = (connect: ConnectPort) =>
  until("the legacy connector has stopped", async () => {
    const status = await connect.status(LEGACY_CONNECTOR);
    return status !== undefined && isStopped(status);
  });

tools("moves from the legacy connector's configuration to a new connector without loss", async () => {
  const sandbox = await startSandbox({ migration: true, connect: { commitInterval: 5, statusLag: 5 } });
  const connect = openConnect({ url: sandbox.connect.url, clock: quickClock() });
  try {
    await inFolder({}, async (folder) => {
      const file = (name: string) => join(folder, name);
      await writeFile(file("legacy.json"), printJson(await connect.connector(LEGACY_CONNECTOR)));
      await until("the legacy connector is up to date", async () => {
        return sandbox.oracle.currentScn() >= (MEANWHILE.at(-1)?.scn ?? 0n);
      });

      const translated = await runApart([
        ...["migrate", "translate", "--input", file("legacy.json"), "--output", file("new.json")],
        ...["--name", NEW_CONNECTOR, "--topic-prefix", "orders", "--connect-url", sandbox.connect.url],
        "--detailed-exitcode",
      ]);
      assert.is(translated.exit, 0, translated.stdout + translated.stderr);
      assert.match(translated.stdout, "the configuration is valid");

      const takeover = () =>
        runApart(
          [
            ...["migrate", "takeover", "--connect-url", sandbox.connect.url, "--connector", LEGACY_CONNECTOR],
            ...["--target-config", file("new.json"), "--db-password-env", "DB", "--output", file("start.json")],
          ],
          { DB: PASSWORD },
        );
      const early = await takeover();
      assert.is(early.exit, 1);
      assert.match(early.stderr, /LEG002/);

      await connect.stop(LEGACY_CONNECTOR);
      await stopped(connect);
      const { exit, stdout, stderr } = await takeover();
      assert.is(exit, 0, stdout + stderr);
      for (const text of [translated.stdout, stdout, stderr]) assert.not.match(text, PASSWORD);
      assert.match(stdout, /cdc\.database\.password is masked/);

      const written = parseJson(await readFile(file("start.json"), "utf8"));
      assert.ok(isObject(written) && isObject(written["config"]));
      const config = written["config"] as Readonly<Record<string, string>>;
      const start = BigInt(config["cdc.start.scn"] ?? 0);
      assert.is(start, OPEN_SCN, "the oldest open transaction");

      const whole = { ...config, "cdc.database.password": PASSWORD };
      assert.is((await connect.create(NEW_CONNECTOR, whole, undefined)).answer, "applied");
      await until("the new connector has delivered everything", async () => {
        return BigInt(String(sandbox.stored()?.["resume_scn"] ?? 0)) >= LAST_SCN;
      });
      const delivered = await commits(sandbox, NEW_TOPIC, "commit_scn");
      assert.ok(delivered.length > 0);
      assert.ok(delivered.every((scn) => scn >= start));
      const before = await commits(sandbox, LEGACY_TOPIC, "scn");
      assert.ok(
        before.some((scn) => scn < start),
        "what the legacy connector alone delivered",
      );
    });
  } finally {
    await connect.close();
    await sandbox.close();
  }
});

tools.run();
