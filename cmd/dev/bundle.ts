import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** The names of the programs. */
export const BINARIES = [
  "cdcctl",
  "cdc-admin",
  "srcdb-cdc-doctor",
  "migrate_from_legacy",
  "takeover_scn",
  "verify_cutover",
];

/** The file with all of them. */
export const PROGRAMS = "programs.cjs";

/** Threads that a command starts. */
const THREADS = ["verify-thread", "fold-thread", "policy-thread"];

/** Packages that still call require() use this. */
const REQUIRE = {
  js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
};

export async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
  return version;
}

/**
 * Bundles the commands: one small file each, and one with all programs, loaded when it is used. That one is CommonJS,
 * because Node.js keeps nothing of what V8 compiles of modules (`cmd/bin/compiled.ts`). Threads have their own files.
 *
 * @returns the paths of what went into them
 */
export async function bundle(outdir: string): Promise<readonly string[]> {
  const module = { ...(await options()), format: "esm", banner: REQUIRE, metafile: true, outdir } as const;
  const { metafile: commands } = await build({
    ...module,
    plugins: [programsCompiled],
    entryPoints: BINARIES.map((name) => ({ in: `program:${name}`, out: name })),
  });
  const { metafile: threads } = await build({
    ...module,
    splitting: true,
    entryPoints: THREADS.map((name) => `cmd/bin/${name}.ts`),
  });
  const programs = await bundleScript("cmd/bin/programs.ts", join(outdir, PROGRAMS));
  return [...new Set([commands, threads, programs].flatMap(({ inputs }) => Object.keys(inputs)))];
}

/** Bundles all programs into pieces that are loaded when used, which show what is. @returns what went into which */
export async function bundlePieces(outdir: string): Promise<Metafile["outputs"]> {
  const { metafile } = await build({
    ...(await options()),
    entryPoints: ["cmd/bin/programs.ts"],
    outdir,
    splitting: true,
    format: "esm",
    metafile: true,
    banner: REQUIRE,
  });
  return metafile.outputs;
}

/** Bundles the worker into one file. A single executable takes only CommonJS, and has no files beside it. */
export async function bundleWorker(outfile: string): Promise<void> {
  await bundleScript("cmd/bin/verify_worker.ts", outfile);
}

/** Bundles into one CommonJS file, in ASCII: Node.js reads nothing else as fast. */
async function bundleScript(entry: string, outfile: string): Promise<Metafile> {
  const { define, ...same } = await options();
  const { metafile, outputFiles } = await build({
    ...same,
    entryPoints: [entry],
    outfile,
    format: "cjs",
    metafile: true,
    write: false,
    supported: { "dynamic-import": false },
    define: { ...define, "import.meta.url": "__url" },
    banner: { js: 'const __url=require("node:url").pathToFileURL(__filename).href;' },
  });
  for (const { path, text } of outputFiles)
    await writeFile(
      path,
      path === outfile
        ? text.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        : text,
    );
  return metafile;
}

async function options() {
  const plugins: Plugin[] = [packagesWhenUsed];
  // cli-table3 colours only what has a style, which no table has.
  const external = ["@colors/colors/safe"];
  return {
    plugins,
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "linked",
    external,
    define: { "process.env.CDCCTL_VERSION": JSON.stringify(await packageVersion()) },
  } as const;
}

/** A program is a name to start, and is loaded from the one file. */
const programsCompiled: Plugin = {
  name: "programs compiled",
  setup({ onResolve, onLoad }) {
    const resolveDir = join(ROOT, "cmd/bin");
    onResolve({ filter: /^program:/ }, ({ path }) => ({ path: path.slice("program:".length), namespace: "program" }));
    onLoad({ filter: /.*/, namespace: "program" }, ({ path }) => ({
      contents: `import{start}from"./start.ts";await start("${path}");`,
      resolveDir,
    }));
    onResolve({ filter: /^\.\/programs\.ts$/ }, () => ({ path: PROGRAMS, namespace: "compiled" }));
    onLoad({ filter: /.*/, namespace: "compiled" }, () => ({
      contents: `import{loadCompiled}from"./compiled.ts";export const{runProgram}=loadCompiled("./${PROGRAMS}");`,
      resolveDir,
    }));
  },
};

/**
 * What takes long to set up, and is set up when it is used: the tables of the engine of patterns, and those of what
 * characters are wide, which the text of `--help` has none of. All take the version of this package: yargs and its
 * dependencies have others, and the bundle would hold whichever it met first.
 */
const WHEN_USED: Readonly<Record<string, string>> = {
  re2js: 'export const RE2JS = { compile: (pattern) => require("re2js").RE2JS.compile(pattern) };',
  "string-width":
    "export default (text, options) => " +
    '/^[ -~]*$/.test(text) ? text.length : require("string-width").default(text, options);',
};

const packagesWhenUsed: Plugin = {
  name: "packages when used",
  setup({ onResolve, onLoad }) {
    const filter = /^(?:re2js|string-width)$/;
    onResolve({ filter }, ({ kind, path }) =>
      kind === "import-statement" ? { path, namespace: "when-used" } : undefined,
    );
    onLoad({ filter, namespace: "when-used" }, ({ path }) => ({
      contents: WHEN_USED[path] ?? "",
      resolveDir: ROOT,
    }));
  },
};
