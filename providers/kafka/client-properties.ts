import type { ConnectionOptions } from "node:tls";
import type { SASLOptions } from "kafkajs";
import { type Problem, UsageError } from "../../core/errors.ts";
import type { BrokerSettings } from "../../core/facts/connector/settings.ts";
import { isReference } from "../../core/redaction/redact.ts";
import { anyOf } from "../../core/values/regexp.ts";
import { type Secret, secret } from "../../core/values/secret.ts";
import { keyFromPem, readKeyStore, readTrustStore, type StoreType, trustFromPem } from "../tls/key-stores.ts";
import type { Security } from "./broker-connection.ts";

type ClientProperties = Readonly<Record<string, Secret>>;

const SUPPORTED = new Set([
  "security.protocol",
  "sasl.mechanism",
  "sasl.jaas.config",
  "ssl.truststore.location",
  "ssl.truststore.password",
  "ssl.truststore.type",
  "ssl.truststore.certificates",
  "ssl.keystore.location",
  "ssl.keystore.password",
  "ssl.keystore.type",
  "ssl.keystore.certificate.chain",
  "ssl.keystore.key",
  "ssl.key.password",
  "ssl.endpoint.identification.algorithm",
  "ssl.enabled.protocols",
  "ssl.protocol",
]);

/** They change how a client logs in, or whom it trusts, by code that only a JVM runs. */
const JAVA_ONLY = anyOf([
  /^security\.providers$/,
  /^ssl\.(?:provider|engine\.factory\.class)$/,
  /^sasl\.(?:login\.class|(?:client|login)\.callback\.handler\.class)$/,
]);

/** What librdkafka (kcat, Python, Go, .NET) calls otherwise; the Java client ignores it, and would not log in. */
const LIBRDKAFKA: Readonly<Record<string, string>> = {
  "ssl.ca.location": "ssl.truststore.type=PEM and ssl.truststore.location",
  "ssl.ca.pem": "ssl.truststore.type=PEM and ssl.truststore.certificates",
  "ssl.certificate.location": "ssl.keystore.type=PEM and ssl.keystore.location, with certificate and key in one file",
  "ssl.key.location": "ssl.keystore.type=PEM and ssl.keystore.location, with certificate and key in one file",
  "sasl.mechanisms": "sasl.mechanism",
  "sasl.username": "sasl.jaas.config",
  "sasl.password": "sasl.jaas.config",
};

/** Properties of the Java client without effect for this one, or only for mechanisms that it does not have. */
const HARMLESS = anyOf([
  /^sasl\.kerberos\./,
  /^sasl\.login\.(refresh|retry|connect|read)\./,
  /^sasl\.oauthbearer\./,
  /^ssl\.(secure\.random\.implementation|keymanager\.algorithm|trustmanager\.algorithm|cipher\.suites)$/,
]);

const SECURITY = /^(ssl|sasl|security)\./;

/**
 * The names that look like settings of login or trust, and that no client has: of brokers, or mistyped. The Java client
 * ignores them with a warning.
 */
export function noClientSettings(names: readonly string[]): readonly string[] {
  return names.filter(
    (name) =>
      SECURITY.test(name) &&
      !SUPPORTED.has(name) &&
      !HARMLESS.test(name) &&
      !JAVA_ONLY.test(name) &&
      !Object.hasOwn(LIBRDKAFKA, name),
  );
}

const ELSEWHERE =
  "Set it in your own client properties: brokers.commandConfig of the context, or --command-config; a value " +
  // biome-ignore lint/suspicious/noTemplateCurlyInString: references are written like this
  "there may reference the environment, ${env:VARIABLE}.";

/**
 * Reads TLS and login from Java client properties. Other properties are ignored.
 *
 * @throws UsageError naming every unsupported property: Kerberos, OAUTHBEARER, AWS_MSK_IAM, custom callback handlers, …
 */
export async function clientSecurity(properties: ClientProperties): Promise<Security> {
  const problems = refusals(properties);
  if (problems.length > 0) throw new UsageError(problems);
  const protocol = (text(properties, "security.protocol") ?? "PLAINTEXT").toUpperCase();
  switch (protocol) {
    case "PLAINTEXT":
      return { tls: undefined, login: undefined };
    case "SSL":
      return { tls: await tls(properties), login: undefined };
    case "SASL_PLAINTEXT":
      return { tls: undefined, login: login(properties) };
    case "SASL_SSL":
      return { login: login(properties), tls: await tls(properties) };
    default:
      throw new UsageError(
        `security.protocol=${protocol} is not known`,
        "Use PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL.",
      );
  }
}

