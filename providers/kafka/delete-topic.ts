import { CallFailed } from "../../core/errors.ts";
import type { ChangeAnswer } from "../../core/ports/answers.ts";
import type { BrokerCluster } from "./broker-cluster.ts";
import type { BrokerConnection, OwnRequest } from "./broker-connection.ts";
import { errorName, failureKind, MOVED, UNKNOWN_TOPIC_OR_PARTITION } from "./error-codes.ts";
import { BrokerRefused, hasMoved, isConnectionLost, tooOld, translate } from "./kafka-failure.ts";
import { retrying } from "./retries.ts";
import { WireWriter } from "./wire.ts";

const DELETE_TOPICS = 20;
const HIGHEST = 3;
/** The first version that reports throttling; every broker since Kafka 0.11 supports it. */
const LOWEST = 1;

/**
 * Deletes one topic at the controller. The request is repeated only after an answer that another broker is now the
 * controller. Once it is sent, a broken connection or silence proves nothing: the topic may be deleted already, or be
 * deleted later.
 *
 * @param timeoutMillis how long the broker waits until the topic is deleted everywhere
 */
export async function deleteTopic(cluster: BrokerCluster, name: string, timeoutMillis: number): Promise<ChangeAnswer> {
  let sent = false;
  try {
    const code = await retrying(`delete the topic ${name}`, async () => {
      const metadata = await cluster.metadata();
      const session = await cluster.broker(metadata, metadata.controller);
      const request = deleteTopics(session, name, timeoutMillis);
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
        throw translate(error, `delete the topic ${name} at ${session.address}`);
      }
    });
    if (code === 0) return { answer: "applied", message: `${name} was deleted` };
    return failureKind(code) === "timeout"
      ? { answer: "unanswered", why: `${errorName(code)} for the deletion of ${name}` }
      : { answer: "rejected", status: code, message: errorName(code) };
  } catch (error) {
    if (!(error instanceof CallFailed)) throw error;
    return sent
      ? { answer: "unanswered", why: error.message }
      : { answer: "rejected", status: 0, message: `nothing was done: ${error.message}` };
  }
}

/** Builds the request; its answer is the error code of the topic. */
function deleteTopics(session: BrokerConnection, name: string, timeoutMillis: number): OwnRequest<number> {
  const version = Math.min(session.highest(DELETE_TOPICS), HIGHEST);
  if (version < LOWEST) throw tooOld(session.address);
  return {
    apiKey: DELETE_TOPICS,
    apiName: "DeleteTopics",
    version,
    encode() {
      const writer = new WireWriter();
      return writer
        .array([name], (topic) => writer.string(topic))
        .int32(timeoutMillis)
        .toBuffer();
    },
    decode(body) {
      body.int32();
      const answers = body.array(() => ({ name: body.string(), error: body.int16() }));
      const mine = answers.find((one) => one.name === name);
      if (mine === undefined) throw new RangeError("the answer does not name the topic");
      return mine.error;
    },
  };
}
