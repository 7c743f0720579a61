import { secret } from "../../core/values/secret.ts";
import { BROKER_LOGIN } from "../real/broker.ts";
import { STORE_PASSWORD } from "../real/certificates.ts";
import { type RealStack, startStack } from "../real/stack.ts";
import { type BrokerUnderTest, kafkaContract } from "./contract.ts";

async function under(
  kafka: "3" | "4",
  listener: "SASL_SSL" | "MUTUAL_SSL",
  properties: (certificates: NonNullable<RealStack["certificates"]>) => Record<string, string>,
): Promise<BrokerUnderTest> {
  const real = await startStack({ kafka, security: true });
  const { certificates } = real;
  const brokers = real.listeners[listener];
  if (certificates === undefined || brokers === undefined) throw new Error("the stack has no secure listeners");
  return {
    brokers,
    plainBrokers: real.bootstrap,
    properties: Object.fromEntries(
      Object.entries(properties(certificates)).map(([name, text]) => [name, secret(text)]),
    ),
    close: () => real.stop(),
  };
}

kafkaContract("Kafka 4 with TLS from PKCS#12 and SCRAM", () =>
  under("4", "SASL_SSL", ({ authority }) => ({
    "security.protocol": "SASL_SSL",
    "sasl.mechanism": "SCRAM-SHA-512",
    "sasl.jaas.config": `org.apache.kafka.common.security.scram.ScramLoginModule required username="${BROKER_LOGIN.user}" password="${BROKER_LOGIN.password}";`,
    "ssl.truststore.type": "PKCS12",
    "ssl.truststore.location": authority.pkcs12,
    "ssl.truststore.password": STORE_PASSWORD,
  })),
);

kafkaContract("Kafka 3 with a client certificate from JKS", () =>
  under("3", "MUTUAL_SSL", ({ authority, client }) => ({
    "security.protocol": "SSL",
    "ssl.truststore.location": authority.jks,
    "ssl.truststore.password": STORE_PASSWORD,
    "ssl.keystore.location": client.jks,
    "ssl.keystore.password": STORE_PASSWORD,
  })),
);
