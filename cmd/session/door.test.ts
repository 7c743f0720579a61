import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const door = suite("the door for a change");

const CMD = fileURLToPath(new URL("../", import.meta.url));
const folders = ["commands", "session", "views"];
const sources = folders.flatMap((folder) =>
  readdirSync(`${CMD}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.includes("testing/"))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(`${CMD}${folder}/${name}`, "utf8") })),
);

/** What a source imports of a folder of core, types left out: `engine.ts`. */
function valuesOf(folder: string, text: string): readonly string[] {
  const imports = text.matchAll(/(?:^import (?!type)[^;]*? from |\bimport\()"[./]+\/core\/([\w-]+)\/([^"]+)"/gm);
  return [...imports].flatMap(([, of, file = ""]) => (of === folder ? [file] : []));
}

door("no command calls the engine, a step or a recovery: of core/apply it takes limits and words alone", () => {
  assert.ok(sources.length > 100);
  const passedBy = sources.flatMap(({ name, text }) =>
    valuesOf("apply", text).flatMap((file) => (file === "context.ts" ? [] : [`${name}: ${file}`])),
  );
  assert.equal(passedBy, []);
});

door("commands that change something go through it", () => {
  const through = sources.filter(({ text }) => valuesOf("change", text).some((file) => /^[a-z]+\.ts$/.test(file)));
  const names = through.map(({ name }) => name);
  for (const name of ["apply-files", "recovering", "rolling-back", "controlling", "planning", "admin-change"])
    assert.ok(names.includes(`session/${name}.ts`), name);
});

door.run();
