import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as assert from "uvu/assert";

/**
 * Compares a rendering with the file under `testdata/`, byte by byte; with UPDATE=1 writes the file instead.
 *
 * @param name path under `cmd/views/testdata/`
 */
export function assertGolden(rendered: string, name: string): void {
  const file = new URL(`../testdata/${name}`, import.meta.url);
  if (process.env["UPDATE"] === "1") {
    mkdirSync(dirname(file.pathname), { recursive: true });
    writeFileSync(file, rendered);
    return;
  }
  assert.fixture(rendered, readFileSync(file, "utf8"), `differs from testdata/${name}; UPDATE=1 accepts it`);
}
