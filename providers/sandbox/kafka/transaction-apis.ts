import { type Api, NODE_ID } from "./api.ts";
import * as errors from "./protocol-errors.ts";

export const findCoordinator: Api = {
  key: 10,
  name: "FindCoordinator",
  versions: [0, 2],
  handle({ version, broker }, answer) {
    if (version >= 1) answer.int32(0);
    answer.int16(errors.NONE);
    if (version >= 1) answer.string(null);
    answer.int32(NODE_ID).string(broker.host).int32(broker.port);
  },
};

export const initProducerId: Api = {
  key: 22,
  name: "InitProducerId",
  versions: [0, 1],
  handle({ body, broker }, answer) {
    const { id, epoch } = broker.state.producer(body.nullableString());
    answer.int32(0).int16(errors.NONE).int64(id).int16(epoch);
  },
};

export const addPartitionsToTxn: Api = {
  key: 24,
  name: "AddPartitionsToTxn",
  versions: [0, 2],
  handle({ body, broker }, answer) {
    body.string();
    const producerId = body.int64();
    body.int16();
    const topics = body.array(() => ({ name: body.string(), partitions: body.array(() => body.int32()) }));
    answer.int32(0).array(topics, ({ name, partitions }) =>
      answer.string(name).array(partitions, (partition) => {
        const known = broker.state.topics.get(name)?.partitions[partition] !== undefined;
        const touched = known && broker.state.touch(producerId, name, partition);
        answer
          .int32(partition)
          .int16(
            touched ? errors.NONE : known ? errors.INVALID_PRODUCER_ID_MAPPING : errors.UNKNOWN_TOPIC_OR_PARTITION,
          );
      }),
    );
  },
};

export const endTxn: Api = {
  key: 26,
  name: "EndTxn",
  versions: [0, 2],
  handle({ body, broker }, answer) {
    body.string();
    const producerId = body.int64();
    body.int16();
    const ended = broker.state.endTransaction(producerId, body.boolean() ? "commit" : "abort");
    answer.int32(0).int16(ended ? errors.NONE : errors.INVALID_PRODUCER_ID_MAPPING);
  },
};
