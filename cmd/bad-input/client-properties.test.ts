/** Files of `--command-config` as people have them: written for Java's tools, for librdkafka, or in another charset. */
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { closing } from "../../core/change/holding.ts";
import { plainJaas } from "../../providers/sandbox/plain-login.ts";
import { startSandbox } from "../../providers/sandbox/sandbox.ts";
import { contexts, planFile } from "../../providers/sandbox/scenario.ts";
import { attempt, expect, inFolder, printTable, type Row } from "./table.ts";

const SECRET = "canary-4711";
const PLAIN = [
  "security.protocol=SASL_PLAINTEXT",
  "sasl.mechanism=PLAIN",
  `sasl.jaas.config=${plainJaas("admin", SECRET)}`,
];

const ROWS: readonly (Row & { readonly lines: readonly string[]; readonly never?: RegExp })[] = [
  {
    wrong: "names of a broker beside those of a client",
    lines: [
      ...PLAIN,
      "security.inter.broker.protocol=SASL_PLAINTEXT",
      "sasl.mechanism.inter.broker.protocol=PLAIN",
      "sasl.enabled.mechanisms=PLAIN",
    ],
    exit: 0,
    says: /ignored unknown client properties \(the Java client .*sasl\.enabled\.mechanisms.*checks passed/,
  },
  {
    wrong: "a name that only scripts write: ssl.keystore.key.type",
    lines: [
      "security.protocol=SSL",
      "ssl.keystore.type=PEM",
      "ssl.keystore.key.type=PEM",
      "ssl.truststore.type=PEM",
      "ssl.keystore.certificate.chain=(inline PEM)",
      `ssl.keystore.key=${SECRET}`,
      "ssl.truststore.certificates=(inline PEM)",
    ],
    exit: 64,
    says: /ignored unknown client properties .*: ssl\.keystore\.key\.type.*PEM/,
    never: /ssl\.keystore\.key\.type can't be used|only the Java client has/,
  },
  {
    wrong: "a comment in Latin-1",
    lines: ["# Schl\u00fcssel f\u00fcr Produktion", ...PLAIN],
    exit: 0,
    says: /checks passed/,
    never: /UTF-8/,
  },
  {
    wrong: "librdkafka's names of certificates",
    lines: ["security.protocol=SSL", "ssl.ca.location=/certs/ca.crt", `ssl.key.password=${SECRET}`],
    exit: 64,
    says: /ssl\.ca\.location is a librdkafka property.*ssl\.truststore\.location/,
    never: /only the Java client has/,
  },
  {
    wrong: "librdkafka's names of a login",
    lines: ["security.protocol=sasl_ssl", "sasl.mechanisms=PLAIN", "sasl.username=u", `sasl.password=${SECRET}`],
    exit: 64,
    says: /sasl\.mechanisms is a librdkafka property.*sasl\.mechanism.*sasl\.jaas\.config/,
    never: /only the Java client has/,
  },
];

const properties = suite("files of client properties, through a command");

for (const { lines, never, ...row } of ROWS)
  properties(row.wrong, async () => {
    const auth = { mechanisms: ["PLAIN"] as const, users: { admin: SECRET } };
    await using sandbox = closing(await startSandbox({ state: "STOPPED", broker: { auth } }));
    const files = {
      "contexts.yaml": contexts(sandbox),
      "plan.yaml": planFile("orders-replay", "replay", "scn: 2010000"),
      "client.properties": Buffer.from(`${lines.join("\n")}\n`, "latin1"),
    };
    await inFolder(files, async (folder) => {
      const [plan, config] = [join(folder, "plan.yaml"), join(folder, "client.properties")];
      const env = {
        HOME: folder,
        CDCCTL_STATE: join(folder, "state"),
        CDCCTL_CONTEXTS: join(folder, "contexts.yaml"),
      };
      const seen = await attempt(["plan", plan, "--command-config", config], env);
      expect(row, seen, [SECRET]);
      if (never !== undefined) assert.not.match(seen.output, never);
    });
  });

properties.after(() => printTable("client properties: what is unusual, exit code, message"));
properties.run();
