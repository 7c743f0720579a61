/**
 * Documents, files and answers that are far larger than they look, or have no end: refused soon, by name, and without
 * the memory.
 */
import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import lz4 from "lz4js";
import snappy from "snappyjs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { lz4Bomb, zstdBomb } from "../../../providers/kafka/testing/bombs.ts";
import { planFile } from "../../../providers/sandbox/scenario.ts";
import { attempt, inFolder } from "../../bad-input/table.ts";
import { wrap } from "../../views/layout.ts";
import { CANARIES, type ChangedWorld, failAll, OPS_TOPIC, openChangedWorld } from "../changed-world.ts";
import { PATIENCE } from "../injected-faults.ts";
import { type Finished, runHere } from "../run-command.ts";

const floods = suite("floods");
const MIB = 1024 * 1024;
/** The limit for this process, sandbox included: the clock on the wall is everybody's. */
const CPU_MILLIS = 6_000;
const MEMORY = 512 * MIB;

/**
 * The sandbox's worker is in this process: of an answer of 60 MB it holds the text, its JSON and its bytes, for each
 * call.
 */
const MEMORY_WITH_ANSWERS = 1024 * MIB;

/** What a command said; fails where it took more time or memory than any answer is worth. */
async function bounded(run: () => Promise<Finished>, memory = MEMORY): Promise<Finished> {
  const cpu = process.cpuUsage();
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  try {
    const finished = await run();
    const { user, system } = process.cpuUsage(cpu);
    const millis = (user + system) / 1000;
    most = Math.max(most, process.memoryUsage.rss());
    assert.ok(millis < CPU_MILLIS, `${millis.toFixed(0)} ms of CPU\n${finished.output.slice(0, 500)}`);
    assert.ok(most - before < memory, `${((most - before) / MIB).toFixed(0)} MiB`);
    assert.not.match(finished.output, /This is a bug/);
    assert.ok(finished.output.length < 100_000, `${finished.output.length} characters`);
    return finished;
  } finally {
    clearInterval(watch);
  }
}

// Plan files

const HEAD = "apiVersion: cdcctl/v1\nkind: OffsetChange\nmetadata:\n  name: a\n";
const times = (piece: string, bytes = MIB - 1000) => piece.repeat(Math.floor(bytes / piece.length));
const numbered = (count: number, of: (i: number) => string) => Array.from({ length: count }, (_, i) => of(i)).join("");
const letter = (i: number) => String.fromCharCode(97 + i);

const TEXTS: Readonly<Record<string, string>> = {
  "a megabyte of [": times("["),
  "a megabyte of ]": times("]"),
  "a megabyte of {": `${HEAD}spec: ${times("{")}`,
  "a list of empty lists": `${HEAD}spec: [${times("[],")}]`,
  "a list of letters": `${HEAD}spec: [${times("a,")}]`,
  "a list that is never closed": `${HEAD}spec: [${times("a,")}`,
  "a list of commas": `${HEAD}spec: [${times(",")}]`,
  "pairs in brackets": `${HEAD}spec: [${times("a: b,")}]`,
  "60,000 keys in braces": `${HEAD}spec: {${numbered(60_000, (i) => `k${i}: [x],`)}}`,
  "80,000 unknown keys": `${HEAD}spec:\n${numbered(80_000, (i) => `  k${i}: 1\n`)}`,
  "40,000 unknown keys": `${HEAD}spec:\n${numbered(40_000, (i) => `  k${i}: 1\n`)}`,
  "40,000 misspelt keys": `${HEAD}spec:\n${numbered(40_000, (i) => `  allowSki${i}: 1\n`)}`,
  "one key again and again": `${HEAD}spec:\n${times("  a: 1\n", 250_000)}`,
  "keys with references": `${HEAD}spec:\n${numbered(20_000, (i) => `  k${i}: \${a}\n`)}`,
  "an alias bomb": `${HEAD}a: &a [x,x,x,x,x,x,x,x,x]\n${numbered(
    20,
    (i) =>
      `${letter(i + 1)}: &${letter(i + 1)} [${Array(9)
        .fill(`*${letter(i)}`)
        .join(",")}]\n`,
  )}`,
  "aliases of one anchor": `${HEAD}a: &a x\nspec: [${times("*a,")}]`,
  anchors: `${HEAD}spec: [${numbered(60_000, (i) => `&a${i} x,`)}]`,
  tags: `${HEAD}spec: ${times("!a ")}`,
  "a third of a million documents": times("--- {}\n"),
  "documents of one key": times("---\na: 1\n", 200_000),
  directives: times("%a b\n"),
  "question marks": times("? "),
  dashes: times("- "),
  colons: times(":"),
  "comments in a list": `${HEAD}spec: [${times("#x\n")}]`,
  "a quoted text that is never closed": `${HEAD}spec: "${times("\\u0041")}`,
  "a quoted text of lines": `${HEAD}spec: "${times("a\n")}"`,
  "a block of lines": `${HEAD}spec: |\n${times("  a\n")}`,
  "a million digits": `${HEAD}spec:\n  scn: ${times("9")}`,
  "stairs of keys": numbered(1_400, (i) => `${" ".repeat(i)}a:\n`),
  tabs: times("a:\n\tb\n"),
  "accepted codes": `${HEAD}spec:\n  accept: [${numbered(60_000, (i) => `OFF${100 + (i % 900)},`)}]`,
  "sixteen megabytes": times("# nothing\n", 16 * MIB),
};

