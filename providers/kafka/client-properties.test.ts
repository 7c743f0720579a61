import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ConnectionOptions } from "node:tls";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed, UsageError } from "../../core/errors.ts";
import { parseProperties } from "../../core/values/java-properties.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { type Secret, secret } from "../../core/values/secret.ts";
import { startBroker } from "../sandbox/kafka/broker.ts";
import { clientSecurity, noClientSettings } from "./client-properties.ts";
import { openKafka } from "./open-kafka.ts";

const properties = suite("Java client properties");

const at = (name: string) => join(import.meta.dirname, "..", "tls", "testdata", name);
const sealed = (text: string): Record<string, Secret> =>
  Object.fromEntries(Object.entries(parseProperties(text)).map(([name, value]) => [name, secret(value)]));

async function refused(text: string, message: RegExp): Promise<void> {
  const error = await clientSecurity(sealed(text)).then(
    () => assert.unreachable(`${message} was expected`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof UsageError)) throw error;
  assert.match(error.message, message);
  assert.not.match(JSON.stringify(error.problems), "hush");
}

const SCRAM = 'sasl.jaas.config=a.b.ScramLoginModule required username="u" password="p";';

properties("without any, there is neither TLS nor a login; other settings are ignored", async () => {
  for (const text of [
    "",
    "client.id=x\nacks=1\ninterceptor.classes=y",
    "security.protocol= plaintext \nssl.truststore.location=",
  ])
    assert.equal(await clientSecurity(sealed(text)), { tls: undefined, login: undefined });
});

properties("logins are read for the three mechanisms", async () => {
  for (const mechanism of ["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"]) {
    const module = mechanism === "PLAIN" ? "PlainLoginModule" : "ScramLoginModule";
    const { login, tls } = await clientSecurity(
      sealed(
        `security.protocol=SASL_PLAINTEXT\nsasl.mechanism=${mechanism}\nsasl.jaas.config=org.apache.${module} ` +
          `required username="u" password="a\\\\"b";`,
      ),
    );
    assert.equal(login, { mechanism: mechanism.toLowerCase(), username: "u", password: 'a"b' });
    assert.is(tls, undefined);
  }
});

properties("what only the Java client can do is rejected by name", async () => {
  const sasl = "security.protocol=SASL_SSL\n";
  await refused(`${sasl}${SCRAM}`, /sasl\.mechanism is not set.*GSSAPI/);
  for (const mechanism of ["GSSAPI", "OAUTHBEARER", "AWS_MSK_IAM"])
    await refused(
      `${sasl}sasl.mechanism=${mechanism}\n${SCRAM}`,
      new RegExp(`sasl.mechanism=${mechanism} can't be used`),
    );
  for (const name of [
    "sasl.client.callback.handler.class",
    "sasl.login.callback.handler.class",
    "sasl.login.class",
    "ssl.engine.factory.class",
    "ssl.provider",
    "security.providers",
  ])
    await refused(`${name}=com.example.Own`, new RegExp(name));
  await refused("security.protocol=TLS", /security\.protocol=TLS is not known/);
  await refused("security.protocol=SSL\nssl.truststore.type=BCFKS\nssl.truststore.location=x", /BCFKS/);
  await refused("security.protocol=SSL\nssl.endpoint.identification.algorithm=ldaps", /ldaps/);
});

properties("an incomplete or unsuitable login is refused without showing its password", async () => {
  const scram = "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=SCRAM-SHA-256\n";
  await refused(scram, /sasl\.jaas\.config is not set/);
  await refused(
    `${scram}sasl.jaas.config=x.PlainLoginModule required username="u" password="hush";`,
    /needs ScramLoginModule/,
  );
  await refused(
    `${scram}sasl.jaas.config=x.ScramLoginModule required password="hush";`,
    /username or password is missing/,
  );
  await refused(
    `${scram}sasl.jaas.config=x.ScramLoginModule required username="u" password="hush" tokenauth="true";`,
    /delegation tokens/,
  );
  await refused(
    `${scram}sasl.jaas.config=x.ScramLoginModule required username="u" password="\${file:/a:b}";`,
    /only the worker resolves/,
  );
  await refused(
    `security.protocol=SSL\nssl.truststore.password=\${file:/a:b}`,
    /ssl\.truststore\.password is a reference/,
  );
});

properties(
  "a name that no client has is ignored, as by the Java client; librdkafka's are refused with Java's",
  async () => {
    const mixed =
      "security.inter.broker.protocol=SASL_PLAINTEXT\nsasl.enabled.mechanisms=PLAIN\nssl.keystore.key.type=PEM";
    assert.equal(await clientSecurity(sealed(mixed)), { tls: undefined, login: undefined });
    const names = ["sasl.enabled.mechanisms", "ssl.keystore.key.type", "ssl.protocol", "acks", "sasl.login.class"];
    assert.equal(noClientSettings(names), ["sasl.enabled.mechanisms", "ssl.keystore.key.type"]);
    await refused("ssl.ca.location=/hush", /ssl\.ca\.location is a librdkafka property/);
    await refused("sasl.mechanisms=PLAIN\nsasl.username=hush", /sasl\.mechanisms is a librdkafka property/);
  },
);

properties("every refusal is reported at once", async () => {
  const error = await clientSecurity(sealed("ssl.provider=x\nsasl.login.class=y")).catch((thrown: unknown) => thrown);
  assert.is((error as UsageError).problems.length, 2);
});

