import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { PLACES } from "./page.ts";
import { RULES, SECTIONS } from "./rules.ts";
import { hasTest, hasTitle } from "./titles.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const rules = suite("every rule of the connector");

for (const { title, places } of PLACES)
  rules(`has a test or a reason: ${title}`, () => {
    const missing = Object.entries(places).flatMap(([id, place]) => {
      if ("why" in place) return place.why.trim() === "" ? [`${id}: neither a test nor a reason`] : [];
      const file = join(ROOT, place.test);
      if (!existsSync(file)) return [`${id}: ${place.test} does not exist`];
      return hasTest(file, readFileSync(file, "utf8"), place.name)
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

rules("is found by a whole title, also one that is made of parts", () => {
  const source = `rules("is one", () => undefined);
for (const [what] of [["v of 2"]] as const) rules(\`stops at \${what}: \${code}\`, () => undefined);
rules(
  "is longer than a line " +
    'with "quotes"',
  () => undefined,
);
`;
  for (const title of ["is one", "stops at v of 2: CDC-3002", 'is longer than a line with "quotes"', "v of 2"])
    assert.ok(hasTitle(source, title), title);
  for (const title of ["is", "one", "stops at ", "stops at", "is longer than a line ", "undefined", ""])
    assert.not.ok(hasTitle(source, title), title);
});

rules("is found by a command of a transcript", () => {
  const text = "world: nowhere\n\n$ cdcctl explain CDC-1001\nexit 0\n";
  assert.ok(hasTest("explained.transcript.txt", text, "cdcctl explain CDC-1001"));
  assert.not.ok(hasTest("explained.transcript.txt", text, "cdcctl explain CDC-100"));
  assert.not.ok(hasTest("explained.transcript.txt", text, "exit 0"));
});

rules.run();
