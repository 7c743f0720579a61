/** A sandbox writes over what a sandbox has written, and over nobody else's files. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { runHere } from "../behaviour/run-command.ts";

const sandboxes = suite("the folder of a sandbox");

/** Starts one that ends at once: its files are written by then. */
const start = (folder: string, ...words: readonly string[]) =>
  runHere(["sandbox", "--dir", folder, ...words], { env: {}, interrupt: AbortSignal.abort() });

function inFolder(name: string, act: (folder: string) => Promise<void>): void {
  sandboxes(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-sandbox-test-"));
    try {
      await act(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

inFolder("a production contexts file stays unchanged and is named; nothing is written beside it", async (folder) => {
  const path = join(folder, "contexts.yaml");
  await writeFile(path, "contexts: {}\n");
  const seen = await start(folder);
  assert.is(seen.exit, 64, seen.output);
  assert.match(seen.output, /contexts\.yaml: it already exists/);
  assert.is(await readFile(path, "utf8"), "contexts: {}\n");
  assert.equal(await readdir(folder), ["contexts.yaml"]);
});

inFolder("every plan file that was edited since is named", async (folder) => {
  assert.is((await start(folder)).exit, 0);
  const plans = (await readdir(folder)).filter((name) => name.endsWith(".yaml") && name !== "contexts.yaml");
  assert.ok(plans.length > 1);
  for (const name of plans) await writeFile(join(folder, name), "mine\n");
  const seen = await start(folder);
  assert.is(seen.exit, 64, seen.output);
  for (const name of plans) {
    assert.ok(seen.output.includes(`${join(folder, name)}: it was edited`), seen.output);
    assert.is(await readFile(join(folder, name), "utf8"), "mine\n");
  }
});

inFolder("the same folder is used again, with the same and with another scenario", async (folder) => {
  for (const words of [[], [], ["--scenario", "gap"], []]) {
    const seen = await start(folder, ...words);
    assert.is(seen.exit, 0, seen.output);
  }
  assert.match(await readFile(join(folder, "contexts.yaml"), "utf8"), /127\.0\.0\.1/);
});

inFolder("a fleet has as many connectors as requested; every other scenario has its own number", async (folder) => {
  assert.is((await start(folder, "--scenario", "fleet", "--connectors", "7")).exit, 0);
  const names = [...(await readFile(join(folder, "fleet.yaml"), "utf8")).matchAll(/connector: (.*)/g)];
  assert.is(new Set(names.map(([, name]) => name)).size, 7);
  assert.match(await readFile(join(folder, "one-gone.yaml"), "utf8"), /connector: gone-cdc/);
  for (const words of [
    ["--scenario", "fleet", "--connectors", "0"],
    ["--scenario", "fleet", "--connectors", "many"],
    ["--connectors", "2"],
  ]) {
    const seen = await start(folder, ...words);
    assert.is(seen.exit, 64, seen.output);
    assert.match(seen.output, /--connectors/);
  }
});

inFolder("an unreadable note does not make a file part of a sandbox", async (folder) => {
  assert.is((await start(folder)).exit, 0);
  await writeFile(join(folder, ".cdcctl-sandbox.json"), "{");
  assert.is((await start(folder)).exit, 64);
});

sandboxes.run();
