import { type WireReader, WireWriter } from "../../kafka/wire.ts";
import type { Api, ApiRequest } from "./api.ts";
import * as errors from "./protocol-errors.ts";

/** A consumer group of the classic protocol, as its coordinator stores it. */
export interface SandboxGroup {
  /** `Stable`, `Empty`, `PreparingRebalance`, … */
  readonly state: string;
  /** Default: `consumer`; `connect` for Connect's workers. */
  readonly protocol?: string;
  /** Topics that each member is assigned to. */
  readonly members?: readonly (readonly string[])[];
  /** Next offset of partition 0 to read, by topic. */
  readonly committed?: Readonly<Record<string, bigint>>;
}

export const listGroups: Api = {
  key: 16,
  name: "ListGroups",
  versions: [0, 2],
  handle({ version, broker, session }, answer) {
    if (version >= 1) answer.int32(0);
    const all = broker.allows(session.user, "describe-cluster", "");
    const seen = [...broker.state.groups].filter(
      ([name]) => all || broker.allows(session.user, "describe-group", name),
    );
    answer.int16(errors.NONE).array(seen, ([name, { protocol }]) => answer.string(name).string(protocol ?? "consumer"));
  },
};

export const describeGroups: Api = {
  key: 15,
  name: "DescribeGroups",
  versions: [0, 2],
  handle({ version, body, broker, session, fault }, answer) {
    const names = body.array(() => body.string());
    if (version >= 1) answer.int32(0);
    answer.array(names, (name) => {
      const group = broker.state.groups.get(name);
      const denied = fault === "deny" || !broker.allows(session.user, "describe-group", name);
      // A group that does not exist is dead, which is not an error in these versions.
      const shown = denied || group === undefined ? { state: denied ? "" : "Dead", protocol: "" } : group;
      answer
        .int16(denied ? errors.GROUP_AUTHORIZATION_FAILED : errors.NONE)
        .string(name)
        .string(shown.state)
        .string(shown.protocol ?? "consumer")
        .string("range");
      // Only a stable group reports the assignments of its members.
      answer.array(denied ? [] : (group?.members ?? []), (topics) =>
        answer
          .string(`${name}-member`)
          .string(name)
          .string("/127.0.0.1")
          .nullableBytes(Buffer.alloc(0))
          .nullableBytes(shown.state === "Stable" ? assignment(topics) : Buffer.alloc(0)),
      );
    });
  },
};

function assignment(topics: readonly string[]): Buffer {
  const writer = new WireWriter().int16(0);
  writer.array(topics, (topic) => writer.string(topic).array([0], (partition) => writer.int32(partition)));
  return writer.nullableBytes(null).toBuffer();
}

export const offsetFetch: Api = {
  key: 9,
  name: "OffsetFetch",
  versions: [1, 3],
  handle({ version, body, broker, session, fault }: ApiRequest, answer) {
    const name = body.string();
    const asked = askedTopics(body);
    const committed = Object.entries(broker.state.groups.get(name)?.committed ?? {});
    const denied = fault === "deny" || !broker.allows(session.user, "describe-group", name);
    const offsets = new Map(committed.filter(([topic]) => broker.allows(session.user, "describe", topic)));
    if (version >= 3) answer.int32(0);
    answer.array(denied ? [] : (asked ?? [...offsets.keys()].map((topic) => ({ topic, partitions: [0] }))), (one) =>
      answer.string(one.topic).array(one.partitions, (partition) =>
        answer
          .int32(partition)
          .int64(partition === 0 ? (offsets.get(one.topic) ?? -1n) : -1n)
          .string("")
          .int16(errors.NONE),
      ),
    );
    if (version >= 2) answer.int16(denied ? errors.GROUP_AUTHORIZATION_FAILED : errors.NONE);
  },
};

function askedTopics(body: WireReader) {
  return body.nullableArray(() => ({ topic: body.string(), partitions: body.array(() => body.int32()) }));
}