properties("TLS versions and the host name check are applied", async () => {
  const of = async (text: string) =>
    (await clientSecurity(sealed(`security.protocol=SSL\n${text}`))).tls as ConnectionOptions;
  assert.equal(await of(""), { rejectUnauthorized: true });
  assert.equal(await of("ssl.enabled.protocols=TLSv1.3, TLSv1.2"), {
    minVersion: "TLSv1.2",
    maxVersion: "TLSv1.3",
    rejectUnauthorized: true,
  });
  assert.type((await of("ssl.endpoint.identification.algorithm=")).checkServerIdentity, "function");
  assert.is((await of("ssl.endpoint.identification.algorithm=HTTPS")).checkServerIdentity, undefined);
});

// ---- Against a TLS listener -----------------------------------------------------------------------------------------

async function withBroker(
  clientCertificate: boolean,
  test: (ask: (text: string, host?: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  const server = await readFile(at("server.pem"));
  const broker = await startBroker({
    clusterId: "sandbox",
    tls: {
      cert: server,
      key: server,
      ca: await readFile(at("ca.pem")),
      requestCert: clientCertificate,
      rejectUnauthorized: clientCertificate,
    },
  });
  try {
    await test(async (text, host = "127.0.0.1") => {
      const kafka = openKafka(
        { bootstrapServers: `${host}:${broker.port}`, properties: sealed(text) },
        { connectMillis: 3_000 },
      );
      try {
        return await kafka.clusterId();
      } catch (error) {
        if (!(error instanceof CallFailed)) throw error;
        return `${error.kind}: ${error.message}`;
      } finally {
        await kafka.close();
      }
    });
  } finally {
    await broker.close();
  }
}

const inline = async (name: string) => (await readFile(at(name), "utf8")).replaceAll("\n", "\\n");

properties("each kind of trust store accepts the broker's certificate", async () => {
  await withBroker(false, async (ask) => {
    const ssl = "security.protocol=SSL\n";
    for (const [type, name] of [
      ["JKS", "trust.jks"],
      ["PKCS12", "trust.p12"],
      ["PEM", "ca.pem"],
    ])
      assert.is(
        await ask(
          `${ssl}ssl.truststore.type=${type}\nssl.truststore.location=${at(name ?? "")}\n` +
            "ssl.truststore.password=test-only",
        ),
        "sandbox",
      );
    assert.is(
      await ask(`${ssl}ssl.truststore.type=PEM\nssl.truststore.certificates=${await inline("ca.pem")}`),
      "sandbox",
    );
    assert.match(await ask(ssl), /^unreachable: the TLS certificate of 127\.0\.0\.1:\d+ is not accepted/);
    assert.match(
      await ask("security.protocol=PLAINTEXT"),
      /^unreachable: 127\.0\.0\.1:\d+ (speaks TLS|closed the connection)/,
    );
  });
});

properties("the broker's host name is checked unless that is disabled", async () => {
  await withBroker(false, async (ask) => {
    const trust = `security.protocol=SSL\nssl.truststore.location=${at("trust.jks")}\n`;
    assert.is(await ask(trust, "localhost"), "sandbox");
    // 127.1 is the same address under a name that the certificate is not for.
    assert.match(await ask(trust, "127.1"), /^unreachable: the TLS certificate of 127\.1:\d+ is not accepted/);
    assert.is(await ask(`${trust}ssl.endpoint.identification.algorithm=`, "127.1"), "sandbox");
  });
});

properties("each kind of key store presents a client certificate if the broker requires one", async () => {
  await withBroker(true, async (ask) => {
    const trust = `security.protocol=SSL\nssl.truststore.location=${at("trust.jks")}\n`;
    for (const [type, name] of [
      ["JKS", "client.jks"],
      ["PKCS12", "client-keytool.p12"],
      ["PEM", "client-encrypted.pem"],
    ])
      assert.is(
        await ask(
          `${trust}ssl.keystore.type=${type}\nssl.keystore.location=${at(name ?? "")}\n` +
            "ssl.keystore.password=test-only\n" +
            `ssl.key.password=${type === "JKS" ? "test-only-key" : "test-only"}`,
        ),
        "sandbox",
        type,
      );
    const [key = "", chain = ""] = (await inline("client.pem")).split(/(?=-----BEGIN CERTIFICATE)/);
    assert.is(
      await ask(`${trust}ssl.keystore.type=PEM\nssl.keystore.key=${key}\nssl.keystore.certificate.chain=${chain}`),
      "sandbox",
    );
    assert.match(await ask(trust), /^(unauthorized: 127.* refused the TLS|unreachable: 127.* closed)/);
  });
});

properties("a TLS listener that also requires a login is reported as such", async () => {
  const server = await readFile(at("server.pem"));
  const auth = { mechanisms: ["PLAIN"], users: { u: "p" } } as const;
  const broker = await startBroker({ clusterId: "sandbox", auth, tls: { cert: server, key: server } });
  const trust = `ssl.truststore.location=${at("trust.jks")}\n`;
  const plain = 'sasl.mechanism=PLAIN\nsasl.jaas.config=a.PlainLoginModule required username="u" password="p";';
  const without = openKafka({
    bootstrapServers: broker.address,
    properties: sealed(`security.protocol=SSL\n${trust}`),
  });
  const within = openKafka({
    bootstrapServers: broker.address,
    properties: sealed(`security.protocol=SASL_SSL\n${trust}${plain}`),
  });
  try {
    const error = await without.clusterId().catch((thrown: unknown) => thrown);
    assert.instance(error, CallFailed);
    assert.match(linesOf((error as CallFailed).remedies), /a login \(security\.protocol=SASL_SSL\)/);
    assert.is(await within.clusterId(), "sandbox");
  } finally {
    await without.close();
    await within.close();
    await broker.close();
  }
});

properties.run();