function refusals(properties: ClientProperties): Problem[] {
  return Object.entries(properties).flatMap(([name, value]): Problem[] => {
    const refused = (why: string, remedy: string) => [{ message: `the client property ${name} ${why}`, remedy }];
    if (value.open().trim() === "") return [];
    const java = Object.hasOwn(LIBRDKAFKA, name) ? LIBRDKAFKA[name] : undefined;
    if (java !== undefined)
      return refused("is a librdkafka property, which the Java client ignores", `Write:  ${java}`);
    if (JAVA_ONLY.test(name))
      return refused(
        "can't be used here: it requires code or a service that only the Java client has",
        "Use PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or a client certificate, with the standard settings.",
      );
    if (SUPPORTED.has(name) && isReference(value.open()))
      return refused("is a reference that only the worker resolves", ELSEWHERE);
    return [];
  });
}

// ---- Login ----------------------------------------------------------------------------------------------------------

const MECHANISMS = {
  PLAIN: { kafkajs: "plain", module: "PlainLoginModule" },
  "SCRAM-SHA-256": { kafkajs: "scram-sha-256", module: "ScramLoginModule" },
  "SCRAM-SHA-512": { kafkajs: "scram-sha-512", module: "ScramLoginModule" },
} as const;

function login(properties: ClientProperties): SASLOptions {
  const named = text(properties, "sasl.mechanism") ?? "GSSAPI";
  const mechanism = Object.entries(MECHANISMS).find(([name]) => name === named.toUpperCase())?.[1];
  if (mechanism === undefined)
    throw new UsageError(
      named === "GSSAPI" && text(properties, "sasl.mechanism") === undefined
        ? "sasl.mechanism is not set, and its default, GSSAPI (Kerberos), can't be used here"
        : `sasl.mechanism=${named} can't be used here`,
      "Use PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 or a client certificate.",
    );
  const jaas = properties["sasl.jaas.config"];
  if (jaas === undefined)
    throw new UsageError(
      `sasl.jaas.config is not set, sasl.mechanism=${named} needs it`,
      `Set it:  org.apache.kafka.common.security.….${mechanism.module} required username="…" password="…";`,
    );
  const { module, options } = parseJaas(jaas.open());
  const { username, password } = options;
  if (module.split(".").at(-1) !== mechanism.module)
    throw new UsageError(
      `sasl.jaas.config names ${module}, sasl.mechanism=${named} needs ${mechanism.module}`,
      "Make the two agree.",
    );
  if (options["tokenauth"]?.toLowerCase() === "true")
    throw new UsageError(
      "sasl.jaas.config: delegation tokens (tokenauth) can't be used here",
      "Use a user and password.",
    );
  if (username === undefined || password === undefined)
    throw new UsageError("username or password is missing in sasl.jaas.config", 'Add:  username="…" password="…"');
  const resolved = [username, password].some(isReference);
  if (resolved) throw new UsageError("sasl.jaas.config contains a reference that only the worker resolves", ELSEWHERE);
  return { mechanism: mechanism.kafkajs, username, password };
}

// ---- TLS ------------------------------------------------------------------------------------------------------------

async function tls(properties: ClientProperties): Promise<ConnectionOptions> {
  const [trust, key] = [await trusted(properties), await ownKey(properties)];
  const algorithm = properties["ssl.endpoint.identification.algorithm"]?.open().trim().toLowerCase() ?? "https";
  if (algorithm !== "https" && algorithm !== "")
    throw new UsageError(
      `ssl.endpoint.identification.algorithm=${algorithm} is not known`,
      "Use https, which checks that the certificate is for the host; an empty value does not check it.",
    );
  return {
    ...trust,
    ...key,
    ...versions(properties),
    rejectUnauthorized: true,
    ...(algorithm === "" ? { checkServerIdentity: () => undefined } : {}),
  };
}

async function trusted(properties: ClientProperties): Promise<{ ca?: string[] }> {
  const inline = properties["ssl.truststore.certificates"];
  if (inline !== undefined) return trustFromPem(inline.open(), "ssl.truststore.certificates");
  const path = text(properties, "ssl.truststore.location");
  if (path === undefined) return {};
  return readTrustStore({
    path,
    type: storeType(properties, "ssl.truststore.type"),
    password: properties["ssl.truststore.password"],
  });
}

