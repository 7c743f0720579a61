/**
 * Data from outside that once ended as a bug: each ends with a documented exit code and a message that says what is
 * wrong.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { printProperties } from "../../../core/values/testing/print-properties.ts";
import { WireReader, WireWriter } from "../../../providers/kafka/wire.ts";
import { OPS_TOPIC, openChangedWorld } from "../changed-world.ts";
import { PATIENCE } from "../injected-faults.ts";
import { runHere } from "../run-command.ts";
import { betweenBytes } from "./between.ts";

const outside = suite("data from outside");
const TIMEOUT = ["--timeout", "2s"];

for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty", "prototype"])
  for (const where of ["--config", "--command-config"])
    for (const [form, line] of [
      ["first", (text: string) => `${name}=polluted\n${text}`],
      ["last", (text: string) => `${text}${name}=polluted\n`],
      ["with a member", (text: string) => `${name}.polluted=yes\n${text}`],
    ] as const)
      outside(`${name} ${form} in the properties of ${where} is handled like any other property`, async () => {
        const world = await openChangedWorld();
        try {
          const { config, broker } = world.sandbox;
          const own = Object.entries(config).flatMap(([key, value]) =>
            /^cdc\.stream\.(sasl|security)/.test(key) ? [[key.replace("cdc.stream.", ""), value]] : [],
          );
          const settings = where === "--config" ? config : (Object.fromEntries(own) as Record<string, string>);
          const path = await world.writePlan("settings.properties", line(printProperties(settings)));
          const brokers = where === "--config" ? [] : ["--bootstrap-servers", broker.address];
          const argv = ["plan", world.plan, where, path, ...brokers, ...TIMEOUT];
          const { exit, output } = await runHere(argv, { env: world.env, patience: PATIENCE });
          assert.is(exit, 0, output);
          assert.is(({} as Record<string, unknown>)["polluted"], undefined);
        } finally {
          await world.close();
        }
      });

for (const [what, item] of [
  ["letters", "A"],
  ["numbers", "7"],
  ["nulls", "~"],
  ["objects", "{}"],
] as const)
  for (const [count, says] of [
    [30_000, /spec\.accept has 30,000 items\n\s+at most 100 are allowed/],
    [130_000, /more than 150,000 keys, values and punctuation marks before this line/],
  ] as const)
    outside(`${count} ${what} in \`accept\` are refused in a few lines`, async () => {
      const world = await openChangedWorld();
      try {
        const text = await readFile(world.plan, "utf8");
        const list = Array.from({ length: count }, () => item).join(", ");
        const path = await world.writePlan("many.yaml", `${text}  accept: [${list}]\n`);
        const { exit, output } = await runHere(["validate", path], { env: world.env });
        assert.is(exit, 64, output.slice(0, 2_000));
        assert.match(output, says);
        assert.ok(output.length < 100_000, `${output.length} characters`);
      } finally {
        await world.close();
      }
    });

outside("130,000 accepts in a resolved plan are refused in a few lines", async () => {
  const world = await openChangedWorld();
  try {
    const path = join(world.dir, "resolved.json");
    await runHere(["plan", world.plan, "--out", path, ...TIMEOUT], { env: world.env, patience: PATIENCE });
    const text = await readFile(path, "utf8");
    const many = text.replace(
      /"accept": \[\]/,
      () => `"accept": [${Array.from({ length: 130_000 }, () => '"A"').join(",")}]`,
    );
    assert.is.not(many, text);
    await writeFile(path, many);
    const { exit, output } = await runHere(["show", path], { env: world.env });
    assert.is(exit, 1, output.slice(0, 2_000));
    assert.match(output, /its digest does not fit/);
    assert.ok(output.length < 100_000, `${output.length} characters`);
  } finally {
    await world.close();
  }
});

for (const command of [["plan"], ["apply", "--yes", "--settle", "50ms"]] as const)
  outside(`a topic without partitions in the metadata is a failed call to \`${command[0]}\``, async () => {
    const world = await openChangedWorld({
      broker: { alters: (api, response) => (api === "Metadata" ? withoutPartitions(response) : response) },
    });
    try {
      const argv = [command[0], world.plan, ...command.slice(1), ...TIMEOUT];
      const { exit, output } = await runHere(argv, { env: world.env, patience: PATIENCE });
      assert.is(exit, 1, output);
      assert.match(output.replace(/\s+/g, " "), /lists no partitions for it/);
      assert.not.ok(world.sandbox.connect.requests.some(({ method }) => method !== "GET"));
    } finally {
      await world.close();
    }
  });

/** A metadata response of version 8 whose topics have lost their partitions. */
function withoutPartitions(response: Buffer): Buffer {
  const name = Buffer.from(OPS_TOPIC);
  const at = response.indexOf(name);
  if (at < 0) return response;
  // Name, whether internal, count of partitions.
  const count = at + name.length + 1;
  const reader = new WireReader(response.subarray(count));
  if (reader.int32() !== 1) return response;
  // One partition of one replica: error, index, leader, epoch, three lists; then the operations, of the topic and the
  // cluster.
  return Buffer.concat([response.subarray(0, count), new WireWriter().int32(0).toBuffer(), response.subarray(-8)]);
}