for (const [name, text] of Object.entries(TEXTS))
  for (const file of ["change.yaml", "change.json"])
    floods(`a plan file (${file.slice(-4)}) of ${name} is refused quickly`, () =>
      inFolder({ [file]: text }, async (folder) => {
        const { exit, output } = await bounded(() => attempt(["validate", join(folder, file)], { HOME: folder }));
        assert.is(exit, 64, output.slice(0, 500));
        assert.match(output, new RegExp(`${file}(:\\d+)*: \\S`));
      }),
    );

floods("a contexts file of 40,000 unknown keys, an alias bomb or brackets is refused quickly", async () => {
  for (const text of [TEXTS["40,000 unknown keys"], TEXTS["an alias bomb"], TEXTS["a megabyte of ["]])
    await inFolder(
      {
        "contexts.yaml": (text ?? "").replace("OffsetChange", "Contexts"),
        "change.yaml": planFile("a", "b", "scn: 1"),
      },
      async (folder) => {
        const env = { HOME: folder, CDCCTL_CONTEXTS: join(folder, "contexts.yaml") };
        const { exit } = await bounded(() => attempt(["plan", join(folder, "change.yaml")], env));
        assert.is(exit, 64);
      },
    );
});

// Files without an end

for (const [name, make] of [
  ["an endless device", () => "/dev/zero"],
  ["a device with noise", () => "/dev/urandom"],
  [
    "a pipe that nobody writes to",
    (folder: string) => {
      execFileSync("mkfifo", [join(folder, "pipe")]);
      return join(folder, "pipe");
    },
  ],
  ["a folder", (folder: string) => folder],
] as const) {
  floods(`${name} as the evidence that a plan file names is refused at once`, () =>
    inFolder({}, async (folder) => {
      const { readText } = await import("../../session/files.ts");
      const path = make(folder);
      const error = await readText(path, 256 * MIB, "outside").catch((thrown: unknown) => thrown as Error);
      assert.match((error as Error).message, /not a regular file|folder/);
      const { refuseStranger } = await import("../../session/evidence-file.ts");
      const other = await refuseStranger(path, "orders-cdc").catch((thrown: unknown) => thrown as Error);
      assert.match((other as Error).message, /a device, a pipe or a socket|folder/);
    }),
  );
}

floods("an endless device is read no further than the limit, whatever names it", async () => {
  await inFolder({ "change.yaml": planFile("a", "b", "scn: 1") }, async (folder) => {
    const plan = join(folder, "change.yaml");
    for (const words of [
      ["validate", "/dev/zero"],
      ["plan", "/dev/zero"],
      ["show", "/dev/zero"],
      ["plan", plan, "--facts", "/dev/zero"],
      ["plan", plan, "--contexts", "/dev/zero"],
      ["plan", plan, "--connect-url", "http://127.0.0.1:1", "--command-config", "/dev/zero"],
      ["migrate", "verify", "--check-evidence", "/dev/zero"],
    ]) {
      const { exit, output } = await bounded(() =>
        attempt(words, { HOME: folder, CDCCTL_STATE: join(folder, "state") }),
      );
      assert.ok(exit === 64 || exit === 1, `${words.join(" ")}: ${exit}\n${output}`);
    }
  });
});

