import { readFile } from "node:fs/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { generatedTypes } from "./types.ts";

const types = suite("generated types");

types("are those of the schemas (npm run types)", async () => {
  const expected = await generatedTypes();
  assert.ok(expected.size >= 2);
  for (const [path, text] of expected) assert.is(await readFile(path, "utf8"), text, path);
});

types.run();
