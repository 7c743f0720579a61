import type { OffsetEntry } from "../../../core/facts/offset.ts";
import type { Json } from "../../../core/values/json.ts";
import type { SandboxTask, TaskedConnector } from "../../../providers/sandbox/connect/task.ts";

/**
 * What the stand-in connector of the real workers stores (`providers/real/plugin/StandInTask.java`), commit by commit, so that one suite can look
 * at both: the first commit is the position as it was found, with the generation raised.
 */
export function standInTask({ config }: TaskedConnector): SandboxTask {
  const partition = { server: config["cdc.topic.prefix"] ?? "" };
  const step = BigInt(config["standin.step.scn"] ?? "10");
  let fields: Record<string, Json> = {};
  let polls = 0;
  const number = (field: string): bigint => BigInt(String(fields[field] ?? 0));
  const advanceTo = (scn: bigint): void => {
    fields = { ...fields, resume_scn: scn, resume_rs_id: redoAddress(scn), resume_ssn: 0n };
    const commit = scn - 5n;
    if (commit <= number("last_commit_scn")) return;
    fields = {
      ...fields,
      last_commit_scn: commit,
      last_commit_xid: `3:${commit % 16n}.${commit % 32n}.${commit % 65_536n}`,
      last_commit_thread: 1n,
      event_index: commit % 8n,
    };
  };
  return {
    start(stored: readonly OffsetEntry[]) {
      const mine = stored.find((entry) => entry.partition["server"] === partition.server)?.offset;
      fields = { ...(mine ?? initial(config)) };
      fields["journal_generation"] = number("journal_generation") + 1n;
    },
    tick() {
      if (polls++ > 0 && step !== 0n) advanceTo(number("resume_scn") + step);
      return [{ partition, offset: { ...fields } }];
    },
  };
}

const initial = (config: Readonly<Record<string, string>>): Record<string, Json> => ({
  v: 1n,
  resume_scn: BigInt(config["cdc.start.scn"] ?? "1000000"),
  last_commit_scn: 0n,
  last_commit_xid: "0:0.0.0",
  last_commit_thread: 0n,
  event_index: 0n,
  journal_generation: 0n,
  schema_epoch: 0n,
  dbid: BigInt(config["standin.dbid"] ?? "2873049183"),
  resetlogs_scn: BigInt(config["standin.resetlogs.scn"] ?? "1"),
  released_xids: config["standin.released.xids"] ?? null,
});

function redoAddress(scn: bigint): string {
  const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, "0");
  return `0x${hex((scn >> 32n) & 0xffffffn, 6)}.${hex(scn & 0xffffffffn, 8)}.0010`;
}