const LOGON_CHUNKS = 4;
for (let nth = 0; nth < LOGON_CHUNKS; nth++)
  for (const [how, change] of [
    ["with its middle zeroed", (bytes: Buffer) => Buffer.from(bytes).fill(0, bytes.length >> 2, bytes.length >> 1)],
    ["of ones", (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 10)],
    ["cut in half", (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
    ["with its session key damaged", keyDamaged],
  ] as const)
    outside(`answer ${nth + 1} of a logon ${how} ends \`plan\` with a failed call`, async () => {
      let port = 0;
      let count = 0;
      const between = await betweenBytes(
        () => port,
        (chunk) => (count++ === nth ? change(chunk) : chunk),
      );
      const world = await openChangedWorld({ config: { "cdc.database.port": String(between.port) } });
      port = world.sandbox.databasePort;
      try {
        const argv = ["plan", world.plan, ...TIMEOUT];
        const { exit, output } = await runHere(argv, { env: world.env, patience: PATIENCE });
        assert.ok(exit === 1 || (exit === 0 && how === "with its session key damaged"), `exit ${exit}\n${output}`);
        assert.not.match(output, /This is a bug|canary-/);
      } finally {
        await between.close();
        await world.close();
      }
    });

outside("bytes that follow a failed logon end `plan` with a failed call, not the process", async () => {
  let port = 0;
  let count = 0;
  const between = await betweenBytes(
    () => port,
    // The driver closes the connection at the first part, and reads the second all the same.
    (chunk) =>
      count++ === 0 ? Buffer.concat([chunk.subarray(0, 51), Buffer.alloc(70_000, 9), chunk.subarray(51)]) : chunk,
  );
  const world = await openChangedWorld({ config: { "cdc.database.port": String(between.port) } });
  port = world.sandbox.databasePort;
  const escaped: unknown[] = [];
  const escapes = (error: unknown) => void escaped.push(error);
  process.on("uncaughtException", escapes);
  try {
    const { exit, output } = await runHere(["plan", world.plan, ...TIMEOUT], { env: world.env, patience: PATIENCE });
    assert.is(exit, 1, output);
    assert.match(output.replace(/\s+/g, " "), /127\.0\.0\.1:\d+\/ORCLCDB: the server's answer is damaged/);
    assert.equal(escaped, []);
  } finally {
    process.off("uncaughtException", escapes);
    await between.close();
    await world.close();
  }
});

/** The first long run of hexadecimal digits made another: AUTH_SESSKEY, where the answer has one. */
function keyDamaged(bytes: Buffer): Buffer {
  const found = /[0-9A-F]{40,}/.exec(bytes.toString("latin1"));
  if (found === null) return bytes;
  return Buffer.from(bytes).fill("z", found.index, found.index + found[0].length);
}

outside.run();