async function ownKey(properties: ClientProperties): Promise<{ cert?: string; key?: string }> {
  const chain = properties["ssl.keystore.certificate.chain"];
  const key = properties["ssl.keystore.key"];
  const keyPassword = properties["ssl.key.password"];
  if (chain !== undefined && key !== undefined)
    return keyFromPem(secret(`${chain.open()}\n${key.open()}`), "ssl.keystore.key", keyPassword);
  if (chain !== undefined || key !== undefined)
    throw new UsageError(
      "ssl.keystore.certificate.chain and ssl.keystore.key must be set together",
      "Set both, or ssl.keystore.location.",
    );
  const path = text(properties, "ssl.keystore.location");
  if (path === undefined) return {};
  return readKeyStore({
    path,
    type: storeType(properties, "ssl.keystore.type"),
    password: properties["ssl.keystore.password"],
    keyPassword,
  });
}

function storeType(properties: ClientProperties, name: string): StoreType {
  const type = (text(properties, name) ?? "JKS").toUpperCase();
  if (type !== "JKS" && type !== "PKCS12" && type !== "PEM")
    throw new UsageError(`${name}=${type} can't be read here`, "Use JKS, PKCS12 or PEM.");
  return type;
}

const TLS_VERSIONS = ["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"] as const;

function versions(properties: ClientProperties): Pick<ConnectionOptions, "minVersion" | "maxVersion"> {
  const enabled = text(properties, "ssl.enabled.protocols")
    ?.split(",")
    .map((name) => name.trim());
  const known = TLS_VERSIONS.filter((version) => enabled?.includes(version));
  const [lowest, highest] = [known[0], known.at(-1)];
  return lowest === undefined || highest === undefined ? {} : { minVersion: lowest, maxVersion: highest };
}

/** Returns a value as Kafka reads it: trimmed, unless it is a password; an empty value counts as not set. */
function text(properties: ClientProperties, name: string): string | undefined {
  const value = properties[name]?.open().trim();
  return value === "" ? undefined : value;
}

/**
 * Settings by which client properties name files of this machine.
 *
 * @returns names as a connector's configuration has them
 */
export function localFilesOf({ properties }: BrokerSettings): readonly string[] {
  return Object.entries(properties)
    .filter(
      ([name, value]) =>
        /(?:^|[._])(?:location|files?|path|director(?:y|ies))$/i.test(name) && value.open().trim() !== "",
    )
    .map(([name]) => `cdc.stream.${name}`);
}

interface LoginModule {
  /** Its Java class, `org.apache.kafka.common.security.plain.PlainLoginModule`. */
  readonly module: string;
  readonly options: Readonly<Record<string, string>>;
}

const TOKEN = /\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|([=;])|([^\s"'=;]+))/y;
const CONTROL_FLAGS = ["required", "requisite", "sufficient", "optional"];

/**
 * Reads the one login module of a `sasl.jaas.config` value: `CLASS required name="value" name=value;` (the grammar of
 * `javax.security.auth.login.Configuration`, which Kafka reads with a stream tokenizer).
 *
 * @throws UsageError that never shows the text, which holds a password
 */
export function parseJaas(text: string): LoginModule {
  const [module, flag, ...rest] = tokens(text);
  if (module === undefined || module === ";" || module === "=") throw unreadable("no login module is named");
  if (flag === undefined || !CONTROL_FLAGS.includes(flag.toLowerCase()))
    throw unreadable("the word `required` is missing after the login module");
  if (rest.at(-1) !== ";") throw unreadable("it does not end with a semicolon");
  const options: [string, string][] = [];
  for (let i = 0; i < rest.length - 1; i += 3) {
    const [name, equals, value] = rest.slice(i, i + 3);
    if (name === ";") throw unreadable("it names more than one login module");
    if (name === undefined || equals !== "=" || value === undefined || i + 3 > rest.length - 1)
      throw unreadable(`option ${i / 3 + 1} is not name="value"`);
    options.push([name, value]);
  }
  return { module, options: Object.fromEntries(options) };
}

function tokens(text: string): string[] {
  const config = text.trimEnd();
  const found: string[] = [];
  for (let at = 0; at < config.length; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(config);
    if (match === null) throw unreadable("a quote is not closed");
    const [whole, double, single, mark, word] = match;
    found.push(mark ?? word ?? unquoted(double ?? single ?? ""));
    at += whole.length;
  }
  return found;
}

function unreadable(why: string): UsageError {
  return new UsageError(`sasl.jaas.config can't be read: ${why}`, 'Write:  CLASS required username="…" password="…";');
}

const LETTERS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", b: "\b" };

function unquoted(text: string): string {
  return text.replace(/\\([\s\S])/g, (_, letter: string) => LETTERS[letter] ?? letter);
}
