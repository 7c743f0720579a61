import { suite } from "uvu";
import * as assert from "uvu/assert";
import { supportsExactlyOnce } from "../../core/doctor/inspect.ts";
import { CallFailed } from "../../core/errors.ts";
import { connectVersion, isAtLeast, isRunning, isStopped } from "../../core/facts/connector/connector.ts";
import type { OffsetEntry } from "../../core/facts/offset/stored-offset.ts";
import type { ChangeAnswer, PatchAnswer } from "../../core/ports/answers.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import { epochMillis } from "../../core/values/instant.ts";
import { canonicalJson, type JsonObject, parseJson } from "../../core/values/json.ts";

type Config = Readonly<Record<string, string>>;

/** A Connect cluster for the contract, opened for one test. */
export interface ContractWorld {
  readonly connect: ConnectPort;
  /** A running connector with one task and a committed offset whose `resume_scn` advances. */
  readonly connector: string;
  /** Milliseconds for which a stopped connector's offset must be unchanged to count as its last. Default: 200. */
  readonly steady?: number;
  /** Whether the workers run with exactly-once source support. */
  readonly exactlyOnce?: boolean;
  close(): Promise<void>;
}

/**
 * The contract of every Connect REST API that cdcctl works with, the sandbox's and real ones. Call `.run()` on the
 * returned suite.
 */
