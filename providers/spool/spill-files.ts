import { type FileHandle, mkdir, mkdtemp, open, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { SpoolFiles } from "../../core/ports/spool.ts";
import { readWhole, spoolFile, translate } from "./spool-files.ts";

/**
 * Creates files for data that does not fit into memory, below a folder. Each is unlinked as soon as it is open, so that
 * nothing is left of it when it is closed or the process is killed (unlink(2)). They cannot be resumed.
 */
export async function spillFiles(place: string): Promise<SpoolFiles & { close(): Promise<void> }> {
  const files = new Map<string, FileHandle>();
  await translate(place, () => mkdir(place, { recursive: true, mode: 0o700 }));
  const none = async (): Promise<never> => {
    throw new Error("such a file cannot be resumed");
  };
  return {
    create: (name) =>
      translate(place, async () => {
        const folder = await mkdtemp(join(place, "cdcctl-spill-"));
        const path = join(folder, name);
        const file = await open(path, "wx+", 0o600);
        files.set(name, file);
        await rm(path);
        await rmdir(folder);
        return spoolFile(path, file, { bytes: 0, checksum: 0 });
      }),
    goOn: none,
    holds: none,
    read: (name, slices, into) => readWhole(join(place, name), files.get(name) as FileHandle, slices, into),
    async close() {
      const open = [...files.values()];
      files.clear();
      for (const file of open) await file.close();
    },
  };
}
