import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { shellFile } from "../../core/values/shell-word.ts";
import { type Contexts, contextsPath, openContexts } from "../../providers/contexts/contexts.ts";
import { CONTEXTS_TEMPLATE } from "../../providers/contexts/template.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { contextsInitOptions, contextsListOptions } from "../options/contexts.ts";
import { writeLine } from "../screen.ts";
import { contextsDocument, contextsReport } from "../views/contexts.ts";
import { homeOf } from "./places.ts";
import { reported, writeInForm } from "./report-forms.ts";
import { schemaModeline } from "./schemas.ts";
import { writeNewFile } from "./write-file.ts";

/** The contexts file named by the flags and the environment. */
export function contextsOf(flags: { readonly contexts?: string | undefined }, host: Host): Promise<Contexts> {
  return openContexts({ path: flags.contexts, env: host.env, home: homeOf(host) ?? "/" });
}

/** Runs `contexts list` and `contexts show`. @throws UsageError for an unknown name */
export async function listContexts(
  name: string | undefined,
  flags: Flags<typeof contextsListOptions>,
  host: Host,
): Promise<void> {
  const contexts = await contextsOf(flags, host);
  for (const warning of contexts.warnings) writeLine(host.stderr, `warning: ${warning}`);
  const shown = {
    path: contexts.path,
    contexts: (name === undefined ? contexts.names : [name]).map((one) => contexts.outline(one)),
  };
  writeInForm(flags.format, reported(contextsReport, contextsDocument, shown, name !== undefined), host);
}

/** Runs `contexts init`. @throws UsageError when the file already exists */
export async function initContexts(flags: Flags<typeof contextsInitOptions>, host: Host): Promise<void> {
  const path = contextsPath({ path: flags.contexts, env: host.env, home: homeOf(host) ?? "/" });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeNewFile(path, `${schemaModeline("Contexts")}${CONTEXTS_TEMPLATE}`);
  writeLine(host.stderr, `wrote ${path}`);
  const named = flags.contexts === undefined ? "" : ` --contexts ${shellFile(flags.contexts)}`;
  writeLine(host.stderr, `next:  cdcctl contexts test${named}     # after editing it`);
}