export function connectContract(name: string, world: () => Promise<ContractWorld>) {
  const contract = suite(`${name}: Connect REST API`);
  const test = (title: string, body: (world: ContractWorld) => Promise<void>): void =>
    contract(title, async () => {
      const opened = await world();
      try {
        await body(opened);
      } finally {
        await opened.connect.close();
        await opened.close();
      }
    });

  test("returns worker, plugins, connector, status and offsets", async ({ connect, connector }) => {
    const [worker, plugins, described, status, offsets] = await Promise.all([
      connect.worker(),
      connect.plugins(),
      connect.connector(connector),
      connect.status(connector),
      connect.offsets(connector),
    ]);
    assert.match(worker.version, /^\d+\.\d+/);
    assert.ok(worker.clusterId.length > 0);
    assert.ok(plugins.some((plugin) => plugin.className === described?.config["connector.class"]));
    assert.is(described?.name, connector);
    assert.equal(described?.taskIds, [0]);
    assert.is(status?.state, "RUNNING");
    assert.is(typeof onlyOffset(offsets)["resume_scn"], "bigint");
  });

  test("a missing connector is undefined, its offsets are missing, and changing it is a 404", async ({ connect }) => {
    assert.is(await connect.connector("none"), undefined);
    assert.is(await connect.status("none"), undefined);
    assert.is((await failureOf(connect.offsets("none"))).kind, "missing");
    for (const call of [
      () => connect.stop("none"),
      () => connect.resume("none"),
      () => connect.patchOffsets("none", [entry({ resume_scn: 1n })]),
    ]) {
      const answer = await taken(call);
      assert.is(answer.answer === "rejected" && answer.status, 404);
    }
  });

  test("returns the workers' time", async ({ connect }) => {
    assert.is(connect.time(), undefined);
    await connect.worker();
    const ahead = epochMillis(connect.time() ?? "") - Date.now();
    // One machine, one clock: truncated to the second, plus the answer's latency.
    assert.ok(ahead <= 50 && ahead > -2000, `${ahead} ms`);
  });

  test("a stop and a resume are answered, also when repeated", async (opened) => {
    const { connect, connector } = opened;
    await stopped(opened);
    await carriedOut(() => connect.stop(connector));
    await carriedOut(() => connect.resume(connector));
    await carriedOut(() => connect.resume(connector));
    await until("RUNNING", async () => {
      const status = await connect.status(connector);
      return status !== undefined && isRunning(status);
    });
  });

  test("a PATCH before the stop is rejected and changes nothing", async ({ connect, connector }) => {
    const [stored] = await connect.offsets(connector);
    const patched = await connect.patchOffsets(connector, [
      { partition: stored?.partition ?? {}, offset: { resume_scn: 5n } },
    ]);
    assert.is(patched.answer, "rejected");
    assert.is(patched.answer === "rejected" && patched.status, 400);
    assert.is(patched.answer === "rejected" && patched.reason, "not stopped");
    const deleted = await connect.deleteOffsets(connector);
    assert.is(deleted.answer === "rejected" && deleted.reason, "not stopped");
    assert.is.not(onlyOffset(await connect.offsets(connector))["resume_scn"], 5n);
  });

  test("stop, PATCH with 64-bit integers, read back, resume", async (opened) => {
    const { connect, connector } = opened;
    const [stored] = await stopped(opened);
    if (stored === undefined) throw new Error("nothing is stored");
    const offset = parseJson(
      '{"v":1,"resume_scn":9007199254740993,"last_commit_scn":9223372036854775807,' +
        '"negative":-9223372036854775808,"real":1.5,"exp":1000.0,"null":null,"true":true,"text":"é ' +
        '✓ 😀 \\"q\\"","released_xids":null}',
    ) as JsonObject;
    const patched = await connect.patchOffsets(connector, [{ partition: stored.partition, offset }]);
    assert.is(patched.answer, "applied");
    assert.is(patched.answer === "applied" && patched.checked, true);
    const [back] = await connect.offsets(connector);
    assert.equal(sorted(back?.offset), sorted(offset));
    assert.equal(back?.partition, stored.partition);
    // The task takes no such offset: it starts from its own.
    assert.is((await connect.patchOffsets(connector, [stored])).answer, "applied");
    await carriedOut(() => connect.resume(connector));
    const generation = (of: JsonObject | null) => BigInt(String(of?.["journal_generation"] ?? 0));
    await until("the task's first commit", async () => {
      return generation(onlyOffset(await connect.offsets(connector))) > generation(stored.offset);
    });
  });

  test("an offset that the framework refuses is rejected, and the stored offset is kept", async (opened) => {
    const { connect, connector } = opened;
    const [stored] = await stopped(opened);
    const partition = stored?.partition ?? {};
    for (const bad of [
      { resume_scn: 1n, snapshot: { v: 1n } },
      { resume_scn: 2n ** 63n },
      { resume_scn: 1n, list: ["a"] },
    ]) {
      const patched = await connect.patchOffsets(connector, [{ partition, offset: bad }]);
      assert.is(patched.answer === "rejected" && patched.status, 500);
    }
    assert.is((await connect.patchOffsets(connector, [])).answer, "rejected");
    assert.equal(await connect.offsets(connector), [stored]);
  });

  test("partitions left out keep their offsets, null removes one", async (opened) => {
    const { connect, connector } = opened;
    const [stored] = await stopped(opened);
    const other = { server: "OTHER", con_id: 3n };
    const patch = (entry: OffsetEntry) => taken(() => connect.patchOffsets(connector, [entry]));
    assert.is((await patch({ partition: other, offset: { resume_scn: 77n } })).answer, "applied");
    assert.is((await connect.offsets(connector)).length, 2);
    assert.is((await patch({ partition: { con_id: 3n, server: "OTHER" }, offset: null })).answer, "applied");
    // A worker can list a partition that it has just removed once more, without an offset.
    const kept = (await connect.offsets(connector)).filter(({ offset }) => offset !== null);
    assert.equal(kept, [stored]);
  });

  /** The configuration of the existing connector, for a second one. */
  const another = async ({ connect, connector }: ContractWorld, startScn: bigint) => {
    const name = `${connector}-another`;
    const { name: _, ...config } = (await connect.connector(connector))?.config ?? {};
    const changed: Config = { ...config, "cdc.topic.prefix": name, "cdc.start.scn": String(startScn) };
    return { name, config: changed };
  };
  const gone = (connect: ConnectPort, name: string) =>
    until(`${name} is gone`, async () => (await connect.connector(name)) === undefined);

  test("a connector is created STOPPED, read back, and starts at its configured SCN", async (opened) => {
    const { connect, connector } = opened;
    const { name, config } = await another(opened, 2_100_000n);
    const created = await taken(() => connect.create(name, config, "STOPPED"));
    if (!(await createsStopped(connect))) {
      assert.match(created.answer === "rejected" ? created.message : created.answer, /initial_state/);
      return assert.is(await connect.connector(name), undefined);
    }
    assert.is(created.answer, "applied");
    await until("STOPPED without tasks", async () => {
      const status = await connect.status(name);
      return status !== undefined && isStopped(status);
    });
    assert.equal((await connect.connectors()).toSorted().filter(isOf(connector)), [connector, name]);
    assert.equal(sorted((await connect.connector(name))?.config), sorted({ ...config, name }));
    assert.equal(await connect.offsets(name), []);
    await carriedOut(() => connect.resume(name));
    const first = await firstOffset(connect, name);
    assert.ok(BigInt(String(first["resume_scn"])) >= 2_100_000n);
    assert.ok(BigInt(String(first["resume_scn"])) < 3_000_000n);
    await taken(() => connect.deleteConnector(name));
    await gone(connect, name);
  });

  test("a configuration is validated by its class, and requires a name", async (opened) => {
    const { connect } = opened;
    const { name, config } = await another(opened, 1n);
    const settings = async (tried: Config) =>
      (await connect.validate(config["connector.class"] ?? "", tried)).map(({ setting }) => setting);
    assert.equal(await settings({ ...config, name }), []);
    assert.equal(await settings(config), ["name"]);
    const { "cdc.topic.prefix": _, ...without } = config;
    assert.equal(await settings({ ...without, name }), ["cdc.topic.prefix"]);
  });

  test("a validation shows whether the worker has exactly-once source support", async (opened) => {
    const { connect, connector, exactlyOnce = false } = opened;
    const className = (await connect.connector(connector))?.config["connector.class"] ?? "";
    assert.is(await supportsExactlyOnce(connect, className), exactlyOnce);
    const { name, config } = await another(opened, 1n);
    const requiring = { ...config, name, "exactly.once.support": "required" };
    const problems = exactlyOnce
      ? []
      : [
          {
            setting: "exactly.once.support",
            errors: ["This worker does not have exactly-once source support enabled."],
          },
        ];
    assert.equal(await connect.validate(className, requiring), problems);
    const failure = await failureOf(supportsExactlyOnce(connect, "no.such.Connector"));
    assert.match(failure.message, "no.such.Connector");
    if (exactlyOnce) return;
    const answer = await taken(() => connect.create(name, requiring, undefined));
    assert.is(answer.answer === "rejected" && answer.status, 400);
    assert.match(answer.answer === "rejected" ? answer.message : "", "does not have exactly-once source support");
  });

  test("a connector that cannot be created is rejected, and does not exist", async (opened) => {
    const { connect, connector } = opened;
    const { name, config } = await another(opened, 1n);
    const rejected = async (named: string, status: readonly number[], config: Config, message: RegExp) => {
      const answer = await taken(() => connect.create(named, config, undefined));
      if (answer.answer !== "rejected") throw new Error(`it was ${answer.answer}`);
      assert.ok(status.includes(answer.status), `${answer.status} ${answer.message}`);
      assert.match(answer.message, message);
    };
    await rejected(connector, [409], config, /already exists/);
    await rejected(name, [400, 500], { ...config, "connector.class": "no.such.Connector" }, /Failed to find any class/);
    const { "cdc.topic.prefix": _, ...without } = config;
    await rejected(name, [400], without, /cdc\.topic\.prefix/);
    assert.is(await connect.connector(name), undefined);
  });

  const offsetsOutlive =
    "offsets outlive their connector until they are deleted, " + "and can be deleted only while it is stopped";
  test(offsetsOutlive, async (opened) => {
    const { connect } = opened;
    const { name, config } = await another(opened, 2_100_000n);
    const statusOf = async (call: () => ReturnType<ConnectPort["deleteOffsets"]>) => {
      const answer = await taken(call);
      return answer.answer === "rejected" ? answer.status : answer.answer;
    };
    assert.is(await statusOf(() => connect.create(name, config, undefined)), "applied");
    await firstOffset(connect, name);
    assert.is(await statusOf(() => connect.deleteOffsets(name)), 400);
    assert.is(await statusOf(() => connect.deleteConnector(name)), "applied");
    await gone(connect, name);
    assert.is(await statusOf(() => connect.deleteConnector(name)), 404);
    assert.is(await statusOf(() => connect.deleteOffsets(name)), 404);

    // Recreated under its name, it continues from the stored offset, whatever its configuration says.
    assert.is(
      await statusOf(() => connect.create(name, { ...config, "cdc.start.scn": "7100000" }, undefined)),
      "applied",
    );
    await until("it has committed again", async () => {
      const offset = (await connect.offsets(name))[0]?.offset;
      return BigInt(String(offset?.["journal_generation"] ?? 0)) >= 2n;
    });
    assert.ok(BigInt(String(onlyOffset(await connect.offsets(name))["resume_scn"])) < 7_000_000n);

    await stopped({ ...opened, connector: name });
    assert.is(await statusOf(() => connect.deleteOffsets(name)), "applied");
    await until("nothing is stored", async () => (await connect.offsets(name)).every(({ offset }) => offset === null));
    assert.is(await statusOf(() => connect.deleteConnector(name)), "applied");
    await gone(connect, name);
  });

  return contract;
}

