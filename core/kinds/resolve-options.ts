import type { Scn } from "../values/scn.ts";

export interface ResolveOptions {
  /** The SCN that a resolved plan has pinned. */
  readonly pinned?: Scn | undefined;
  /** Do it once more although this decision was applied already (`--again`). */
  readonly again?: boolean;
}
