import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";

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
const THREADS = ["verify-thread", "checksum-thread"];

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
    absWorkingDir: ROOT,
    entryPoints: [...BINARIES, ...THREADS].map((name) => `cmd/bin/${name}.ts`),
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    sourcemap: false,
    metafile: true,
    legalComments: "linked",
    define: { "process.env.CDCCTL_VERSION": JSON.stringify(await packageVersion()) },
    // Packages that still call require() use this.
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  });
  return metafile;
}