/** Whether it is this connector or the second one: a real cluster may have those of other tests. */
const isOf = (connector: string) => (name: string) => name === connector || name === `${connector}-another`;

/** Retries while a rebalance or a concurrent change blocks the call (409). */
async function taken<T extends PatchAnswer | ChangeAnswer>(call: () => Promise<T>): Promise<T> {
  let answer = await call();
  await until("no rebalance is under way", async () => {
    if (answer.answer !== "unanswered" || !answer.why.includes("Cannot complete request")) return true;
    answer = await call();
    return false;
  });
  return answer;
}

/** Makes a call, as `taken`, that must succeed. */
export async function carriedOut(call: () => Promise<PatchAnswer | ChangeAnswer>): Promise<void> {
  const answer = await taken(call);
  assert.is(answer.answer, "applied", JSON.stringify(answer));
}

/** Whether connectors can be created stopped: from Kafka Connect 3.7 on. */
async function createsStopped(connect: ConnectPort): Promise<boolean> {
  const release = connectVersion((await connect.worker()).version);
  return release !== undefined && isAtLeast(release, 3, 7);
}

/** Returns the offset once a task has committed. */
async function firstOffset(connect: ConnectPort, name: string): Promise<JsonObject> {
  await until(`the first offset of ${name}`, async () => (await connect.offsets(name)).some(({ offset }) => offset));
  return onlyOffset(await connect.offsets(name));
}

