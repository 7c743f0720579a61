import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { PLACES } from "./page.ts";
import { RULES, SECTIONS } from "./rules.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const rules = suite("every rule of the connector");

for (const { title, places } of PLACES)
  rules(`has a test or a reason: ${title}`, () => {
    const missing = Object.entries(places).flatMap(([id, place]) => {
      if ("why" in place) return place.why.trim() === "" ? [`${id}: neither a test nor a reason`] : [];
      const file = join(ROOT, place.test);
      if (!existsSync(file)) return [`${id}: ${place.test} does not exist`];
      return readFileSync(file, "utf8").includes(JSON.stringify(place.name).slice(1, -1))
        ? []
        : [`${id}: ${place.test} has no test "${place.name}"`];
    });
    assert.equal(missing, []);
  });

rules("belongs to a section of the page", () => {
  const ids = Object.keys(RULES);
  const starts = SECTIONS.map(({ first }) => ids.indexOf(first));
  assert.is(starts[0], 0);
  assert.equal(
    starts,
    [...starts].sort((a, b) => a - b),
  );
});

rules.run();
