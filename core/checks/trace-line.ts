const LONGEST = 300;

/** The first line of a trace, which names the error, as the end of a sentence; nothing where there is none. */
export function traceLine(trace: string | undefined): string {
  const line = trace?.split("\n", 1)[0]?.slice(0, LONGEST);
  return line === undefined || line === "" ? "" : `: ${line}`;
}
