import { CallFailed } from "../../core/errors.ts";
import type { ChangeAnswer } from "../../core/ports/answers.ts";
import { type BrokerCluster, retrying } from "./broker-cluster.ts";
import type { BrokerConnection, OwnRequest } from "./broker-connection.ts";
import { errorName, failureKind, MOVED, UNKNOWN_TOPIC_OR_PARTITION } from "./error-codes.ts";
import { BrokerRefused, hasMoved, isConnectionLost, tooOld, translate } from "./kafka-failure.ts";
import { WireWriter } from "./wire.ts";

/** An API that changes one topic, in the versions that are spoken. */
interface TopicApi {
  readonly apiKey: number;
  readonly apiName: string;
  readonly lowest: number;
  readonly highest: number;
}

/** The first version that reports throttling, which every broker since Kafka 0.11 supports. */
const DELETE_TOPICS: TopicApi = { apiKey: 20, apiName: "DeleteTopics", lowest: 1, highest: 3 };
/** The one version, since Kafka 2.4, with the brokers' default number of replicas and without tagged fields. */
const CREATE_TOPICS: TopicApi = { apiKey: 19, apiName: "CreateTopics", lowest: 4, highest: 4 };

/** @param timeoutMillis how long the broker waits until the topic is deleted everywhere */
export function deleteTopic(cluster: BrokerCluster, name: string, timeoutMillis: number): Promise<ChangeAnswer> {
  return change(cluster, { name, does: "delete", done: "deleted" }, DELETE_TOPICS, (writer) =>
    writer.array([name], (topic) => writer.string(topic)).int32(timeoutMillis),
  );
}

interface NewTopic {
  readonly name: string;
  readonly partitions: number;
  readonly config: Readonly<Record<string, string>>;
}

const DEFAULT_REPLICAS = -1;

/** @param timeoutMillis how long the broker waits until the topic is created */
export function createTopic(cluster: BrokerCluster, topic: NewTopic, timeoutMillis: number): Promise<ChangeAnswer> {
  return change(cluster, { name: topic.name, does: "create", done: "created" }, CREATE_TOPICS, (writer) =>
    writer
      .array([topic], ({ name, partitions, config }) => {
        writer.string(name).int32(partitions).int16(DEFAULT_REPLICAS);
        writer.array([], () => writer);
        writer.array(Object.entries(config), ([setting, value]) => writer.string(setting).string(value));
      })
      .int32(timeoutMillis)
      .boolean(false),
  );
}

/**
 * Changes one topic at the controller. The request is repeated only after an answer that another broker is now the
 * controller. Once it is sent, a broken connection or silence proves nothing: it may have taken effect already, or take
 * effect later.
 */
async function change(
  cluster: BrokerCluster,
  { name, does, done }: { readonly name: string; readonly does: string; readonly done: string },
  api: TopicApi,
  encode: (writer: WireWriter) => WireWriter,
): Promise<ChangeAnswer> {
  let sent = false;
  try {
    const code = await retrying(`${does} the topic ${name}`, async () => {
      const metadata = await cluster.metadata();
      const session = await cluster.broker(metadata, metadata.controller);
      const request = requestOf(session, name, api, encode);
      sent = true;
      try {
        const answer = await session.send(request);
        if (answer !== UNKNOWN_TOPIC_OR_PARTITION && MOVED.includes(answer)) {
          sent = false;
          throw new BrokerRefused(answer);
        }
        return answer;
      } catch (error) {
        if (hasMoved(error)) throw error;
        if (isConnectionLost(error)) cluster.forget(session);
        throw translate(error, `${does} the topic ${name} at ${session.address}`);
      }
    });
    if (code === 0) return { answer: "applied", message: `${name} was ${done}` };
    return failureKind(code) === "timeout"
      ? { answer: "unanswered", why: `${errorName(code)} when asked to ${does} ${name}` }
      : { answer: "rejected", status: code, message: errorName(code) };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return sent
      ? { answer: "unanswered", why: error.message }
      : { answer: "rejected", status: 0, message: `nothing was done: ${error.message}` };
  }
}

/** Builds the request; its answer is the error code of the topic. */
function requestOf(
  session: BrokerConnection,
  topic: string,
  { apiKey, apiName, lowest, highest }: TopicApi,
  encode: (writer: WireWriter) => WireWriter,
): OwnRequest<number> {
  const version = Math.min(session.highest(apiKey), highest);
  if (version < lowest) throw tooOld(session.address);
  return {
    apiKey,
    apiName,
    version,
    encode: () => encode(new WireWriter()).toBuffer(),
    decode(body) {
      body.int32();
      const answers = body.array(() => {
        const name = body.string();
        const error = body.int16();
        // Its message.
        if (apiKey === CREATE_TOPICS.apiKey) body.nullableString();
        return { name, error };
      });
      const mine = answers.find(({ name }) => name === topic);
      if (mine === undefined) throw new RangeError("the answer does not name the topic");
      return mine.error;
    },
  };
}
