import type { Ended } from "./machine.ts";

/** What the commands of a suite said, in order, without what differs from one run to the next. */
export interface Transcript {
  readonly lines: readonly string[];
  hear(args: readonly string[], ended: Ended): void;
}

export function transcript(): Transcript {
  const lines: string[] = [];
  return {
    lines,
    hear(args, { code, stdout, stderr }) {
      lines.push(...[`$ cdcctl ${args.join(" ")}`, stdout, stderr, `exit ${code ?? "by a signal"}`].map(plain));
    },
  };
}

/** Said or not by how fast a worker is; tests of their own hold it against a task that hangs. */
const BY_CHANCE = /^(the stop took as long as|the offsets? changed after the stop).*\n/gm;

function plain(text: string): string {
  return (
    text
      .replace(BY_CHANCE, "")
      .replace(/srcdb-cdc-admin-[0-9a-f-]{36}/g, "SIGNAL")
      .replace(/Kafka cluster \S+/g, "Kafka cluster ID")
      .replace(/\/\S+\/machine-\w+/g, "HOME")
      .replace(/sha256:\S+/g, "DIGEST")
      .replace(/127\.0\.0\.1:\d+/g, "HOST")
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d[:-]\d\d(\.\d+)?Z?(-[0-9a-f]{4})?/g, "TIME")
      .replace(/0x[0-9a-f]{6}\.[0-9a-f]{8}\.[0-9a-f]{4}/g, "REDO")
      .replace(/\d+(\.\d+)*( (ms|s|min|h))?/g, "N")
      .replace(/N( N)+/g, "N")
      // How long a bar of the timeline is, and whether its marks are too close, hangs on the SCNs.
      .replace(/([=~x-])\1+/g, "$1")
      .replaceAll("close marks drawn apart", "")
      // Where a line is broken hangs on the numbers in it.
      .replace(/\s+/g, "")
  );
}
