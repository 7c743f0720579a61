import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import { spillFiles } from "./spill-files.ts";

const spilling = suite("files for data that does not fit into memory");

spilling("are read back as they were written, and leave no name behind after the process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-spilling-"));
  const place = join(folder, "work");
  try {
    const files = await spillFiles(place);
    const [one, other] = [await files.create("table.0"), await files.create("new.0")];
    await one.write([Uint8Array.of(1, 2), Uint8Array.of(3)]);
    await other.write([Uint8Array.of(9)]);
    await one.write([Uint8Array.of(4)]);
    assert.is(one.written().bytes, 4);
    const into = new Uint8Array(3);
    await files.read("table.0", { starts: [1], lengths: [into.length] }, into);
    assert.equal([...into], [2, 3, 4]);
    assert.equal(await readdir(place), []);
    await files.close();
    assert.equal(await readdir(place), []);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

spilling("are reported if they are too short or cannot be created", async () => {
  const files = await spillFiles(tmpdir());
  try {
    await (await files.create("table.0")).write([Uint8Array.of(1)]);
    const thrown = [
      await files.read("table.0", { starts: [0], lengths: [2] }, new Uint8Array(2)).catch((error: unknown) => error),
      await spillFiles("/dev/null/work").catch((error: unknown) => error),
    ];
    for (const error of thrown) assert.instance(error, CallFailed);
  } finally {
    await files.close();
  }
});

spilling.run();
