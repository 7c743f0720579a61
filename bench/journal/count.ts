/**
 * The peers: kafkajs consumers that only count. The plain one is the first example of its documentation, message by
 * message; the other one takes whole batches, which that documentation calls advanced.
 *
 * count.js BROKERS TOPIC RECORDS messages|batches
 */
import { type ConsumerRunConfig, Kafka, logLevel } from "kafkajs";

const [brokers = "", topic = "", records = "", by = ""] = process.argv.slice(2);

const consumer = new Kafka({ brokers: [brokers], logLevel: logLevel.ERROR }).consumer({
  groupId: `count-${process.pid}`,
  readUncommitted: false,
});
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
let counted = 0;
await new Promise<void>((resolve, reject) => {
  consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
  const count = (more: number): void => {
    counted += more;
    if (counted >= Number(records)) resolve();
  };
  const BY: Readonly<Record<string, ConsumerRunConfig>> = {
    messages: { eachMessage: async () => count(1) },
    batches: { autoCommit: false, eachBatch: async ({ batch }) => count(batch.messages.length) },
  };
  consumer.run(BY[by]).catch(reject);
});
process.stdout.write(`${counted}\n`);
// Leaving the group takes a while and is not part of counting.
process.exit(counted === Number(records) ? 0 : 1);
