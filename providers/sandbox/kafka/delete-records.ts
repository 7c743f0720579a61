import type { Api } from "./api.ts";
import * as errors from "./protocol-errors.ts";

const TO_THE_END = -1n;
const NONE = -1n;

export const deleteRecords: Api = {
  key: 21,
  name: "DeleteRecords",
  versions: [0, 1],
  topic(_, body) {
    return body.int32() > 0 ? body.string() : undefined;
  },
  handle({ body, broker, session, fault }, answer) {
    const topics = body.array(() => ({
      name: body.string(),
      partitions: body.array(() => ({ index: body.int32(), before: body.int64() })),
    }));
    answer.int32(0).array(topics, ({ name, partitions }) =>
      answer.string(name).array(partitions, ({ index, before }) => {
        const log = broker.state.topics.get(name)?.partitions[index];
        const error =
          fault === "deny" || !broker.allows(session.user, "write", name)
            ? errors.TOPIC_AUTHORIZATION_FAILED
            : log === undefined
              ? errors.UNKNOWN_TOPIC_OR_PARTITION
              : before > log.end
                ? errors.OFFSET_OUT_OF_RANGE
                : errors.NONE;
        if (error === errors.NONE) log?.deleteBefore(before === TO_THE_END ? log.end : before);
        answer
          .int32(index)
          .int64(error === errors.NONE && log !== undefined ? log.start : NONE)
          .int16(error);
      }),
    );
  },
};
