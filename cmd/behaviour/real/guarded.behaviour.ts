// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, type Test } from "uvu";
import * as assert from "uvu/assert";
import { CONNECTOR_CLASS } from "../../../core/legacy/connector-class.ts";
import { textsBelow } from "../changed-world.ts";
import { is, planFile } from "./command-line.ts";
import { newMachine } from "./machine.ts";
import { connectorSettings, DATABASE_LOGIN, type World } from "./world.ts";

export const CONNECT_LOGIN = { user: "ops", password: "s3c:ret-connect" } as const;

/** A secured world: HTTPS with client certificates and basic auth before Connect, SASL over TLS before Kafka. */
export interface GuardedWorld extends World {
  readonly guardedBootstrap: string;
  readonly brokerLogin: { readonly user: string; readonly password: string };
  /** PEM files: the authority of every server here, and the client's certificate and key. */
  readonly authority: string;
  readonly clientCertificate: string;
  readonly clientKey: string;
}

const BACK = 2_010_000n;

/**
 * Tests that secrets come from a contexts file and the environment, and appear nowhere else. Call `.run()` on the
 * result.
 */
export function guardedBehaviour(name: string, startWorld: () => Promise<GuardedWorld>): Test {
  const behaviour = suite(`a guarded world, ${name}`);
  let world: GuardedWorld;
  behaviour.before(async () => {
    world = await startWorld();
    await writeFile(join(world.folder, "db.properties"), `password=${DATABASE_LOGIN.password}\n`);
    await world.createTopic("guarded.cdc.ops");
    await world.createConnector("guarded", {
      // The task's own clients have no login: cdcctl's go where the context leads.
      ...connectorSettings(world),
      "cdc.database.password": `\${file:${join(world.folder, "db.properties")}:password}`,
    });
  });
  behaviour.after(() => world.stop());

  const secrets = () => ({
    CONNECT_PASSWORD: CONNECT_LOGIN.password,
    KAFKA_PASSWORD: world.brokerLogin.password,
    ORACLE_PASSWORD: DATABASE_LOGIN.password,
  });
  const machineWith = (environment: Readonly<Record<string, string>>) =>
    newMachine(
      world.folder,
      {
        ".config/cdcctl/contexts.yaml": contexts(world),
        ".config/cdcctl/client.properties": clientProperties(world),
        ".config/cdcctl/guarded.json": JSON.stringify({
          name: "guarded",
          config: {
            ...connectorSettings(world),
            "connector.class": CONNECTOR_CLASS,
            "cdc.topic.prefix": "guarded",
            "cdc.database.password": "${env:ORACLE_PASSWORD}",
          },
        }),
        "back.yaml": planFile("guarded", `scn: ${BACK}`),
      },
      { environment },
    );

  behaviour("is opened with the settings of the contexts file, and no secret remains anywhere", async () => {
    const machine = await machineWith(secrets());
    const ended = [
      await machine.run("plan", "back.yaml", "--out", "back.plan.json"),
      await machine.run("apply", "back.plan.json", "--yes"),
      await machine.run("history", "--format", "json"),
    ];
    for (const one of ended) is(one, 0);
    assert.is((await world.storedOffset("guarded"))?.["resume_scn"], BACK);
    const records = await world.records("guarded.cdc.ops");
    assert.is(records.length, 2);

    const files = await textsBelow(machine.home);
    assert.ok(files.length >= 6, "plan, journal, configuration");
    const written = [
      ...files,
      ...records.map(({ value }) => value),
      ...ended.flatMap(({ stdout, stderr }) => [stdout, stderr]),
    ].join("\n");
    for (const secret of Object.values(secrets())) assert.not.ok(written.includes(secret), secret.slice(0, 3));
  });

  behaviour("reports which secret is wrong or missing, and never shows one", async () => {
    const cases = [
      ["CONNECT_PASSWORD", "canary-7f3a", 1, /did not accept|401/],
      [
        "KAFKA_PASSWORD",
        "canary-7f3a",
        1,
        /did not accept the login[\s\S]*invalid credentials with SASL mechanism SCRAM-SHA-512/,
      ],
      ["ORACLE_PASSWORD", "canary-7f3a", 1, /ORA-01017/],
      ["CONNECT_PASSWORD", undefined, 64, /CONNECT_PASSWORD/],
      ["KAFKA_PASSWORD", undefined, 64, /KAFKA_PASSWORD/],
    ] as const;
    for (const [variable, value, code, words] of cases) {
      const { [variable]: _right, ...others } = secrets();
      const machine = await machineWith({ ...others, ...(value === undefined ? {} : { [variable]: value }) });
      const ended = is(await machine.run("plan", "back.yaml", "--again"), code);
      assert.match(ended.stderr, words, `${variable} ${value}: ${ended.stderr}`);
      assert.not.match(`${ended.stdout}${ended.stderr}`, "canary");
    }
  });

  behaviour("a plan file that names the host itself gets no credentials for it", async () => {
    const machine = await machineWith(secrets());
    const text = planFile("guarded", `scn: ${BACK}`).replace("context: here", `connectUrl: ${world.connectUrl}`);
    await machine.write("direct.yaml", text);
    is(await machine.run("plan", "direct.yaml"), 1);
    assert.is((await world.records("guarded.cdc.ops")).length, 2);
  });

  return behaviour as Test;
}

function contexts({ connectUrl, authority, clientCertificate, clientKey, guardedBootstrap }: GuardedWorld): string {
  return `contexts:
  here:
    connect:
      url: ${connectUrl}
      ca: ${authority}
      clientCertificate: ${clientCertificate}
      clientKey: ${clientKey}
      auth:
        basic:
          user: ${CONNECT_LOGIN.user}
          password: \${env:CONNECT_PASSWORD}
    brokers:
      bootstrapServers: ${guardedBootstrap}
      commandConfig: client.properties
    connectors:
      guarded:
        config: guarded.json
`;
}

function clientProperties({ brokerLogin, authority }: GuardedWorld): string {
  return `security.protocol=SASL_SSL
sasl.mechanism=SCRAM-SHA-512
sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\
  username="${brokerLogin.user}" password="\${env:KAFKA_PASSWORD}";
ssl.truststore.type=PEM
ssl.truststore.location=${authority}
`;
}
