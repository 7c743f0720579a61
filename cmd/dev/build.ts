/**
 * Builds the commands into `dist/`: one small file a command, everything else in shared pieces that are loaded when used. The packages are
 * in there too, so that whoever installs cdcctl installs nothing else.
 *
 *   npm run build                        CDCCTL_DIST names another folder
 */
import { execFileSync } from "node:child_process";
import { chmod, cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { thirdPartyNotice } from "./third-party.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BINARIES = ["cdcctl", "cdc-admin", "srcdb-cdc-doctor"];
const DIST = process.env["CDCCTL_DIST"] ?? join(ROOT, "dist");

const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
await rm(DIST, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: BINARIES.map((name) => `cmd/bin/${name}.ts`),
  outdir: DIST,
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
  define: { "process.env.CDCCTL_VERSION": JSON.stringify(version) },
  // Packages that still call require() find it here.
  banner: {
    js: 'import{createRequire as __createRequire}from"node:module";const require=__createRequire(import.meta.url);',
  },
});
await cp(join(ROOT, "schemas"), join(DIST, "schemas"), {
  recursive: true,
  filter: (source) => !source.includes("generated"),
});
await writeFile(join(DIST, "THIRD-PARTY.txt"), await thirdPartyNotice(Object.keys(metafile.inputs), ROOT));
for (const name of BINARIES) {
  const path = join(DIST, `${name}.js`);
  await writeFile(path, `#!/usr/bin/env node\n${await readFile(path, "utf8")}`);
  await chmod(path, 0o755);
}
for (const name of BINARIES) {
  const help = execFileSync(process.execPath, [join(DIST, `${name}.js`), "--help"], {
    encoding: "utf8",
    env: { ...process.env, CDCCTL_HELP: "build", COLUMNS: "100" },
  });
  await writeFile(join(DIST, `${name}.help.txt`), help);
}
