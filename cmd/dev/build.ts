/**
 * Builds the commands into `dist/`. The packages they use are in there too, so that whoever installs cdcctl installs
 * nothing else.
 *
 *   npm run build                        CDCCTL_DIST names another folder
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BINARIES, bundle, bundleWorker, packageVersion, ROOT } from "./bundle.ts";
import { keepCompiled } from "./compiled.ts";
import { declareConstants } from "./constants.ts";
import { manPages } from "./man.ts";
import { standaloneSchemas } from "./standalone-schemas.ts";
import { thirdPartyNotice } from "./third-party.ts";

const FOLDER = resolve(process.env["CDCCTL_DIST"] ?? join(ROOT, "dist"));
/** Takes the folder's place at the end: a program that runs from there meanwhile misses nothing. */
const DIST = `${FOLDER}.draft`;
const AWAY = `${FOLDER}.away`;

await rm(DIST, { recursive: true, force: true });
const inputs = await bundle(DIST);
await bundleWorker(join(DIST, "verify_worker.cjs"));
await declareConstants(DIST);
await mkdir(join(DIST, "schemas"));
for (const [name, text] of standaloneSchemas()) await writeFile(join(DIST, "schemas", name), text);
await cp(join(ROOT, "cmd/spark/verify_spark.py"), join(DIST, "spark/verify_spark.py"));
await mkdir(join(DIST, "man"));
for (const [name, text] of manPages(await packageVersion())) await writeFile(join(DIST, "man", name), text);
await writeFile(join(DIST, "THIRD-PARTY.txt"), await thirdPartyNotice(inputs, ROOT));
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
await keepCompiled(DIST);
await rm(AWAY, { recursive: true, force: true });
if (existsSync(FOLDER)) await rename(FOLDER, AWAY);
await rename(DIST, FOLDER);
await rm(AWAY, { recursive: true, force: true });
