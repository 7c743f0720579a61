import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";

/**
 * Class data archives, one for each kind of process: the first process of a kind writes one when it ends, and later
 * ones start in half the time. A JVM ignores an archive that does not match.
 */
export interface ClassArchives {
  flags(kind: string): readonly string[];
  /** Publishes the archives of ended processes for later ones. */
  keep(): void;
}

export function classArchives(folder: string): ClassArchives {
  const drafts = new Map<string, string>();
  const quiet = ["-Xshare:auto", "-Xlog:cds=off", "-Xlog:cds+dynamic=off"];
  return {
    flags(kind) {
      const archive = join(folder, `${kind}.jsa`);
      if (existsSync(archive)) return [`-XX:SharedArchiveFile=${archive}`, ...quiet];
      if (drafts.has(archive)) return quiet;
      const draft = `${archive}.${process.pid}.${performance.now()}`;
      drafts.set(archive, draft);
      return [`-XX:ArchiveClassesAtExit=${draft}`, ...quiet];
    },
    keep() {
      for (const [archive, draft] of drafts) {
        if (!existsSync(draft)) continue;
        renameSync(draft, archive);
        drafts.delete(archive);
      }
    },
  };
}