// Records that grow

const ZEROS = Buffer.alloc(80 * MIB);
const BOMBS = {
  gzip: { type: 1, compress: () => gzipSync(ZEROS) },
  "snappy that says so": { type: 2, compress: () => Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0]) },
  snappy: { type: 2, compress: () => snappy.compress(ZEROS) },
  lz4: { type: 3, compress: () => lz4Bomb(400 * MIB) },
  "lz4 from a peer": { type: 3, compress: () => lz4.compress(ZEROS) },
  "zstd with a declared size": { type: 4, compress: () => zstdBomb(400 * MIB, { statesSize: true }) },
  "zstd without a declared size": { type: 4, compress: () => zstdBomb(400 * MIB) },
};

async function inWorld(act: (world: ChangedWorld) => Promise<void>): Promise<void> {
  const world = await openChangedWorld();
  try {
    await act(world);
  } finally {
    await world.close();
  }
}

for (const [name, compression] of Object.entries(BOMBS))
  floods(
    `records of the ops topic that ${name} expands enormously are refused, with topic, partition, offset and limit`,
    () =>
      inWorld(async (world) => {
        for (let i = 0; i < 10; i++)
          world.sandbox.broker.append(OPS_TOPIC, [{ key: null, value: Buffer.from("{}") }], { compression });
        for (const words of [
          ["plan", world.plan],
          ["apply", world.plan, "--yes"],
        ]) {
          const { exit, output } = await bounded(() => runHere(words, { env: world.env, patience: PATIENCE }));
          assert.is(exit, 1, output);
          const said = output.replace(/\s+/g, " ");
          assert.match(said, /orders\.cdc\.ops, partition 0: the record batch at offset 0 .* 67\.1 MB uncompressed/);
        }
        assert.not.ok(world.sandbox.connect.requests.some(({ method }) => method !== "GET"));
      }),
  );

// Answers of a worker

for (const [name, piece] of [
  ["words", "no "],
  ["lines", "\n"],
] as const)
  floods(`60 MB of ${name} as a worker's error end the command quickly, and the truncated text holds no secret`, () =>
    inWorld(async (world) => {
      failAll(world.sandbox, (arrival) =>
        arrival.system === "connect" && arrival.method !== "GET"
          ? {
              connect: {
                says: `${CANARIES[0]} ${piece.repeat((60_000_000 / piece.length) | 0)} ${CANARIES[1]}`,
                status: 500,
              },
            }
          : undefined,
      );
      const { exit, output } = await bounded(
        () =>
          runHere(["apply", world.plan, "--yes", "--settle", "200ms", "--stop-timeout", "1s"], {
            env: world.env,
            patience: PATIENCE,
          }),
        MEMORY_WITH_ANSWERS,
      );
      assert.ok(exit === 1 || exit === 3, output);
      const written = await world.written();
      for (const canary of CANARIES) assert.not.ok(`${output}${written}`.includes(canary));
    }),
  );

floods("an endless answer is cut off", async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = (): void => {
      while (response.writable && response.write("[".repeat(MIB)));
      if (response.writable) response.once("drain", more);
    };
    response.on("error", () => undefined);
    more();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const plan = planFile("a", "b", "scn: 2010000").replace("  context: sandbox\n", "");
    await inFolder({ "change.yaml": plan }, async (folder) => {
      const { exit, output } = await bounded(() =>
        attempt(["plan", join(folder, "change.yaml"), "--connect-url", url], { HOME: folder }),
      );
      assert.is(exit, 1, output);
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

// Views

for (const width of [1, 0, -1, -80, 0.5, Number.NaN])
  floods(`laying out a text ${width} columns wide terminates`, () => {
    const lines = wrap("lorem ipsum dolor", width);
    assert.is(lines.join("").replaceAll(" ", ""), "loremipsumdolor");
  });

floods("a word of ten megabytes is broken in linear time", () => {
  const cpu = process.cpuUsage();
  assert.is(wrap("x".repeat(10 * MIB), 80).length, Math.ceil((10 * MIB) / 80));
  const { user, system } = process.cpuUsage(cpu);
  assert.ok((user + system) / 1000 < CPU_MILLIS);
});

floods.run();