const entry = (offset: JsonObject): OffsetEntry => ({ partition: { server: "NONE" }, offset });

function onlyOffset(entries: readonly OffsetEntry[]): JsonObject {
  assert.is(entries.length, 1);
  const offset = entries[0]?.offset;
  if (offset === undefined || offset === null) throw new Error("nothing is stored");
  return offset;
}

const sorted = (object: JsonObject | Readonly<Record<string, string>> | null | undefined): unknown =>
  Object.entries(object ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => [key, String(value)]);

/**
 * Stops the connector and waits until it is stopped. With two workers, the task's last commit may be stored a moment
 * after the status is STOPPED without tasks, so it returns the offsets once they stay the same.
 */
async function stopped({ connect, connector, steady = 200 }: ContractWorld): Promise<readonly OffsetEntry[]> {
  await carriedOut(() => connect.stop(connector));
  await until("STOPPED without tasks", async () => {
    const status = await connect.status(connector);
    return status !== undefined && isStopped(status);
  });
  let seen = await connect.offsets(connector);
  let since = performance.now();
  await until("the last commit", async () => {
    const now = await connect.offsets(connector);
    if (canonicalJson(now) !== canonicalJson(seen)) since = performance.now();
    seen = now;
    return performance.now() - since >= steady;
  });
  return seen;
}

/** Retries until the condition holds; fails after 30 s. */
export async function until(what: string, holds: () => Promise<boolean>, millis = 30_000): Promise<void> {
  const deadline = performance.now() + millis;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`timed out after ${millis} ms waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

export async function failureOf(call: Promise<unknown>): Promise<CallFailed> {
  try {
    await call;
  } catch (error) {
    if (error instanceof CallFailed) return error;
    throw error;
  }
  throw new Error("the call did not fail");
}
