import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { shellFile } from "../../core/values/shell-word.ts";
import { type Contexts, contextsPath, openContexts } from "../../providers/contexts/contexts.ts";
import { CONTEXTS_TEMPLATE } from "../../providers/contexts/template.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { contextPositional, contextsInitOptions, contextsListOptions } from "../options/contexts.ts";
import { warningsTo, writeLine } from "../screen.ts";
import { contextsDocument, contextsReport } from "../views/contexts.ts";
import { writeNewFile } from "./files.ts";
import { homeOf } from "./places.ts";
import { reported, writeInForm } from "./report-forms.ts";
import { schemaModeline } from "./schemas.ts";

/** The contexts file named by the flags and the environment. */
export function contextsOf(flags: { readonly contexts?: string | undefined }, host: Host): Promise<Contexts> {
  return openContexts({ path: flags.contexts, env: host.env, home: homeOf(host) ?? "/" });
}

type ListFlags = Flags<typeof contextsListOptions> & Partial<Flags<typeof contextPositional>>;

/** Runs `contexts list` and `contexts show`. @returns 0. @throws UsageError for an unknown name */
export async function listContexts(flags: ListFlags, host: Host): Promise<number> {
  const { context: name } = flags;
  const contexts = await contextsOf(flags, host);
  contexts.warnings.forEach(warningsTo(host));
  const shown = {
    path: contexts.path,
    contexts: (name === undefined ? contexts.names : [name]).map((one) => contexts.outline(one)),
  };
  writeInForm(flags.format, reported(contextsReport, contextsDocument, shown, name !== undefined), host);
  return EXIT.done;
}

/** Runs `contexts init`. @returns 0. @throws UsageError when the file already exists */
export async function initContexts(flags: Flags<typeof contextsInitOptions>, host: Host): Promise<number> {
  const path = contextsPath({ path: flags.contexts, env: host.env, home: homeOf(host) ?? "/" });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeNewFile(path, `${schemaModeline("Contexts")}${CONTEXTS_TEMPLATE}`);
  writeLine(host.stderr, `wrote ${path}`);
  const named = flags.contexts === undefined ? "" : ` --contexts ${shellFile(flags.contexts)}`;
  writeLine(host.stderr, `next:  cdcctl contexts test${named}     # after editing it`);
  return EXIT.done;
}
