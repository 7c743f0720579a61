import { recordBatches, recordsOf, UnreadableBatch } from "../../kafka/record-batch.ts";
import type { Api, ApiRequest } from "./api.ts";
import type { Topic } from "./broker-state.ts";
import * as errors from "./protocol-errors.ts";

const NONE = -1n;

export const produce: Api = {
  key: 0,
  name: "Produce",
  versions: [3, 8],
  topic(_, body) {
    body.nullableString();
    body.int16();
    body.int32();
    return body.int32() > 0 ? body.string() : undefined;
  },
  async handle(request, answer) {
    const { body, version } = request;
    body.nullableString();
    body.int16();
    body.int32();
    const topics = body.array(() => ({
      name: body.string(),
      partitions: body.array(() => ({ index: body.int32(), records: body.nullableBytes() ?? Buffer.alloc(0) })),
    }));
    const outcomes = await Promise.all(
      topics.map(async ({ name, partitions }) => ({
        name,
        partitions: await Promise.all(
          partitions.map(async ({ index, records }) => {
            const { fault } = request;
            const answered = typeof fault === "object" ? fault : undefined;
            const error = answered?.produce ?? (await refusal(request, name, index, records));
            const written = answered?.written ?? error === errors.NONE;
            const offset = written ? request.broker.state.append(name, index, records) : NONE;
            return { index, error, offset: error === errors.NONE ? offset : NONE };
          }),
        ),
      })),
    );
    answer.array(outcomes, ({ name, partitions }) =>
      answer.string(name).array(partitions, ({ index, error, offset }) => {
        answer.int32(index).int16(error).int64(offset).int64(NONE);
        if (version >= 5) answer.int64(0n);
        if (version >= 8) answer.array([], () => undefined).string(null);
      }),
    );
    answer.int32(0);
  },
};

async function refusal(request: ApiRequest, name: string, index: number, records: Buffer): Promise<number> {
  const { broker, session, fault } = request;
  if (fault === "deny" || !broker.allows(session.user, "write", name)) return errors.TOPIC_AUTHORIZATION_FAILED;
  if (fault === "not-enough-replicas") return errors.NOT_ENOUGH_REPLICAS;
  const topic = broker.state.topics.get(name);
  if (topic?.partitions[index] === undefined) return errors.UNKNOWN_TOPIC_OR_PARTITION;
  if (records.length > Number(topic.configs["max.message.bytes"])) return errors.MESSAGE_TOO_LARGE;
  if (Number(topic.configs["min.insync.replicas"]) > topic.inSync) return errors.NOT_ENOUGH_REPLICAS;
  return checkRecords(topic, records, BigInt(broker.state.now()));
}

async function checkRecords({ configs }: Topic, bytes: Buffer, now: bigint): Promise<number> {
  const limit = (name: string) => BigInt(configs[`message.timestamp.${name}.max.ms`] ?? -1);
  const isDated = configs["message.timestamp.type"] === "CreateTime";
  try {
    for (const batch of recordBatches(bytes)) {
      const records = await recordsOf(batch);
      if (
        isDated &&
        records.some(({ timestamp }) => now - timestamp > limit("before") || timestamp - now > limit("after"))
      )
        return errors.INVALID_TIMESTAMP;
      if (configs["cleanup.policy"]?.includes("compact") && records.some((record) => record.key === null))
        return errors.INVALID_RECORD;
    }
    return errors.NONE;
  } catch (error) {
    if (error instanceof UnreadableBatch) return errors.CORRUPT_MESSAGE;
    throw error;
  }
}

