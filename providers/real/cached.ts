import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * A folder in `$CDCCTL_TEST_CACHE` or `~/.cache/cdcctl-tests`, made once; if another process makes it at the same time,
 * the first one counts.
 *
 * @param make fills the folder that it is given
 * @throws what `make` throws; nothing is then left of it
 */
export async function cached(name: string, make: (draft: string) => Promise<void>): Promise<string> {
  const cache = process.env["CDCCTL_TEST_CACHE"] ?? join(homedir(), ".cache", "cdcctl-tests");
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(join(cache, "draft-"));
  try {
    await make(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
