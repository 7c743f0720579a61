import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { declareConstants } from "../cmd/dev/constants.ts";

/** Builds the measured programs into this folder. @param programs files of `bench`: `verify/run` */
export async function bundled(folder: string, programs: readonly string[]): Promise<void> {
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await build({
    absWorkingDir: fileURLToPath(new URL("../", import.meta.url)),
    entryPoints: programs.map((name) => `bench/${name}.ts`),
    outdir: folder,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    banner: {
      js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
    },
  });
  await declareConstants(folder);
}
