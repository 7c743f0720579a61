import type { Host } from "../host.ts";
import { documentText, overwritten, textOf } from "../views/rendered.ts";

/** Milliseconds between two lines in a log, and between two updates on a terminal. */
const IN_A_LOG = 10_000;
const ON_A_TERMINAL = 250;

export interface Heartbeat extends Disposable {
  note(text: string): void;
  end(): void;
}

/** Whether a line may be overwritten: not without a terminal, nor when the terminal or its user disables it. */
export function isAnimated({ stderr, env = {} }: Shown): boolean {
  const set = (name: string) => (env[name] ?? "") !== "";
  return stderr.columns !== undefined && !set("NO_COLOR") && !set("CI") && env["TERM"] !== "dumb";
}

type Shown = Pick<Host, "stderr"> & Partial<Pick<Host, "env">>;

/** Shown in turn while work continues. */
const SPINNER = ["|", "/", "-", "\\"];

/**
 * Reports the progress of a long read on stderr: on a terminal in one overwritten line, in a log as a line every ten
 * seconds even without progress. Shorter reads print nothing.
 */
export function heartbeat(host: Shown, every?: number): Heartbeat {
  const { stderr } = host;
  const terminal = isAnimated(host);
  let turns = 0;
  let current: string | undefined;
  let shown = false;
  const clear = "\r\u001b[K";
  const timer = setInterval(
    () => {
      if (current === undefined) return;
      shown = true;
      const turning = `${SPINNER[turns++ % SPINNER.length]} ${current}`;
      stderr.write(terminal ? overwritten(clear, turning, (stderr.columns ?? 80) - 1) : textOf([current]));
    },
    every ?? (terminal ? ON_A_TERMINAL : IN_A_LOG),
  );
  timer.unref();
  const end = () => {
    clearInterval(timer);
    if (terminal && shown) stderr.write(documentText(clear));
  };
  return {
    note(text) {
      current = text;
    },
    end,
    [Symbol.dispose]: end,
  };
}
