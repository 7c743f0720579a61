/**
 * Replaces what differs between playings by stable names. Widths are kept, so that columns and line breaks do not
 * change.
 */
export interface Played {
  /**
   * Milliseconds since the epoch: the current SCN's time when the world began. Later times are the clock's, earlier
   * ones the world's.
   */
  readonly began: number;
  /** What to take off the world's times, so that they are the same in every playing; milliseconds. */
  readonly shift: number;
  readonly ports: {
    readonly connect: number;
    readonly kafka: number;
    readonly oracle: number;
    readonly jmx: number | undefined;
    readonly metrics: number | undefined;
  };
  readonly version: string;
  readonly directory: string;
  readonly host: string;
}

/** How far back the logs of the world reach, and a little more. What is older is part of a text, as in a template. */
const WORLD_MILLIS = 2 * 3_600_000;
const INSTANT = /\b(\d{4}-\d{2}-\d{2})(T|\s+)(\d{2}:\d{2}:\d{2})(\.\d+)?(Z)/g;
const RUN = /\b\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z-[0-9a-f]{4}\b/g;
const SIGNAL = /\bsrcdb-cdc-admin-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const DIGEST = /sha256:([0-9a-f]{12})([0-9a-f]{52}|…)/g;

/** The stable names of a transcript, and the real ones of this playing. */
export interface StableNames {
  /** The output with stable names. */
  of(text: string): string;
  /** A command with the run that it names, of an output before. */
  real(command: string): string;
}

/** Gives one name to everything that is the same thing, over all outputs of a transcript. */
export function stableNames(played: Played): StableNames {
  const runs = numbered();
  const digests = numbered();
  const signals = numbered();
  const { connect, kafka, oracle, jmx, metrics } = played.ports;
  const stable = (text: string): string =>
    text
      .replaceAll(played.directory, "/work")
      .replaceAll(/\/\S*(?=\/schemas\/[a-z-]+\.schema\.json\b)/g, "/INSTALLED")
      .replaceAll(RUN, (run) => stableRun(runs.of(run)))
      .replaceAll(INSTANT, (whole, day: string, between: string, time: string, fraction: string | undefined) => {
        const at = Date.parse(`${day}T${time}Z`);
        if (at < played.began - WORLD_MILLIS) return whole;
        // A whole second is printed without a fraction.
        if (at >= played.began) return `YYYY-MM-DD${between}hh:mm:ssZ`;
        const world = new Date(at - played.shift).toISOString().slice(0, 19).replace("T", between);
        return `${world}${fraction ?? ""}${whole.at(-1)}`;
      })
      .replaceAll(DIGEST, (whole, start: string) =>
        `sha256:digest-${digests.of(start)}`.padEnd(whole.length - 1, ".").concat(whole.endsWith("…") ? "…" : "."),
      )
      .replaceAll(SIGNAL, (id) => `srcdb-cdc-admin-signal-${signals.of(id)}`.padEnd(id.length, "."))
      // The world of a migration advances while it is read, once its script is played.
      .replaceAll(/(\b(?:resume|current) SCN (?:is )?`?|"resumeScn":\s*)2045[3-9]\d\d\b/g, "$12045NNN")
      .replaceAll(/(first offset is at )\d+/g, "$1NNNNNNN")
      .replaceAll(/\b\d+(\.\d+)? [kMGTP]B free/g, "N GB free")
      .replaceAll(/"ts_ms": \d+/g, '"ts_ms": N')
      .replaceAll(/"(millis|elapsedMillis)":\d+/g, '"$1":N')
      .replaceAll(`:${connect}`, ":10083")
      .replaceAll(`:${kafka}`, ":10092")
      .replaceAll(`:${oracle}`, ":11521")
      .replaceAll(jmx === undefined ? /(?!)/g : `:${jmx}`, ":19999")
      .replaceAll(metrics === undefined ? /(?!)/g : `:${metrics}`, ":19404")
      .replaceAll(new RegExp(`(?<=["\`]|= )${oracle}\\b`, "g"), "11521")
      .replaceAll(played.host, "HOST")
      .replaceAll(/\bpid \d+/g, "pid N")
      .replaceAll(/(?<= (?:ok|warning|failed)) +\d[\d,]* ms$/gm, "  N ms")
      .replaceAll(/^(\[\d+\/\d+\]) \d\d:\d\d:\d\dZ/gm, "$1 hh:mm:ssZ")
      // The column is as wide as its longest time.
      .replaceAll(/(?<=Result) +Latency$/gm, "   Latency")
      .replaceAll(/(stopped after|settled for) \d+(\.\d+)? s\b/g, "$1 N s")
      .replaceAll(/\b\d+(\.\d+)? (s|min) (old|ago|late)\b/g, "N $2 $3")
      // Where the line breaks, the width of that time decides.
      .replaceAll(/(?<=^refused: .* N (?:s|min) ago \([^)]*,) run\n(?=\S)/gm, " run ")
      .replaceAll(
        /(?<=^refused: .* N (?:s|min) ago .*\))\s+and\s+the\s+outcome\s+is\s+not\s+/gm,
        " and the\noutcome is not ",
      )
      .replaceAll(/( written in )\d[^(]*(?= \(by )/g, "$1N s")
      .replaceAll(/( has caught up in )\d[\d.]* (?:ms|s|min|h)\b/g, "$1N s")
      // What took no time worth telling is told without it.
      .replaceAll(/(hh:mm:ssZ), \d+(\.\d+)? s$/gm, "$1")
      .replaceAll(/(?<=\| )\d+(?:\.\d)? s(?= \|)/g, "N s")
      .replaceAll(new RegExp(`\\b${played.version.replaceAll(".", "\\.")}(?![\\d.])`, "g"), "VERSION");
  return {
    of: stable,
    real: (command) => runs.names().reduce((text, run, at) => text.replaceAll(stableRun(at + 1), run), command),
  };
}

const stableRun = (number: number): string => `YYYY-MM-DDThh-mm-ssZ-run${number}`;

function numbered(): { of(name: string): number; names(): readonly string[] } {
  const known = new Map<string, number>();
  return {
    of(name) {
      const number = known.get(name) ?? known.size + 1;
      known.set(name, number);
      return number;
    },
    names: () => [...known.keys()],
  };
}
