import type { LegacyFacts } from "../../core/facts/legacy-facts.ts";
import type { Overlap, TakeoverProblem, TakeoverReading } from "../../core/legacy/takeover.ts";
import type { Instant } from "../../core/values/instant.ts";
import type { Scn } from "../../core/values/scn.ts";

/** What a takeover came to, for the views. */
export interface TakeoverReport {
  readonly facts: LegacyFacts;
  readonly reading: TakeoverReading;
  readonly target: { readonly file: string; readonly name: string | undefined };
  /** The configuration to create the new connector from, secrets masked; undefined when the takeover is refused. */
  readonly config: Readonly<Record<string, string>> | undefined;
  readonly leftToDo: readonly string[];
  /** The file that the configuration was written to. */
  readonly written: string | undefined;
}

/** `migrate takeover --format json` (`schemas/takeover.schema.json`). Printed with `printJson`. */
export interface TakeoverDocument {
  readonly apiVersion: "cdcctl/v1";
  readonly kind: "Takeover";
  readonly formatVersion: bigint;
  readonly outcome: "ready" | "refused";
  readonly connector: string;
  readonly state: string;
  readonly connect: { readonly url: string; readonly version: string; readonly clusterId: string };
  readonly database: Pick<
    LegacyFacts["database"],
    "name" | "address" | "dbid" | "resetlogsScn" | "currentScn" | "zone"
  >;
  readonly startScn: Scn | null;
  readonly startAt: Instant | null;
  readonly lastDelivered: Scn | null;
  readonly lastDeliveredAt: Instant | null;
  readonly overlap: Overlap | null;
  readonly partitions: readonly {
    readonly name: string;
    readonly of: "database" | "table";
    readonly scn: Scn;
    readonly scnAt: Instant | null;
    readonly commitScn: Scn | null;
    readonly commitAt: Instant | null;
    readonly leftOut: boolean;
  }[];
  readonly redo:
    | {
        readonly known: true;
        readonly from: Scn;
        readonly end: Scn;
        readonly complete: boolean;
        readonly probed: boolean;
        readonly faults: readonly { readonly code: string; readonly message: string }[];
        readonly firstAvailable: Scn | null;
      }
    | { readonly known: false; readonly why: string }
    | null;
  readonly problems: readonly TakeoverProblem[];
  readonly warnings: readonly string[];
  readonly leftToDo: readonly string[];
  /** The new connector's name; null where the target configuration says none. */
  readonly name: string | null;
  readonly config: Readonly<Record<string, string>> | null;
}

const FORMAT = 1n;

export function takeoverDocument({ facts, reading, target, config, leftToDo }: TakeoverReport): TakeoverDocument {
  const { legacy, worker, database } = facts;
  const { offsets, overlap, redo, problems, warnings } = reading;
  const at = timeIn(facts);
  return {
    apiVersion: "cdcctl/v1",
    kind: "Takeover",
    formatVersion: FORMAT,
    outcome: problems.length === 0 ? "ready" : "refused",
    connector: legacy.name,
    state: legacy.status.state,
    connect: { url: worker.url, version: worker.version, clusterId: worker.clusterId },
    database: {
      name: database.name,
      address: database.address,
      dbid: database.dbid,
      resetlogsScn: database.resetlogsScn,
      currentScn: database.currentScn,
      zone: database.zone,
    },
    startScn: offsets?.startScn ?? null,
    startAt: at(offsets?.startScn) ?? null,
    lastDelivered: offsets?.lastDelivered ?? null,
    lastDeliveredAt: at(offsets?.lastDelivered) ?? null,
    overlap: overlap ?? null,
    partitions: (offsets?.partitions ?? []).map(({ name, of, scn, commitScn, leftOut }) => ({
      name,
      of,
      scn,
      scnAt: at(scn) ?? null,
      commitScn: commitScn ?? null,
      commitAt: at(commitScn) ?? null,
      leftOut,
    })),
    redo: redoShown(redo),
    problems: problems.map(({ code, seen, remedies }) => ({ code, seen, remedies })),
    warnings,
    leftToDo,
    name: target.name ?? null,
    config: config ?? null,
  };
}

/** When an SCN was current, as far as the database knows. */
export function timeIn({ times }: LegacyFacts): (scn: Scn | undefined) => Instant | undefined {
  const known = new Map(times.known ? times.value.map(({ scn, at }) => [scn, at] as const) : []);
  return (scn) => (scn === undefined ? undefined : known.get(scn));
}

function redoShown(redo: TakeoverReading["redo"]): TakeoverDocument["redo"] {
  if (redo === undefined) return null;
  if (!redo.known) return { known: false, why: redo.why };
  const { from, end, complete, probed, faults, firstAvailable } = redo.value;
  return {
    known: true,
    from,
    end,
    complete,
    probed,
    faults: faults.map(({ code, message }) => ({ code, message })),
    firstAvailable: firstAvailable ?? null,
  };
}
