import type { Intent, IntentOf, Kind } from "../document/intent.ts";
import { decodeOffset } from "../facts/offset/stored-offset.ts";
import { digestOf } from "../values/digest.ts";
import type { MigrationDecided } from "./migration-plan.ts";
import type { Decided } from "./plan.ts";

/** Members of a decision that the intent alone decides, whatever is seen in the world. */
export type DecidedByIntent = Partial<Decided> | Partial<MigrationDecided>;

/** What an intent decides by itself; what depends on the world is decided when it is planned. */
export function decidedByIntent(intent: Intent): DecidedByIntent {
  const of = OF[intent.kind] as (intent: Intent) => DecidedByIntent;
  return of(intent);
}

const OF: { readonly [K in Kind]: (intent: IntentOf<K>) => DecidedByIntent } = {
  OffsetChange(intent) {
    const { kind, position, target, allowSkip, forgetReleased, resume, opsFormat } = intent;
    const scn =
      position.to === "scn" ? position.scn : position.to === "restore" ? resumeScnOf(position.offset) : undefined;
    return {
      kind,
      connector: target.connector,
      ...(scn === undefined ? {} : { scn }),
      restore: position.to === "restore" ? position.offset : undefined,
      ...said(intent),
      allowSkip,
      forgetReleased,
      resume,
      opsFormat,
    };
  },
  Resnapshot(intent) {
    const { kind, target, skipGapForUnlistedTables, waitForTransactions, waitForAck, resume, opsFormat } = intent;
    return {
      kind,
      connector: target.connector,
      ...said(intent),
      skipGapForUnlistedTables,
      waitForTransactions,
      waitForAck,
      resume,
      opsFormat,
    };
  },
  Migration(intent) {
    const { kind, phase, from, to, verify, evidence, opsFormat } = intent;
    const isMove = phase === "cutover" || phase === "rollback";
    return {
      kind,
      phase,
      legacy: from.connector,
      connector: to.name,
      ...said(intent),
      ...(isMove ? { leaveOut: [...from.leaveOut].sort() } : {}),
      ...(phase === "verify" && verify !== undefined ? { verify: digestOf(verify) } : {}),
      ...(phase === "verify" ? { evidence } : {}),
      opsFormat,
    };
  },
};

/** What every kind's decision repeats. */
function said({ metadata: { name, reason, ticket }, accept }: Intent): Pick<Decided, "metadata" | "accept"> {
  return { metadata: { name, reason, ticket }, accept: [...accept].sort() };
}

/** Settings that an intent names itself: those of the new connector, of a cutover. */
export function settingsOfIntent(intent: Intent): Readonly<Record<string, string>> {
  if (intent.kind !== "Migration" || intent.phase !== "cutover") return {};
  const { topicPrefix, config } = intent.to;
  return { ...config, "cdc.topic.prefix": topicPrefix ?? intent.from.connector };
}

function resumeScnOf(offset: Parameters<typeof decodeOffset>[0]): bigint | undefined {
  const decoded = decodeOffset(offset);
  return decoded.ok ? decoded.offset.resumeScn : undefined;
}
