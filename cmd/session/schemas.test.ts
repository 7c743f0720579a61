import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { KINDS } from "../../core/document/kinds.ts";
import { runHere } from "../behaviour/run-command.ts";
import { standaloneSchemas } from "../dev/standalone-schemas.ts";
import { SCHEMA_KINDS, SCHEMAS } from "../options/schema.ts";

const schemas = suite("the published schemas");
const FOLDER = fileURLToPath(new URL("../../schemas/", import.meta.url));
const cdcctl = (...argv: readonly string[]) => runHere(argv, { env: {} });

schemas("are every file of the folder, and the help lists each of them", async () => {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".schema.json"));
  assert.equal([...new Set(Object.values(SCHEMAS))].map((name) => `${name}.schema.json`).sort(), files.sort());
  const help = (await cdcctl("schema", "--help")).stdout.replaceAll(/\s+/g, " ");
  for (const kind of SCHEMA_KINDS) assert.match(help, new RegExp(`\\b${kind}\\b`));
});

schemas("stand alone: each refers only to itself, and compiles by itself", () => {
  for (const [name, text] of standaloneSchemas()) {
    const references = [...text.matchAll(/"\$ref": "([^"]*)"/g)].map(([, to = ""]) => to);
    const elsewhere = references.filter((to) => !to.startsWith("#/"));
    assert.equal(elsewhere, [], name);
    // Formats of cdcctl's own are left to it.
    new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(text) as object);
  }
});

schemas("have no definition that nothing refers to, and what two of them share once", async () => {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".json"));
  const texts = await Promise.all(files.map((name) => readFile(join(FOLDER, name), "utf8")));
  const all = texts.join("\n");
  const written = new Map<string, string>();
  for (const [index, text] of texts.entries())
    for (const [name, definition] of Object.entries((JSON.parse(text) as { $defs?: object }).$defs ?? {})) {
      const file = files[index] ?? "";
      const isUsed = text.includes(`"#/$defs/${name}"`) || all.includes(`"${file}#/$defs/${name}"`);
      assert.ok(isUsed, `${file}: ${name}`);
      if (!("properties" in definition)) continue;
      const { description: _, ...form } = definition as { description?: string };
      const of = JSON.stringify(form);
      assert.not(written.has(of), `${file}: ${name} is ${written.get(of)}`);
      written.set(of, `${file}: ${name}`);
    }
});

schemas("that copied definitions from another schema accept the same documents", () => {
  const run = JSON.parse(standaloneSchemas().get("run.schema.json") ?? "") as { $defs: Record<string, unknown> };
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile({
    $defs: run.$defs,
    type: "object",
    properties: {
      phase: (run.$defs["migrationSubject"] as { properties: Record<string, object> }).properties["phase"],
    },
  });
  assert.ok(fits({ phase: "cutover" }));
  assert.not.ok(fits({ phase: "cut" }));
});

schemas("are where --path says", async () => {
  for (const kind of SCHEMA_KINDS) {
    const { exit, stdout } = await cdcctl("schema", "--path", kind);
    assert.is(exit, 0);
    assert.match(stdout, /^\/.*\.schema\.json\n$/);
    assert.is(await readFile(stdout.trimEnd(), "utf8"), (await cdcctl("schema", kind)).stdout);
  }
  assert.is((await cdcctl("schema", "--path", "Pln")).exit, 64);
});

schemas(
  "are named in the first line of every file that init writes; of a plan file by the command, as it goes to git",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "cdcctl-schemas-"));
    try {
      const modeline = async (kind: string) =>
        `# yaml-language-server: $schema=${(await cdcctl("schema", "--path", kind)).stdout}`;
      for (const kind of KINDS) {
        const { stdout } = await cdcctl("init", kind);
        assert.match(stdout.split("\n")[0] ?? "", `cdcctl schema --path ${kind}`);
        assert.not.match(stdout, fileURLToPath(new URL("../../", import.meta.url)));
      }
      const path = join(folder, "contexts.yaml");
      await cdcctl("contexts", "init", "--contexts", path);
      assert.ok((await readFile(path, "utf8")).startsWith(await modeline("Contexts")));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

schemas.run();
