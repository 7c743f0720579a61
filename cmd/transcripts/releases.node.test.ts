/**
 * The built commands on each release of Node.js that they run on. Transcripts that together start every program, write
 * and repair journals, read bytes of others, and have processes and threads work. `CDCCTL_NODE=/path/to/node npm test
 * -- transcripts` plays all of them on one.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { cached } from "../../providers/real/cached.ts";
import { playGoldens } from "./goldens.ts";

/** The oldest one that `package.json` allows, and every line that is maintained. */
const RELEASES = ["20.19", "22", "24", "26"];
const PLAYED = [
  "contexts",
  "help",
  "journal",
  "killed",
  "lag-transaction",
  "migrate-takeover",
  "migrate-verify-job",
  "migration-back",
  "night-full-disk",
  "report",
  "resnapshot-rollback",
  "usage",
];

const run = promisify(execFile);

/** The program of a release, from npm's registry, once. */
async function nodeOf(release: string): Promise<string> {
  const packed = `node-${process.platform}-${process.arch}`;
  const folder = await cached(`${packed}-${release}`, async (draft) => {
    const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error"];
    await run("npm", ["install", "--prefix", draft, ...quiet, `${packed}@${release}`]);
  });
  return join(folder, "node_modules", packed, "bin", "node");
}

for (const release of RELEASES) {
  const node = nodeOf(release);
  const releases = suite(`Node.js ${release}`);

  releases("is the release that it is taken for", async () => {
    const { stdout } = await run(await node, ["--version"]);
    assert.match(stdout, new RegExp(`^v${release.replace(".", "\\.")}\\.`));
  });

  playGoldens(
    releases,
    (file) => PLAYED.includes(file.replace(".transcript.txt", "")),
    () => node,
  );
  releases.run();
}
