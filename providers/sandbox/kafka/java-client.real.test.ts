import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { openKafka } from "../../kafka/open-kafka.ts";
import { fetchJars } from "../../real/jars.ts";
import { startBroker } from "./broker.ts";

const java = suite("the sandbox broker serves the Java client");

const auth = { mechanisms: ["SCRAM-SHA-512"], users: { alice: "alice-secret" } } as const;
const login = [
  "security.protocol=SASL_PLAINTEXT",
  "sasl.mechanism=SCRAM-SHA-512",
  'sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="alice" ' +
    'password="alice-secret";',
];

for (const [line, secure] of [
  ["4", false],
  ["3", true],
] as const)
  java(
    `of Kafka ${line}: topics, every compression, transactions, reading${secure ? ", with a login" : ""}`,
    async () => {
      const { classPath } = await fetchJars(line);
      const broker = await startBroker({ clusterId: "4L6g3nShT-eMCtK--X86sw", ...(secure ? { auth } : {}) });
      const plain = await startBroker({ clusterId: "copy" });
      const kafka = openKafka({ bootstrapServers: plain.address, properties: {} });
      try {
        const program = join(import.meta.dirname, "testdata", "JavaClient.java");
        const args = [
          "-XX:TieredStopAtLevel=1",
          "-cp",
          classPath,
          program,
          broker.address,
          "orders",
          ...(secure ? login : []),
        ];
        const { stdout } = await promisify(execFile)("java", args, { timeout: 90_000 });
        assert.equal(stdout.trim().split("\n"), [
          "partitions 2",
          "cleanup.policy compact",
          "cluster 4L6g3nShT-eMCtK--X86sw",
          "ends [200, 6]",
          "read 202",
          "keys [committed, committed]",
        ]);

        // The records of the Java client, read byte by byte by the client of this repository.
        plain.createTopic("orders", { partitions: 2 });
        for (const [partition, log] of broker.state.topics.get("orders")?.partitions.entries() ?? [])
          for (const batch of log.batches().filter((one) => !one.transactional))
            plain.state.append("orders", partition, batch.bytes);
        const compressions = broker.state.topics
          .get("orders")
          ?.partitions[0]?.batches()
          .map((one) => one.compression);
        assert.equal([...new Set(compressions)], [0, 1, 2, 3, 4]);
        const read = await kafka.read("orders", { from: "beginning", records: 1_000, millis: 5_000 });
        assert.ok(read.whole);
        assert.equal(
          read.records.map((record) => Buffer.from(record.key ?? []).toString()),
          ["none", "gzip", "snappy", "lz4", "zstd"].flatMap((name) =>
            Array.from({ length: 40 }, (_, i) => `${name}${i}`),
          ),
        );
      } finally {
        await kafka.close();
        await plain.close();
        await broker.close();
      }
    },
  );

java.run();
