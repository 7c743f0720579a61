import type { Ended } from "./machine.ts";

/** The output of a suite's commands, in order, without what differs between runs. */
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

/** Printed or not depending on the speed of a worker; separate tests check it with a hung task. */
const BY_CHANCE = /^(the stop took as long as|the offsets? changed after the stop).*\n/gm;

function plain(text: string): string {
  return (
    text
      .replace(BY_CHANCE, "")
      .replace(/srcdb-cdc-admin-[0-9a-f-]{36}/g, "SIGNAL")
      .replace(/Kafka (cluster )?[\w-]{22}/g, "Kafka ID")
      .replace(/\/\S+\/machine-\w+/g, "HOME")
      .replace(/sha256:\S+/g, "DIGEST")
      .replace(/127\.0\.0\.1:\d+/g, "HOST")
      .replace(/\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d[:-]\d\d(\.\d+)?Z?(-[0-9a-f]{4})?/g, "TIME")
      .replace(/0x[0-9a-f]{6}\.[0-9a-f]{8}\.[0-9a-f]{4}/g, "REDO")
      .replace(/\d+(\.\d+)*( (ms|s|min|h))?/g, "N")
      .replace(/N( N)+/g, "N")
      // The length of a timeline bar, and whether its marks are too close, depend on the SCNs.
      .replace(/([=~x-])\1+/g, "$1")
      .replaceAll("adjacent marks spread out", "")
      // Line breaks depend on the numbers in a line, and in a table which line its last cell follows.
      .replace(/ +unchanged$/gm, "")
      .replace(/\s+/g, "")
  );
}