export const fetch: Api = {
  key: 1,
  name: "Fetch",
  versions: [4, 11],
  topic(version, body) {
    body.take(version >= 7 ? 25 : 17);
    return body.int32() > 0 ? body.string() : undefined;
  },
  async handle({ body, version, broker, session, fault }, answer) {
    body.int32();
    const maxWait = body.int32();
    const minBytes = body.int32();
    const maxBytes = body.int32();
    const committedOnly = body.int8() === 1;
    if (version >= 7) body.int64();
    const topics = body.array(() => ({
      name: body.string(),
      partitions: body.array(() => {
        const index = body.int32();
        if (version >= 9) body.int32();
        const from = body.int64();
        if (version >= 5) body.int64();
        return { index, from, maxBytes: body.int32() };
      }),
    }));

    const look = () => {
      let room = maxBytes;
      return topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map((wanted) => {
          const log = broker.state.topics.get(name)?.partitions[wanted.index];
          const error =
            fault === "deny" || !broker.allows(session.user, "read", name)
              ? errors.TOPIC_AUTHORIZATION_FAILED
              : log === undefined
                ? errors.UNKNOWN_TOPIC_OR_PARTITION
                : wanted.from < log.start || wanted.from > log.end
                  ? errors.OFFSET_OUT_OF_RANGE
                  : errors.NONE;
          const part =
            log === undefined || error !== errors.NONE || room <= 0
              ? { bytes: Buffer.alloc(0), aborted: [] }
              : log.fetch(wanted.from, Math.min(wanted.maxBytes, room), committedOnly);
          room -= part.bytes.length;
          return { index: wanted.index, error, log, ...part };
        }),
      }));
    };
    const size = (found: ReturnType<typeof look>) =>
      found.flatMap((topic) => topic.partitions).reduce((sum, part) => sum + part.bytes.length, 0);
    const failed = (found: ReturnType<typeof look>) =>
      found.some((topic) => topic.partitions.some((part) => part.error !== errors.NONE));

    const deadline = Date.now() + maxWait;
    let found = look();
    while (size(found) < minBytes && !failed(found) && Date.now() < deadline) {
      await broker.state.changed(deadline - Date.now());
      found = look();
    }

    answer.int32(0);
    if (version >= 7) answer.int16(errors.NONE).int32(0);
    answer.array(found, ({ name, partitions }) =>
      answer.string(name).array(partitions, (part) => {
        answer
          .int32(part.index)
          .int16(part.error)
          .int64(part.log?.end ?? NONE)
          .int64(part.log?.stable ?? NONE);
        if (version >= 5) answer.int64(part.log?.start ?? NONE);
        answer.array(part.aborted, (one) => answer.int64(one.producerId).int64(one.firstOffset));
        if (version >= 11) answer.int32(-1);
        answer.nullableBytes(part.bytes);
      }),
    );
  },
};

const LATEST = -1n;
const EARLIEST = -2n;

export const listOffsets: Api = {
  key: 2,
  name: "ListOffsets",
  versions: [1, 5],
  topic(version, body) {
    body.take(version >= 2 ? 5 : 4);
    return body.int32() > 0 ? body.string() : undefined;
  },
  handle({ body, version, broker, session, fault }, answer) {
    body.int32();
    const committedOnly = version >= 2 && body.int8() === 1;
    const topics = body.array(() => ({
      name: body.string(),
      partitions: body.array(() => {
        const index = body.int32();
        if (version >= 4) body.int32();
        return { index, timestamp: body.int64() };
      }),
    }));
    if (version >= 2) answer.int32(0);
    answer.array(topics, ({ name, partitions }) =>
      answer.string(name).array(partitions, ({ index, timestamp }) => {
        const log = broker.state.topics.get(name)?.partitions[index];
        const error =
          fault === "deny" || !broker.allows(session.user, "describe", name)
            ? errors.TOPIC_AUTHORIZATION_FAILED
            : log === undefined
              ? errors.UNKNOWN_TOPIC_OR_PARTITION
              : errors.NONE;
        const place =
          log === undefined || error !== errors.NONE
            ? undefined
            : timestamp === EARLIEST
              ? { offset: log.start, timestamp: NONE }
              : timestamp === LATEST
                ? { offset: committedOnly ? log.stable : log.end, timestamp: NONE }
                : log.offsetAt(timestamp);
        answer
          .int32(index)
          .int16(error)
          .int64(place?.timestamp ?? NONE)
          .int64(place?.offset ?? NONE);
        if (version >= 4) answer.int32(-1);
      }),
    );
  },
};
