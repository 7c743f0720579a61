import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const suites = suite("the tests themselves");

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FILES = ["core", "providers", "cmd", "bench", "schemas"]
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  .filter((name) => name.endsWith(".ts"));
const read = (name: string) => readFileSync(join(ROOT, name), "utf8");

suites("every suite that is made is run, in its file or by the caller it is returned to", () => {
  for (const file of FILES) {
    const text = read(file);
    for (const [, name = ""] of text.matchAll(/const (\w+) = suite(?:<[^=]*>)?\(/g)) {
      assert.match(text, new RegExp(`\\b${name}\\.run\\(\\)|return ${name}\\b`), `${file}: ${name}`);
    }
  }
});

suites("a test file makes a suite, or runs one that is made elsewhere", () => {
  const tests = FILES.filter((name) => name.endsWith(".test.ts"));
  assert.ok(tests.length > 50);
  for (const file of tests) assert.match(read(file), /= suite(<|\()|Contract\(|Behaviour\(/, file);
});

suites("none uses uvu's own `test`, whose run is easily forgotten", () => {
  for (const file of FILES) assert.not.match(read(file), /import \{[^}]*\btest\b[^}]*\} from "uvu"/, file);
});

suites.run();
