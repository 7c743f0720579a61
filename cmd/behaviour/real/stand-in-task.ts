import type { OffsetEntry } from "../../../core/facts/offset/stored-offset.ts";
import { type Json, type JsonObject, parseJson, printJson } from "../../../core/values/json.ts";
import type { SandboxTask, TaskedConnector } from "../../../providers/sandbox/connect/task.ts";
import type { SandboxBroker } from "../../../providers/sandbox/kafka/broker.ts";
import { standInSignals } from "./stand-in-signals.ts";

/**
 * What the stand-in connector of the real workers stores (`providers/real/plugin/StandInTask.java`), commit by commit,
 * so that one suite can look at both: the first commit is the position as it was found, with the generation raised; and
 * signals are answered.
 */
export function standInTask(connector: TaskedConnector, broker: SandboxBroker): SandboxTask {
  const { config } = connector;
  const signals = standInSignals(connector, broker);
  const partition = { server: config["cdc.topic.prefix"] ?? "" };
  const step = BigInt(config["standin.step.scn"] ?? "10");
  let fields: Record<string, Json> = {};
  let polls = 0;
  let failure = "";
  const number = (field: string): bigint => BigInt(String(fields[field] ?? 0));
  const advanceTo = (scn: bigint): void => {
    fields = { ...fields, resume_scn: scn, resume_rs_id: redoAddress(scn), resume_ssn: 0n };
    const commit = scn - 5n;
    if (commit <= number("last_commit_scn")) return;
    const { start_floor_scn: _floor, start_open_scn: _open, start_open_xids: _xids, ...rest } = fields;
    fields = {
      ...rest,
      last_commit_scn: commit,
      last_commit_xid: `3:${commit % 16n}.${commit % 32n}.${commit % 65_536n}`,
      last_commit_thread: 1n,
      last_commit_rs_id: redoAddress(commit),
      last_commit_ssn: 0n,
      event_index: commit % 8n,
    };
  };
  return {
    start(stored: readonly OffsetEntry[]) {
      const mine = stored.find((entry) => entry.partition["server"] === partition.server)?.offset;
      fields = { ...(mine ?? initial(config)) };
      fields["journal_generation"] = number("journal_generation") + 1n;
      const below = BigInt(config["standin.fail.below.scn"] ?? "0");
      failure = below === 0n || number("resume_scn") < below ? (config["standin.fail.message"] ?? "") : "";
    },
    tick() {
      // The trace of a worker begins like this.
      if (failure !== "") throw new Error(`org.apache.kafka.connect.errors.ConnectException: ${failure}`);
      if (polls++ > 0 && step !== 0n) advanceTo(number("resume_scn") + step);
      if (signals !== undefined && fields["snapshot"] !== undefined) fields["snapshot"] = done(fields["snapshot"]);
      for (const { offset, answer } of signals?.handle(BigInt(String(fields["signal_offset"] ?? -1))) ?? []) {
        fields["signal_offset"] = offset;
        if (answer === undefined) continue;
        signals?.deliver(answer);
        if (answer.tables.length > 0) fields["snapshot"] = begun(fields["snapshot"], answer.tables);
      }
      return [{ partition, offset: { ...fields } }];
    },
  };
}

const initial = (config: Readonly<Record<string, string>>): Record<string, Json> => ({
  v: 1n,
  resume_scn: BigInt(config["cdc.start.scn"] ?? "1000000"),
  last_commit_scn: 0n,
  last_commit_xid: null,
  last_commit_thread: 0n,
  event_index: 0n,
  journal_generation: 0n,
  schema_epoch: 0n,
  dbid: BigInt(config["standin.dbid"] ?? "2873049183"),
  resetlogs_scn: BigInt(config["standin.resetlogs.scn"] ?? "1"),
  released_xids: config["standin.released.xids"] || null,
  start_floor_scn: BigInt(config["cdc.start.scn"] ?? "1000000"),
  start_open_scn: BigInt(config["cdc.start.scn"] ?? "1000000"),
  start_open_xids: "",
});

/** The offset's `snapshot`, with more tables to do. */
function begun(stored: Json | undefined, tables: readonly string[]): string {
  const progress = progressOf(stored ?? '{"v":1}');
  const more = Object.fromEntries(tables.map((table) => [table, { done: false, frontier: [] }]));
  return printJson({ ...progress, complete: false, scope: tables, tables: { ...progress.tables, ...more } }, 0);
}

function done(stored: Json): string {
  const progress = progressOf(stored);
  const tables = Object.entries(progress.tables).map(([table, one]) => [table, { ...one, done: true }]);
  return printJson({ ...progress, complete: true, tables: Object.fromEntries(tables) as JsonObject }, 0);
}

function progressOf(stored: Json): JsonObject & { readonly tables: Readonly<Record<string, JsonObject>> } {
  const progress = parseJson(String(stored)) as JsonObject;
  return { ...progress, tables: (progress["tables"] ?? {}) as Readonly<Record<string, JsonObject>> };
}

function redoAddress(scn: bigint): string {
  const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, "0");
  return `0x${hex((scn >> 32n) & 0xffffffn, 6)}.${hex(scn & 0xffffffffn, 8)}.0010`;
}
