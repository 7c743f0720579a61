import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { ROOT } from "./bundle.ts";
import { compileSources } from "./sources.ts";

const compiling = suite("what the tests run");

compiling("keeps the place of its source, and finds JSON, packages and neighbours", async () => {
  const { folder, remove } = await compileSources(["core", "schemas"]);
  try {
    const show = (module: string, expression: string) =>
      execFileSync(process.execPath, [
        "--input-type=module",
        "--eval",
        `import * as it from ${JSON.stringify(pathToFileURL(join(folder, module)).href)}; console.log(${expression});`,
      ]).toString();
    assert.match(show("core/plan/resolved-plan.js", "Object.keys(it).join()"), /parseResolvedPlan/);
    const place = pathToFileURL(join(ROOT, "core/checks/testing/wording.ts")).href;
    assert.ok(readFileSync(join(folder, "core/checks/testing/wording.js"), "utf8").includes(place));
  } finally {
    remove();
  }
  assert.not.ok(existsSync(folder));
});

compiling.run();
