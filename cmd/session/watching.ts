import { UsageError } from "../../core/errors.ts";
import type { Host } from "../host.ts";
import { type Rendered, textOf } from "../views/rendered.ts";
import { systemClock } from "./clock.ts";
import { durationOf } from "./durations.ts";

/** What one look gives: its text, and the exit code of a command that ends with it. */
export interface Looked {
  readonly text: Rendered;
  readonly exit: number;
}

/**
 * Prints one look; with `--watch` looks again and again, and prints each time that something is different, with the
 * time above it. Ctrl-C ends it between two looks.
 *
 * @returns the exit code of the last look
 */
export async function whileWatched(
  flags: { readonly watch: boolean; readonly interval: string; readonly format: string },
  host: Host,
  look: () => Promise<Looked>,
): Promise<number> {
  const interval = durationOf("interval", flags.interval);
  if (!flags.watch) {
    const { text, exit } = await look();
    host.stdout.write(text);
    return exit;
  }
  if (flags.format !== "text") throw new UsageError("--watch shows text only", "Leave out --format, or --watch.");
  const { interrupt } = host;
  let before: Rendered | undefined;
  for (;;) {
    const { text, exit } = await look();
    if (text !== before) {
      host.stdout.write(textOf([...(before === undefined ? [] : [""]), systemClock.now()]));
      host.stdout.write(text);
    }
    before = text;
    if (!interrupt.aborted) await systemClock.sleep(interval, interrupt);
    if (interrupt.aborted) return exit;
  }
}
