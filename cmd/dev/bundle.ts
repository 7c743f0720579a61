import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile, type Plugin } from "esbuild";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** One file of `cmd/bin` each. */
export const BINARIES = [
  "cdcctl",
  "cdc-admin",
  "srcdb-cdc-doctor",
  "migrate_from_legacy",
  "takeover_scn",
  "verify_cutover",
];

/** Threads that a command starts. */
const THREADS = ["verify-thread", "fold-thread"];

export async function packageVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
  return version;
}

/**
 * Bundles the commands: one small file a command, everything else in shared pieces that are loaded when used.
 *
 * @returns what went into which file
 */
export async function bundle(outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    ...(await options()),
    entryPoints: [...BINARIES, ...THREADS].map((name) => `cmd/bin/${name}.ts`),
    outdir,
    splitting: true,
    format: "esm",
    metafile: true,
    // Packages that still call require() use this.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  });
  return metafile;
}

/** Bundles the worker into one file. A single executable takes only CommonJS, and has no files beside it. */
export async function bundleWorker(outfile: string): Promise<void> {
  const { define, ...same } = await options();
  await build({
    ...same,
    entryPoints: ["cmd/bin/verify_worker.ts"],
    outfile,
    format: "cjs",
    define: { ...define, "import.meta.url": "__url" },
    banner: { js: 'const __url=require("node:url").pathToFileURL(__filename).href;' },
  });
}

async function options() {
  const plugins: Plugin[] = [enginesWhenUsed];
  return {
    plugins,
    absWorkingDir: ROOT,
    bundle: true,
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "linked",
    define: { "process.env.CDCCTL_VERSION": JSON.stringify(await packageVersion()) },
  } as const;
}

/** The engine of patterns has large tables, which are made when the first pattern is compiled. */
const enginesWhenUsed: Plugin = {
  name: "engines when used",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^re2js$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "re2js", namespace: "when-used" } : undefined,
    );
    onLoad({ filter: /^re2js$/, namespace: "when-used" }, () => ({
      contents: 'export const RE2JS = { compile: (pattern) => require("re2js").RE2JS.compile(pattern) };',
      resolveDir: ROOT,
    }));
  },
};
