import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeWithUs } from "./end-with-us.ts";

const OURS = /^cdcctl-real-(\d+)-/;

export interface StackFolder {
  readonly path: string;
  remove(): Promise<void>;
}

/**
 * Creates a folder for a stack's configuration, data and logs, which is removed at the latest when this process ends,
 * unless it is kept. Folders of killed tests are removed first.
 */
export async function stackFolder(keep: boolean): Promise<StackFolder> {
  await removeAbandoned();
  if (keep) return { path: await mkdtemp(join(tmpdir(), "cdcctl-kept-")), remove: async () => undefined };
  const path = await mkdtemp(join(tmpdir(), `cdcctl-real-${process.pid}-`));
  const forget = removeWithUs(path);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      forget();
    },
  };
}

async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = OURS.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Whether a process of any user has that id. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
