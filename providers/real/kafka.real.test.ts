import { Kafka, logLevel } from "kafkajs";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { type Secret, secret } from "../../core/values/secret.ts";
import { kafkaContract } from "../kafka/contract.ts";
import { openKafka } from "../kafka/open-kafka.ts";
import { BROKER_LOGIN, type ListenerName } from "./broker.ts";
import { type Certificates, STORE_PASSWORD } from "./certificates.ts";
import { type RealStack, startStack } from "./stack.ts";

type ClientProperties = Readonly<Record<string, string>>;

const STORES = ["PEM", "PKCS12", "JKS"] as const;
type Store = (typeof STORES)[number];

const FORM = { PEM: "pem", PKCS12: "pkcs12", JKS: "jks" } as const;

function trusting({ authority }: Certificates, type: Store): ClientProperties {
  return {
    "ssl.truststore.type": type,
    "ssl.truststore.location": authority[FORM[type]],
    ...(type === "PEM" ? {} : { "ssl.truststore.password": STORE_PASSWORD }),
  };
}

function identifiedBy({ client }: Certificates, type: Store): ClientProperties {
  return {
    "ssl.keystore.type": type,
    "ssl.keystore.location": client[FORM[type]],
    ...(type === "PEM" ? {} : { "ssl.keystore.password": STORE_PASSWORD }),
  };
}

function loggingIn(mechanism: string, password: string = BROKER_LOGIN.password): ClientProperties {
  const module = mechanism === "PLAIN" ? "plain.PlainLoginModule" : "scram.ScramLoginModule";
  return {
    "sasl.mechanism": mechanism,
    "sasl.jaas.config":
      `org.apache.kafka.common.security.${module} required ` +
      `username="${BROKER_LOGIN.user}" password="${password}";`,
  };
}

const MECHANISMS = ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"];

/** Every login that the product supports: the listener and its Java client properties. */
function waysIn(certificates: Certificates): readonly (readonly [string, ListenerName, ClientProperties])[] {
  return [
    ...MECHANISMS.map((mechanism) => [mechanism, "SASL_PLAINTEXT", loggingIn(mechanism)] as const),
    ...STORES.map((type) => [`${type} trust store`, "SSL", trusting(certificates, type)] as const),
    ...STORES.map(
      (type) =>
        [
          `${type} key store`,
          "MUTUAL_SSL",
          { ...trusting(certificates, type), ...identifiedBy(certificates, type) },
        ] as const,
    ),
    ...MECHANISMS.map(
      (mechanism) => [mechanism, "SASL_SSL", { ...loggingIn(mechanism), ...trusting(certificates, "JKS") }] as const,
    ),
  ];
}

function sealed(listener: ListenerName, properties: ClientProperties): Readonly<Record<string, Secret>> {
  const protocol = listener === "MUTUAL_SSL" ? "SSL" : listener;
  const all = { "security.protocol": protocol, ...properties };
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, secret(value)]));
}

function certificatesOf({ certificates }: RealStack): Certificates {
  if (certificates === undefined) throw new Error("security brings certificates");
  return certificates;
}

/** kafkajs's own consumer, which knows the classic protocol. */
async function readingFrom(bootstrap: string, group: string, topic: string) {
  const consumer = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).consumer({ groupId: group });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  const committed = new Promise<void>((resolve) => {
    consumer.on(consumer.events.COMMIT_OFFSETS, () => resolve());
  });
  await consumer.run({ autoCommitThreshold: 1, eachMessage: async () => undefined });
  await committed;
  return { end: () => consumer.disconnect() };
}

for (const kafka of ["3", "4"] as const) {
  let real: RealStack;
  const started = suite(`a secured Kafka ${kafka}`);
  started("comes up", async () => {
    real = await startStack({ kafka, workers: 0, security: true });
    await real.createTopic("orders.cdc.ops");
  });
  started.run();

  kafkaContract(`a Kafka ${kafka} broker`, async () => ({
    brokers: real.bootstrap,
    reading: (group, topic) => readingFrom(real.bootstrap, group, topic),
  }));

  kafkaContract(`a Kafka ${kafka} broker over SASL_SSL`, async () => ({
    brokers: real.listeners.SASL_SSL ?? "",
    plainBrokers: real.bootstrap,
    reading: (group, topic) => readingFrom(real.bootstrap, group, topic),
    properties: sealed("SASL_SSL", {
      ...loggingIn("SCRAM-SHA-512"),
      ...trusting(certificatesOf(real), "PKCS12"),
    }),
  }));

  const secured = suite(`the Kafka client and the secured listeners of Kafka ${kafka}`);
  secured.after(() => real.stop());

  secured("accept every supported way to log in", async () => {
    for (const [what, listener, properties] of waysIn(certificatesOf(real))) {
      const client = openKafka({
        bootstrapServers: real.listeners[listener] ?? "",
        properties: sealed(listener, properties),
      });
      try {
        assert.is(await client.clusterId(), real.clusterId, `${listener} ${what}`);
        const value = Buffer.from(`${listener} ${what}`);
        const { offset } = await client.append("orders.cdc.ops", { key: null, value });
        const from = [{ partition: 0, offset }];
        const { records } = await client.read("orders.cdc.ops", { from, records: 1, millis: 10_000 });
        assert.is(Buffer.from(records[0]?.value ?? []).toString(), value.toString());
      } finally {
        await client.close();
      }
    }
  });

  secured("report what is wrong, and never the password", async () => {
    const trust = trusting(certificatesOf(real), "PEM");
    const canary = "canary-7f3a";
    const wrong: readonly (readonly [string, ListenerName, ListenerName, ClientProperties, string])[] = [
      ["wrong PLAIN password", "SASL_PLAINTEXT", "SASL_PLAINTEXT", loggingIn("PLAIN", canary), "unauthorized"],
      ["wrong SCRAM password", "SASL_PLAINTEXT", "SASL_PLAINTEXT", loggingIn("SCRAM-SHA-256", canary), "unauthorized"],
      [
        "wrong password over TLS",
        "SASL_SSL",
        "SASL_SSL",
        { ...loggingIn("SCRAM-SHA-512", canary), ...trust },
        "unauthorized",
      ],
      ["an unknown authority", "SSL", "SSL", {}, "unreachable"],
      ["plain text to a TLS listener", "SSL", "PLAINTEXT", {}, "unreachable"],
      ["TLS to a plain listener", "PLAINTEXT", "SSL", trust, "unreachable"],
    ];
    for (const [what, listener, protocol, properties, kind] of wrong) {
      const client = openKafka({
        bootstrapServers: real.listeners[listener] ?? "",
        properties: sealed(protocol, properties),
      });
      try {
        const error = await client.clusterId().then(
          (id) => assert.unreachable(`${what}: let in to ${id}`),
          (thrown: unknown) => thrown,
        );
        assert.instance(error, CallFailed, `${what}: ${error}`);
        const failed = error as CallFailed;
        assert.is(failed.kind, kind, `${what}: ${failed.message}`);
        assert.not.match(`${failed.message} ${linesOf(failed.remedies)} ${failed.cause}`, canary);
      } finally {
        await client.close();
      }
    }
  });

  secured("refuse a client without the certificate that they require", async () => {
    const client = openKafka({
      bootstrapServers: real.listeners.MUTUAL_SSL ?? "",
      properties: sealed("MUTUAL_SSL", trusting(certificatesOf(real), "PEM")),
    });
    try {
      const error = await client.clusterId().catch((thrown: unknown) => thrown);
      assert.instance(error, CallFailed, `${error}`);
    } finally {
      await client.close();
    }
  });

  secured.run();
}
