import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createInstrumenter } from "@stryker-mutator/instrumenter";
import { build, type Plugin } from "esbuild";
import { createInjector } from "typed-inject";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const COPIED = ["core", "cmd", "providers", "schemas", "bench", "examples", "docs", "package.json", "tsconfig.json"];

export interface Mutant {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

/** A copy of the sources with every mutant in it behind a switch. */
export interface Sandbox {
  readonly root: string;
  /** The program that judges, and all test files in one module: what is loaded anew for a mutant is loaded quickly. */
  readonly worker: string;
  readonly bundle: string;
  /** How many files hold mutants. */
  readonly files: number;
  readonly mutants: readonly Mutant[];
  /** Test files that reach one of them, from the root. */
  readonly tests: readonly string[];
  remove(): void;
}

/** @param within files and folders, from the root */
export async function layOut(within: readonly string[]): Promise<Sandbox> {
  const root = mkdtempSync(join(tmpdir(), "cdcctl-mutants-"));
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  linkPackages(root);
  const files = sourcesIn(root).filter((path) => isProduct(path) && within.some((one) => isWithin(path, one)));
  if (files.length === 0) throw new Error(`there is no product file in ${within.join(", ")}`);
  const instrumented = await instrument(files.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") })));
  for (const { path, text } of instrumented.files) writeFileSync(join(root, path), text);
  const tests = testsOf(new Set(files), root);
  return {
    root,
    ...(await bundled(root, tests)),
    files: files.length,
    mutants: instrumented.mutants,
    tests,
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
const isProduct = (path: string): boolean => !/\.test\.ts$|\/testing\/|\/testdata\//.test(path);

function sourcesIn(root: string): readonly string[] {
  return ["core", "cmd", "providers"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => join(folder, name)),
  );
}

/** The packages as they are, but for uvu: its tests are told one from the other, and run by whoever asks. */
function linkPackages(root: string): void {
  const packages = join(root, "node_modules");
  mkdirSync(packages);
  for (const name of readdirSync(join(ROOT, "node_modules")))
    if (name !== "uvu") symlinkSync(join(ROOT, "node_modules", name), join(packages, name));
  const uvu = join(packages, "uvu");
  mkdirSync(uvu);
  writeFileSync(
    join(uvu, "package.json"),
    JSON.stringify({ name: "uvu", type: "module", exports: { ".": "./index.js", "./assert": "./assert.js" } }),
  );
  writeFileSync(
    join(uvu, "assert.js"),
    `export * from ${JSON.stringify(new URL(`file://${ROOT}node_modules/uvu/assert/index.mjs`).href)};\n`,
  );
  cpSync(join(ROOT, "cmd/dev/mutation/uvu.js"), join(uvu, "index.js"));
}

async function bundled(root: string, tests: readonly string[]): Promise<Pick<Sandbox, "worker" | "bundle">> {
  const all = tests.map((path) => `${JSON.stringify(path)}: () => import(${JSON.stringify(`./${path}`)}),`);
  writeFileSync(join(root, "tests.ts"), `export const load = {\n${all.join("\n")}\n};\n`);
  await build({
    absWorkingDir: root,
    entryPoints: { tests: "tests.ts", worker: "cmd/dev/mutation/worker.ts" },
    outdir: root,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [ownUrls],
  });
  return { worker: join(root, "worker.mjs"), bundle: join(root, "tests.mjs") };
}

/** The expression, and not a text that says it. */
const OWN_URL = /(?<!["'`])\bimport\.meta\.url\b/g;

/** Each module keeps its own place: what lies beside it is found there. */
const ownUrls: Plugin = {
  name: "own-urls",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(OWN_URL, JSON.stringify(pathToFileURL(path).href)),
      loader: "ts",
    }));
  },
};

interface Source {
  readonly path: string;
  readonly text: string;
}

async function instrument(
  sources: readonly Source[],
): Promise<{ readonly files: readonly Source[]; readonly mutants: readonly Mutant[] }> {
  const silent = () => undefined;
  const no = () => false;
  const logger = {
    ...{ trace: silent, debug: silent, info: silent, warn: silent, error: silent, fatal: silent },
    ...{ isTraceEnabled: no, isDebugEnabled: no, isInfoEnabled: no, isWarnEnabled: no },
    ...{ isErrorEnabled: no, isFatalEnabled: no },
  };
  const injector = createInjector().provideValue("logger", logger) as unknown as Parameters<
    typeof createInstrumenter
  >[0];
  const { files, mutants } = await createInstrumenter(injector).instrument(
    sources.map(({ path, text }) => ({ name: path, content: text, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [], noHeader: false } as Parameters<
      ReturnType<typeof createInstrumenter>["instrument"]
    >[1],
  );
  const texts = new Map(sources.map(({ path, text }) => [path, text.split("\n")]));
  return {
    files: files.map(({ name, content }) => ({ path: name, text: content })),
    mutants: mutants.map((mutant) => {
      const { id, fileName, location, mutatorName, replacement } = mutant;
      const { start, end } = location;
      return {
        id,
        file: fileName,
        line: start.line + 1,
        column: start.column + 1,
        mutator: mutatorName,
        original: between(texts.get(fileName) ?? [], start, end),
        replacement: replacement ?? "",
      };
    }),
  };
}

interface Place {
  readonly line: number;
  readonly column: number;
}

function between(lines: readonly string[], start: Place, end: Place): string {
  const part = lines.slice(start.line, end.line + 1);
  const last = part.length - 1;
  return part.map((line, i) => line.slice(i === 0 ? start.column : 0, i === last ? end.column : undefined)).join("\n");
}

/** Tests that start no process and open no connection. */
const PURE = /^(core|cmd\/views)\/.*\.test\.ts$/;

/** Such test files that import one of the files, directly or through others. */
function testsOf(files: ReadonlySet<string>, root: string): readonly string[] {
  const sources = sourcesIn(root);
  const known = new Set(sources);
  const imports = new Map(sources.map((path) => [path, importsOf(path, root).filter((to) => known.has(to))]));
  const reaches = (from: string): boolean => {
    const seen = new Set([from]);
    for (const path of seen) {
      if (files.has(path)) return true;
      for (const to of imports.get(path) ?? []) seen.add(to);
    }
    return false;
  };
  return sources.filter((path) => PURE.test(path) && reaches(path));
}

function importsOf(path: string, root: string): readonly string[] {
  const text = readFileSync(join(root, path), "utf8");
  return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, to = ""]) =>
    relative(root, resolve(root, dirname(path), to)),
  );
}
