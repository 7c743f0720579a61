import { UsageError } from "../../core/errors.ts";
import type { Host } from "../host.ts";
import { type Rendered, textOf } from "../views/rendered.ts";
import { systemClock } from "./clock.ts";
import { durationOf } from "./typed-values.ts";

/** One refresh: its text, and the exit code if the command ends with it. */
export interface Refresh {
  readonly text: Rendered;
  readonly exit: number;
}

/**
 * Prints one refresh; with `--watch` refreshes repeatedly, and prints each change below the time. Ctrl-C ends it
 * between two refreshes.
 *
 * @returns the exit code of the last refresh
 */
export async function whileWatched(
  flags: { readonly watch: boolean; readonly interval: string; readonly format: string },
  host: Host,
  refresh: () => Promise<Refresh>,
): Promise<number> {
  const interval = durationOf("interval", flags.interval);
  if (!flags.watch) {
    const { text, exit } = await refresh();
    host.stdout.write(text);
    return exit;
  }
  if (flags.format !== "text") throw new UsageError("--watch supports only text", "Omit --format or --watch.");
  const { interrupt } = host;
  let before: Rendered | undefined;
  for (;;) {
    const { text, exit } = await refresh();
    if (text !== before) {
      host.stdout.write(textOf([...(before === undefined ? [] : [""]), systemClock.now()]));
      host.stdout.write(text);
    }
    before = text;
    if (!interrupt.aborted) await systemClock.sleep(interval, interrupt);
    if (interrupt.aborted) return exit;
  }
}
