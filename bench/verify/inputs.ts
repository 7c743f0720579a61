import type { TableInputs } from "../../core/verification/engine/inputs.ts";
import { COLUMNS, rowOf, type Topics } from "./data.ts";
import { recordsOf } from "./read-file.ts";

/** The command reads as many at once. */
const ROWS = 500;

/** The inputs of a verification: the generated files, with this many passes. */
export interface Generated {
  readonly folder: string;
  readonly template: number;
  readonly passes: number;
  readonly topics?: Topics;
}

export function generatedInputs({ folder, template, passes, topics = "flat" }: Generated): TableInputs {
  const format = { decimals: "precise", temporals: "adaptive", placeholder: "__cdc_unavailable_value" } as const;
  const partition = (file: string, at: number, records: number) => ({
    partition: at,
    from: 0n,
    to: BigInt(records * passes),
    read: (from: bigint, to = BigInt(records * passes)) => recordsOf(folder, file, at, Number(from), Number(to)),
  });
  const half = Math.ceil(template / 2);
  const partitions = (topic: string, each: number) => [
    partition(`${topic}-0`, 0, half * each),
    partition(`${topic}-1`, 1, (template - half) * each),
  ];
  const own = { table: { container: "ORCLPDB1", owner: "SALES", name: "ORDERS" }, inPdb: true };
  const isKept = topics === "kept";
  const ofNew = {
    ...{ topic: isKept ? "kept" : "orders", format, compacted: false },
    own: { ...own, ...(isKept ? { connector: "oracle-cdc" as const } : {}) },
    partitions: isKept ? partitions("kept", 3) : topics === "debezium" ? [] : partitions("new", 2),
  };
  const ofDebezium = {
    ...{ topic: isKept ? "kept" : "legacy", compacted: false, own: { ...own, connector: "oracle" as const } },
    format: { ...format, debezium: { times: "adaptive", binaries: "base64", lobs: false } as const },
    partitions: isKept ? ofNew.partitions : partitions("legacy", topics === "debezium" ? 3 : 1),
  };
  const flat = { topic: "legacy", format, compacted: false, partitions: [partition("legacy-0", 0, template)] };
  return {
    table: "ORCLPDB1.SALES.ORDERS",
    shape: { key: [COLUMNS[0]], columns: COLUMNS },
    checkScn: 10n ** 12n,
    startScn: 2_200_000n,
    rows: {
      expected: template * passes,
      ranges: async () => [`0 ${half}`, `${half} ${template}`],
      read: (range) => rowsBetween(range, passes),
    },
    newTopic: ofNew,
    legacyTopic: topics === "flat" ? flat : ofDebezium,
  };
}

/** @param range the first row, and the one after the last */
async function* rowsBetween(range: string, passes: number) {
  const [from = 0, to = 0] = range.split(" ").map(Number);
  for (let pass = 0; pass < passes; pass++)
    for (let n = from; n < to; n += ROWS)
      yield Array.from({ length: Math.min(ROWS, to - n) }, (_, at) => rowOf(pass, n + at));
}
