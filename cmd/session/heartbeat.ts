import type { Host } from "../host.ts";
import { documentText, textOf, writtenOver } from "../views/rendered.ts";

/** Milliseconds between two lines in a log, and between two looks at a terminal. */
const IN_A_LOG = 10_000;
const ON_A_TERMINAL = 250;

export interface Heartbeat {
  /** What is being done now. */
  note(text: string): void;
  end(): void;
}

/**
 * Says from time to time on stderr what a long reading is at: on a terminal in one line that is written over, in a log
 * as a line every ten seconds, also while nothing moves. What takes less time says nothing.
 */
export function heartbeat({ stderr }: Pick<Host, "stderr">, every?: number): Heartbeat {
  const terminal = stderr.columns !== undefined;
  let current: string | undefined;
  let shown = false;
  const clear = "\r\u001b[K";
  const timer = setInterval(
    () => {
      if (current === undefined) return;
      shown = true;
      stderr.write(terminal ? writtenOver(clear, current, (stderr.columns ?? 80) - 1) : textOf([current]));
    },
    every ?? (terminal ? ON_A_TERMINAL : IN_A_LOG),
  );
  timer.unref();
  return {
    note(text) {
      current = text;
    },
    end() {
      clearInterval(timer);
      if (terminal && shown) stderr.write(documentText(clear));
    },
  };
}
