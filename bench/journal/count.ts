/**
 * The peer: a kafkajs consumer as its documentation has it, by batches, that does nothing but count.
 *
 *   count.js BROKERS TOPIC RECORDS
 */
import { Kafka, logLevel } from "kafkajs";

const [brokers = "", topic = "", records = ""] = process.argv.slice(2);

const consumer = new Kafka({ brokers: [brokers], logLevel: logLevel.ERROR }).consumer({
  groupId: `count-${process.pid}`,
  readUncommitted: false,
});
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
let counted = 0;
await new Promise<void>((resolve, reject) => {
  consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error));
  consumer
    .run({
      autoCommit: false,
      eachBatch: async ({ batch }) => {
        counted += batch.messages.length;
        if (counted >= Number(records)) resolve();
      },
    })
    .catch(reject);
});
process.stdout.write(`${counted}\n`);
// Leaving the group takes a while and is no part of counting.
process.exit(counted === Number(records) ? 0 : 1);
