// biome-ignore lint/style/noRestrictedImports: the test reads the sources
import { readdirSync, readFileSync } from "node:fs";
// biome-ignore lint/style/noRestrictedImports: the test reads the sources
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const layers = suite("core is pure");

const CORE = fileURLToPath(new URL(".", import.meta.url));
const sources = readdirSync(CORE, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !/(^|\/)testing\//.test(name),
);

const IMPORT = /(?:^(?:import|export)\b[^;'"`]*?\bfrom\s*|^import\s*|\bimport\()["']([^"'\n]+)["']/gm;

function importsOf(name: string): readonly string[] {
  return [...readFileSync(`${CORE}${name}`, "utf8").matchAll(IMPORT)].map(([, specifier = ""]) => specifier);
}

layers("it imports itself, the schemas and packages without side effects: no node:, no provider, no command", () => {
  assert.ok(sources.length > 80);
  const outside = new Set<string>();
  for (const name of sources) {
    for (const specifier of importsOf(name)) {
      if (!specifier.startsWith(".")) outside.add(specifier);
      else {
        const place = new URL(specifier, new URL(name, "file:///repository/core/")).pathname;
        assert.match(place, /^\/repository\/(core\/.*\.ts|schemas\/.*\.(ts|json))$/, `${name} imports ${specifier}`);
      }
    }
  }
  const PURE = [
    "@marcbachmann/cel-js",
    "@noble/hashes/sha2.js",
    "@noble/hashes/utils.js",
    "diff",
    "lossless-json",
    "re2js",
    "yaml",
  ];
  assert.equal([...outside].sort(), PURE);
});

layers("it uses nothing of the process: no console, clock, randomness, timer or network", () => {
  const GLOBALS = [
    /\b(?:console|process|Buffer|fetch|setTimeout|setInterval|performance|globalThis)\s*[.(]/,
    /\bDate\.now\(/,
    /\bMath\.random\(/,
    /new Date\(\)/,
  ];
  for (const name of sources) {
    const code = readFileSync(`${CORE}${name}`, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$|`[^`]*`|"[^"\n]*"/gm, '""');
    for (const used of GLOBALS) assert.not.match(code, used, name);
  }
});

/** What is known of the world, and what decides by it: the one is read without the other. */
const KNOWS = ["values", "redaction", "patterns", "document", "facts", "timeline", "legacy", "verification"];
const DECIDES = ["checks", "kinds", "plan", "run", "apply", "change", "doctor"];

layers(`${KNOWS.join(", ")} import nothing from ${DECIDES.join(", ")}`, () => {
  const below = sources.filter((name) => KNOWS.includes(name.split("/")[0] ?? ""));
  assert.ok(below.length > 80);
  for (const name of below)
    for (const specifier of importsOf(name))
      assert.not.match(specifier, new RegExp(`^(?:\\.\\./)+(?:${DECIDES.join("|")})/`), name);
});

layers("run imports nothing from apply, kinds, checks or the ports: a journal is read without its engine", () => {
  const journal = sources.filter((name) => name.startsWith("run/"));
  assert.ok(journal.length > 7);
  for (const name of journal)
    for (const specifier of importsOf(name))
      assert.not.match(specifier, /^(?:\.\.\/)+(?:apply|kinds|checks|ports)\//, name);
});

layers("nothing in core imports from change, and from apply only change", () => {
  for (const name of sources)
    for (const specifier of importsOf(name)) {
      assert.not.match(specifier, /\/change\//, name);
      if (!/^(?:apply|change)\//.test(name)) assert.not.match(specifier, /\/apply\//, name);
    }
});

layers("no source imports a test or test builders", () => {
  for (const name of sources)
    for (const specifier of importsOf(name))
      assert.not.match(specifier, /\.test\.ts$|\/testing\/|^fast-check$|^uvu/, name);
});

layers.run();
