/** `--verbose`: each call is told with what, how long and how it came out, and nothing that it holds. */
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import { CANARIES, failAll, openChangedWorld } from "../behaviour/changed-world.ts";
import { runHere } from "../behaviour/run-command.ts";
import type { Command } from "../command.ts";
import { cdcctl } from "../commands/catalogue.ts";
import { writeLine } from "../screen.ts";
import { tracing } from "./tracing.ts";

const verbose = suite("traced calls");

const CALL = /^(?:connect|kafka|oracle|jmx) [a-z]\w+(?: \S+)? {2}\d+ ms {2}\S+$/;

verbose("a change traces its calls to every system, on standard error only", async () => {
  const world = await openChangedWorld();
  try {
    const { exit, stdout, stderr } = await runHere(["apply", world.plan, "--yes", "--verbose", "-o", "json"], world);
    assert.is(exit, 0, stderr);
    const calls = stderr.split("\n").filter((line) => CALL.test(line));
    for (const one of ["connect stop orders-cdc", "connect patchOffsets orders-cdc", "kafka append orders.cdc.ops"])
      assert.ok(
        calls.some((line) => line.startsWith(`${one}  `) && line.endsWith("  answered")),
        `${one}:\n${calls.join("\n")}`,
      );
    assert.ok(calls.some((line) => /^oracle database {2}\d+ ms {2}answered$/.test(line)));
    for (const [request, status] of [
      ["PUT /connectors/orders-cdc/stop", 204],
      ["PATCH /connectors/orders-cdc/offsets", 200],
      ["GET /connectors/orders-cdc/offsets", 200],
    ] as const)
      assert.match(stderr, new RegExp(`^connect ${request}  \\d+ ms  ${status}$`, "m"));
    assert.is(JSON.parse(stdout).kind, "Run");
    for (const canary of CANARIES) assert.not.ok(`${stdout}${stderr}`.includes(canary));
    assert.not.match((await runHere(["plan", world.plan], world)).stderr, /^connect /m);
  } finally {
    await world.close();
  }
});

verbose("a failed call is traced with the kind of error, not with the message of the other side", async () => {
  const world = await openChangedWorld();
  try {
    failAll(world.sandbox, (arrival) =>
      arrival.system === "connect" && arrival.path.endsWith("/status")
        ? { connect: { status: 403, says: CANARIES.join(" ") } }
        : undefined,
    );
    const { stdout, stderr } = await runHere(["plan", world.plan, "--verbose"], world);
    assert.match(stderr, /^connect GET \/connectors\/orders-cdc\/status {2}\d+ ms {2}403$/m);
    assert.match(stderr, /^connect status orders-cdc {2}\d+ ms {2}forbidden$/m);
    for (const canary of CANARIES) assert.not.ok(`${stdout}${stderr}`.includes(canary));
  } finally {
    await world.close();
  }
});

verbose("arguments that are not names, thrown values, and line breaks are not traced", async () => {
  const output: string[] = [];
  let at = 0;
  const trace = tracing(
    (line) => writeLine({ write: (text) => output.push(`${text}`) }, line),
    () => (at += 7),
  );
  const port = {
    address: "db:1521",
    ask: (_: unknown) => Promise.resolve(1),
    fail: () => Promise.reject(new CallFailed("oracle", "timeout", { message: "hush" })),
    crash: () => Promise.reject(new Error("hush")),
    now: () => 5,
    async *rows() {
      yield "hush";
      yield "hush";
    },
    // biome-ignore lint/correctness/useYield: it fails before the first row
    async *lost() {
      throw new CallFailed("oracle", "lost", { message: "hush" });
    },
  };
  const oracle = trace.port("oracle", port);
  assert.is(oracle.address, "db:1521");
  assert.is(oracle.now(), 5);
  assert.is(await oracle.ask("hush"), 1);
  await oracle.fail().catch(() => undefined);
  await oracle.crash().catch(() => undefined);
  const rows: string[] = [];
  for await (const row of oracle.rows()) rows.push(row);
  assert.equal(rows, ["hush", "hush"]);
  for await (const _ of oracle.rows()) break;
  try {
    for await (const _ of oracle.lost()) assert.unreachable();
  } catch (error) {
    assert.instance(error, CallFailed);
  }
  await trace.port("connect", port).ask("a\nb\u202ec");
  await trace.port("connect", port).ask({ password: "hush" });
  const text = output.join("");
  assert.not.match(text, "hush");
  assert.not.match(text, "\u202e");
  assert.is(text.split("\n").length, 9, text);
  assert.equal(text.replaceAll("  7 ms  ", " ").split("\n").slice(0, 6), [
    ...["oracle ask answered", "oracle fail timeout", "oracle crash failed"],
    ...["oracle rows answered", "oracle rows stopped", "oracle lost lost"],
  ]);
});

verbose("every command that reaches a system traces its calls", () => {
  const all = (commands: readonly Command[]): readonly Command[] =>
    commands.flatMap((one) => [one, ...all(one.commands)]);
  const reaching = all(cdcctl.commands).filter(({ options }) => "connect-url" in options || "timeout" in options);
  assert.ok(reaching.length > 20);
  assert.equal(
    reaching.filter(({ options }) => !("verbose" in options)).map(({ usage }) => usage),
    [],
  );
});

verbose.run();
