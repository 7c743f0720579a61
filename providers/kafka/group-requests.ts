import type { BrokerConnection } from "./broker-connection.ts";
import { BrokerRefused, tooOld } from "./kafka-failure.ts";
import { WireReader, WireWriter } from "./wire.ts";

export interface ListedGroup {
  readonly group: string;
  /** `consumer`, `connect`, …; empty for one that only commits offsets. */
  readonly protocol: string;
  /** `classic`, `consumer` (KIP-848), `share`, `streams`; `classic` where the broker knows no others. */
  readonly type: string;
}

export interface DescribedGroup {
  readonly error: number;
  readonly group: string;
  readonly state: string;
  /**
   * Topics that each member is assigned to; undefined for a member whose assignment the broker does not report or that
   * can't be read.
   */
  readonly members: readonly (readonly string[] | undefined)[];
}

const LIST_GROUPS = 16;
const DESCRIBE_GROUPS = 15;
const CONSUMER_GROUP_DESCRIBE = 69;
const OFFSET_FETCH = 9;

/** The first version that reports a group's type (Kafka 3.7). Versions from 3 on use the compact forms. */
const VERSION_WITH_TYPES = 5;

/** The groups that one broker coordinates, as far as this login may see them. */
export function listGroups(session: BrokerConnection): Promise<readonly ListedGroup[]> {
  const typed = session.highest(LIST_GROUPS) >= VERSION_WITH_TYPES;
  const version = typed ? VERSION_WITH_TYPES : Math.min(session.highest(LIST_GROUPS), 2);
  if (version < 1) throw tooOld(session.address);
  return session.send({
    apiKey: LIST_GROUPS,
    apiName: "ListGroups",
    version,
    encode: () =>
      typed
        ? // The end of the header, no filter of states, none of types.
          new WireWriter().tags().uvarint(1).uvarint(1).tags().toBuffer()
        : Buffer.alloc(0),
    decode(body) {
      if (typed) body.tags();
      body.int32();
      const error = body.int16();
      if (error !== 0) throw new BrokerRefused(error);
      if (!typed)
        return body.array(() => ({ group: body.string(), protocol: body.string(), type: "classic" }) as const);
      return body.compactArray(() => {
        const [group, protocol] = [body.compactString(), body.compactString()];
        body.compactString();
        const type = body.compactString();
        body.tags();
        return { group, protocol, type };
      });
    },
  });
}

/** Groups of the classic protocol, at the broker that coordinates them. */
export function describeGroups(
  session: BrokerConnection,
  groups: readonly string[],
): Promise<readonly DescribedGroup[]> {
  const version = Math.min(session.highest(DESCRIBE_GROUPS), 2);
  if (version < 1) throw tooOld(session.address);
  return session.send({
    apiKey: DESCRIBE_GROUPS,
    apiName: "DescribeGroups",
    version,
    encode() {
      const writer = new WireWriter();
      return writer.array(groups, (group) => writer.string(group)).toBuffer();
    },
    decode(body) {
      body.int32();
      return body.array(() => {
        const [error, group, state] = [body.int16(), body.string(), body.string()];
        body.string();
        body.string();
        const members = body.array(() => {
          for (let skipped = 0; skipped < 3; skipped++) body.nullableString();
          body.nullableBytes();
          return assignedTopics(body.nullableBytes(), state);
        });
        return { error, group, state, members };
      });
    },
  });
}

/**
 * Reads an assignment in the clients' own form (`ConsumerProtocolAssignment`): version, topics with their partitions,
 * user data. Only a stable group reports it; in a stable group, some clients give an empty one to a member for which no
 * partition was left.
 */
function assignedTopics(assignment: Buffer | null, state: string): readonly string[] | undefined {
  if (assignment === null || assignment.length === 0) return state === "Stable" ? [] : undefined;
  try {
    const reader = new WireReader(assignment);
    reader.int16();
    return reader.array(() => {
      const topic = reader.string();
      reader.array(() => reader.int32());
      return topic;
    });
  } catch {
    return undefined;
  }
}

/** Groups of the protocol of KIP-848, which DescribeGroups does not know, at the broker that coordinates them. */
export function describeConsumerGroups(
  session: BrokerConnection,
  groups: readonly string[],
): Promise<readonly DescribedGroup[]> {
  if (session.highest(CONSUMER_GROUP_DESCRIBE) < 0) throw tooOld(session.address);
  return session.send({
    apiKey: CONSUMER_GROUP_DESCRIBE,
    apiName: "ConsumerGroupDescribe",
    version: 0,
    encode() {
      const writer = new WireWriter().tags();
      return writer
        .compactArray(groups, (group) => writer.compactString(group))
        .boolean(false)
        .tags()
        .toBuffer();
    },
    decode(body) {
      body.tags();
      body.int32();
      return body.compactArray(() => {
        const error = body.int16();
        body.compactNullableString();
        const [group, state] = [body.compactString(), body.compactString()];
        body.int32();
        body.int32();
        body.compactString();
        const members = body.compactArray(() => consumerMember(body));
        body.int32();
        body.tags();
        return { error, group, state, members };
      });
    },
  });
}

/** Returns the topics that a member reads now, and those assigned to it next. */
function consumerMember(body: WireReader): readonly string[] {
  for (let skipped = 0; skipped < 3; skipped++) body.compactNullableString();
  body.int32();
  body.compactString();
  body.compactString();
  body.compactArray(() => body.compactString());
  body.compactNullableString();
  const topics = [...assignment(body), ...assignment(body)];
  body.tags();
  return topics;
}

function assignment(body: WireReader): readonly string[] {
  const topics = body.compactArray(() => {
    body.take(16);
    const topic = body.compactString();
    body.compactArray(() => body.int32());
    body.tags();
    return topic;
  });
  body.tags();
  return topics;
}

/** Topics for which a group has committed an offset, as far as this login may describe them. */
export function committedTopics(session: BrokerConnection, group: string): Promise<readonly string[]> {
  const version = Math.min(session.highest(OFFSET_FETCH), 3);
  if (version < 2) throw tooOld(session.address);
  return session.send({
    apiKey: OFFSET_FETCH,
    apiName: "OffsetFetch",
    version,
    encode: () =>
      new WireWriter()
        .string(group)
        .array<never>(null, () => undefined)
        .toBuffer(),
    decode(body) {
      if (version >= 3) body.int32();
      const topics = body.array(() => {
        const topic = body.string();
        const offsets = body.array(() => {
          body.int32();
          const offset = body.int64();
          body.nullableString();
          body.int16();
          return offset;
        });
        return offsets.some((offset) => offset >= 0n) ? [topic] : [];
      });
      const error = body.int16();
      if (error !== 0) throw new BrokerRefused(error);
      return topics.flat();
    },
  });
}
