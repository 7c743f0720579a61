import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { ROOT } from "./bundle.ts";

const CACHE = join(ROOT, "node_modules/.cache");

/**
 * Compiles every source file, so that no process of tests has to. Each keeps its own place: `import.meta` names that of
 * the source, and packages are found above.
 */
export async function compileSources(folders: readonly string[]): Promise<{ readonly folder: string; remove(): void }> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, "tests-"));
  await build({
    absWorkingDir: ROOT,
    entryPoints: folders.flatMap((name) => filesIn(name, ".ts").map((file) => `./${file}`)),
    outbase: ".",
    outdir: folder,
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    sourcemap: "linked",
    sourcesContent: false,
    plugins: [ownPlaces],
    logLevel: "error",
  });
  for (const name of folders.flatMap((one) => filesIn(one, ".json"))) {
    mkdirSync(join(folder, dirname(name)), { recursive: true });
    writeFileSync(join(folder, `${name}.js`), `export default ${readFileSync(join(ROOT, name), "utf8")}`);
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

function filesIn(folder: string, end: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name));
}

const ownPlaces: Plugin = {
  name: "own places",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path: path.replace(/(?:\.ts|(\.json))$/, "$1.js"), external: true },
    );
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8")
        .replace(/(?<!")\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
        .replace(/(?<!")\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path))),
      loader: "ts",
    }));
  },
};
