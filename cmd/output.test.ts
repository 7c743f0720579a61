/** What the shell sees when an answer can't be written whole: never half a document with exit 0. */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../core/errors.ts";
import { replaceFile, writeNewFile } from "./session/files.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const CDCCTL = `'${process.execPath}' --import tsx cmd/bin/cdcctl.ts`;
/** A shell whose files end at 4 KiB, as on a disk that is full: the last write is a short one. */
const LITTLE_SPACE = "trap '' XFSZ; ulimit -f 8;";

const outputs = suite("output that cannot be written");

interface Row {
  readonly name: string;
  readonly command: string;
  readonly exit: number;
  readonly says?: RegExp;
}

const ROWS: readonly Row[] = [
  { name: "a full device", command: `${CDCCTL} schema Plan > /dev/full`, exit: 1, says: /stdout.*ENOSPC/ },
  {
    name: "a file that takes only a part",
    command: `${LITTLE_SPACE} ${CDCCTL} schema Plan > "$FOLDER/plan.json"`,
    exit: 1,
    says: /stdout.*EFBIG.*incomplete/s,
  },
  {
    name: "a reader that closed the pipe",
    command: `{ ${CDCCTL} schema Plan; echo exit $? >&2; } | true`,
    exit: 0,
    says: /^exit 0\n$/,
  },
  { name: "a full device for the help", command: `${CDCCTL} --help > /dev/full`, exit: 1, says: /stdout.*ENOSPC/ },
  {
    name: "a full device for the version",
    command: `${CDCCTL} --version > /dev/full`,
    exit: 1,
    says: /stdout.*ENOSPC/,
  },
  {
    name: "a full device for progress",
    command: `${CDCCTL} init OffsetChange --out "$FOLDER/new.yaml" 2> /dev/full`,
    exit: 1,
  },
  { name: "an error keeps its exit code", command: `${CDCCTL} explain NOPE --format json > /dev/full`, exit: 64 },
];

for (const { name, command, exit, says } of ROWS)
  outputs(`${name}: exit ${exit}`, async () => {
    await inFolder(async (folder) => {
      const seen = await inShell(command, folder);
      assert.is(seen.exit, exit, seen.stderr);
      if (says !== undefined) assert.match(seen.stderr, says);
      assert.not.match(seen.stderr, /^\s+at |This is a bug/m);
    });
  });

outputs("a file is written completely or not at all", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "plan.json");
    await writeFile(path, "the old one", { mode: 0o640 });
    const seen = await inShell(`${LITTLE_SPACE} ${WRITE("replaceFile")} "$FOLDER/plan.json"`, folder);
    assert.match(seen.stderr, /cannot write .*plan\.json: EFBIG/);
    assert.match(seen.stderr, /call failed/);
    assert.is(await readFile(path, "utf8"), "the old one");
    const fresh = await inShell(`${LITTLE_SPACE} ${WRITE("writeNewFile")} "$FOLDER/new.json"`, folder);
    assert.match(fresh.stderr, /cannot write .*new\.json: EFBIG/);
    // Neither the file nor a draft of it.
    assert.equal(await readdir(folder), ["plan.json"]);
  });
});

outputs("a replaced file becomes owner-only, and the target of a link is left untouched", async () => {
  await inFolder(async (folder) => {
    const [path, link] = [join(folder, "plan.json"), join(folder, "link.json")];
    await writeFile(path, "the old one", { mode: 0o640 });
    await symlink(path, link);
    const failure = await replaceFile(link, "the new one").catch((error: unknown) => error);
    assert.instance(failure, UsageError);
    assert.match((failure as Error).message, /symbolic link/);
    assert.is(await readFile(path, "utf8"), "the old one");
    await replaceFile(path, "the new one");
    assert.is(await readFile(path, "utf8"), "the new one");
    assert.is((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await readdir(folder)).sort(), ["link.json", "plan.json"]);
  });
});

outputs("a device is neither written to nor replaced", async () => {
  for (const device of ["/dev/null", "/dev/full"]) {
    const failure = await replaceFile(device, "text").catch((error: unknown) => error);
    assert.instance(failure, UsageError);
    assert.match((failure as Error).message, /it is a device, a pipe or a socket/);
    assert.ok((await stat(device)).isCharacterDevice());
  }
});

outputs("an existing file is not replaced by a new one", async () => {
  await inFolder(async (folder) => {
    const path = join(folder, "plan.yaml");
    await writeNewFile(path, "mine");
    const failure = await writeNewFile(path, "yours").catch((error: unknown) => error);
    assert.instance(failure, UsageError);
    assert.match((failure as Error).message, /already exists/);
    assert.is(await readFile(path, "utf8"), "mine");
    assert.equal(await readdir(folder), ["plan.yaml"]);
  });
});

outputs.run();

/** Writes 64 KiB to the file that is named after it, in a process of its own. */
function WRITE(how: "replaceFile" | "writeNewFile"): string {
  const script =
    `import("./cmd/session/files.ts").then((m) => m.${how}(process.argv[1], "x".repeat(65536))).catch((e) => ` +
    `console.error(e.name === "CallFailed" ? "call failed" : e.name, e.message))`;
  return `'${process.execPath}' --import tsx -e '${script}'`;
}

async function inFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-output-"));
  try {
    await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inShell(command: string, folder: string): Promise<{ readonly exit: number | null; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", command], {
      cwd: ROOT,
      env: { ...process.env, FOLDER: folder, HOME: folder },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: 60_000,
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", reject);
    child.once("close", (exit) => resolve({ exit, stderr }));
  });
}
