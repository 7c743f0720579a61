import type { OffsetEntry } from "../../facts/offset/stored-offset.ts";
import type { ChangeAnswer } from "../../ports/answers.ts";
import type { JsonObject } from "../../values/json.ts";
import { CURRENT_SCN } from "./story.ts";

export interface MemoryConnector {
  config: Readonly<Record<string, string>>;
  state: "RUNNING" | "STOPPED" | "PAUSED";
  /** It was created a moment ago: its task has not begun. */
  starting?: boolean;
  /** Its task has failed, whenever it runs. */
  fails?: boolean;
}

export const LEGACY_CLASS = "io.confluent.connect.oracle.cdc.OracleCdcSourceConnector";

/** The connectors of a cluster and what is stored under their names: offsets outlive their connector. */
export interface MemoryConnectors {
  readonly all: Map<string, MemoryConnector>;
  readonly offsets: Map<string, readonly OffsetEntry[]>;
  /** A POST of a worker of that release. */
  create(
    name: string,
    config: Readonly<Record<string, string>>,
    initialState: "STOPPED" | undefined,
    knowsInitialState: boolean,
  ): ChangeAnswer;
  deleteOffsets(name: string): ChangeAnswer;
  remove(name: string): ChangeAnswer;
  /** The task of a running connector commits a little further; of the legacy class in each of its partitions. */
  commit(name: string): void;
  /** What a task remembers ends with it. */
  ended(name: string): void;
}

const applied = (message: string): ChangeAnswer => ({ answer: "applied", message });
const rejected = (status: number, message: string): ChangeAnswer => ({ answer: "rejected", status, message });

export function memoryConnectors(): MemoryConnectors {
  const all = new Map<string, MemoryConnector>();
  const offsets = new Map<string, readonly OffsetEntry[]>();
  const generations = new Map<string, bigint>();

  const further = (name: string, config: Readonly<Record<string, string>>): readonly OffsetEntry[] => {
    const stored = offsets.get(name) ?? [];
    if (config["connector.class"] === LEGACY_CLASS) return stored.map(legacyFurther);
    const [entry] = stored;
    const from: JsonObject = entry?.offset ?? {
      v: 1n,
      resume_scn: BigInt(config["cdc.start.scn"] ?? CURRENT_SCN),
      dbid: 2914731n,
      resetlogs_scn: 1n,
    };
    const generation = generations.get(name) ?? BigInt(String(from["journal_generation"] ?? 0n)) + 1n;
    generations.set(name, generation);
    const resumeScn = BigInt(String(from["resume_scn"])) + 1n;
    const partition = entry?.partition ?? { server: config["cdc.topic.prefix"] ?? "orders" };
    return [{ partition, offset: { ...from, resume_scn: resumeScn, journal_generation: generation } }];
  };

  return {
    all,
    offsets,
    create(name, config, initialState, knowsInitialState) {
      if (initialState !== undefined && !knowsInitialState) return rejected(500, 'Unrecognized field "initial_state"');
      if (all.has(name)) return rejected(409, `Connector ${name} already exists`);
      all.set(name, { config: { ...config, name }, state: initialState ?? "RUNNING" });
      return applied("created");
    },
    deleteOffsets(name) {
      const connector = all.get(name);
      if (connector === undefined) return rejected(404, `Connector ${name} not found`);
      if (connector.state !== "STOPPED") return rejected(400, "Connectors must be in the STOPPED state");
      offsets.delete(name);
      return applied("The offsets for this connector have been reset successfully");
    },
    remove(name) {
      generations.delete(name);
      return all.delete(name) ? applied("deleted") : rejected(404, `Connector ${name} not found`);
    },
    commit(name) {
      const connector = all.get(name);
      if (connector?.state === "RUNNING" && connector.fails !== true && connector.starting !== true)
        offsets.set(name, further(name, connector.config));
    },
    ended: (name) => void generations.delete(name),
  };
}

/** The SCN as text, as the legacy connector stores it. */
function legacyFurther(entry: OffsetEntry): OffsetEntry {
  const scn = entry.offset?.["scn"];
  return entry.offset === null || scn === undefined
    ? entry
    : { ...entry, offset: { ...entry.offset, scn: String(BigInt(String(scn)) + 1n) } };
}
