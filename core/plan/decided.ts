import type { Intent } from "../document/intent.ts";
import type { JsonObject } from "../values/json.ts";
import type { Scn } from "../values/scn.ts";

/** What a reviewer decides on, whatever the kind of change: nothing that moves while connectors run. */
export interface DecidedBase {
  /** Of a migration the new one. */
  readonly connector: string;
  readonly cluster: string;
  readonly database: { readonly dbid: bigint; readonly resetlogsScn: Scn };
  readonly metadata: { readonly name: string; readonly reason: string; readonly ticket: string | undefined };
  readonly opsFormat: string | undefined;
  readonly accept: readonly string[];
  /** Journaled transactions whose records are removed before the move; omitted if none is requested. */
  readonly removedTransactions?: readonly string[];
  /** The connector's, secrets masked. */
  readonly configuration: Readonly<Record<string, string>>;
}

/** The decision about a change of one connector, its stored offset among it. */
export interface ConnectorDecided extends DecidedBase {
  readonly scn: Scn | undefined;
  readonly direction: string | undefined;
  readonly restore: JsonObject | undefined;
  readonly resume: boolean;
  readonly removeTableSchemas?: true;
  /** The tables whose layouts are removed. */
  readonly removedSchemas?: readonly string[];
}

/** What every kind's decision repeats of its intent. */
export function repeated({
  metadata: { name, reason, ticket },
  accept,
}: Intent): Pick<DecidedBase, "metadata" | "accept"> {
  return { metadata: { name, reason, ticket }, accept: [...accept].sort() };
}
