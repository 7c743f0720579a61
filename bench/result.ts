/** One measurement and its peer. */
export interface Result {
  readonly what: string;
  /** Size of the input: rows, logs, runs. */
  readonly input: string;
  readonly measured: string;
  /** Measured in the same run. */
  readonly peer?: string;
  readonly ratio?: string;
  readonly bar?: { readonly text: string; readonly holds: boolean };
}

const COLUMNS = ["what", "input", "measured", "peer", "ratio", "bar"] as const;

/** Prints a table whose last column shows whether the bar holds. */
export function printResults(results: readonly Result[]): string {
  const rows = [
    [...COLUMNS, ""],
    ...results.map((result) => [
      ...COLUMNS.map((column) => (column === "bar" ? (result.bar?.text ?? "") : (result[column] ?? ""))),
      result.bar === undefined ? "" : result.bar.holds ? "holds" : "MISSED",
    ]),
  ];
  const widths = rows.reduce<readonly number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  );
  return rows
    .map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}
