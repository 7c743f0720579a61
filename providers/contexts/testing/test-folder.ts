import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Runs a test with a temporary folder of the given files, with mode 0600, and removes it. */
export async function inFolder<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  test: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "cdcctl-contexts-"));
  try {
    for (const [name, content] of Object.entries(files)) {
      const path = join(folder, name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content);
      await chmod(path, 0o600);
    }
    return await test(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
