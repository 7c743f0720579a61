import { redactLines, secretsOf } from "../../core/redaction/redactor.ts";
import type { Config } from "../../core/values/config.ts";
import { parseJson } from "../../core/values/json.ts";
import { connectorDescription, NotAsExpected } from "./answers.ts";
import { authorizationOf, type ConnectAuth } from "./endpoint.ts";
import type { Call, Exchange } from "./exchange.ts";
import { connectError, type Redact } from "./failure.ts";

/** Redacts the workers' messages: no secret of the configurations sent or received, or of the login, is shown. */
interface AnswerRedaction {
  /** Adds a configuration that the workers returned. */
  seen(connector: string, config: Config): void;
  /** Adds a configuration that is sent to them: they may repeat it in their answer. */
  sent(config: Config): void;
  /** Redacts the answer to a call. The configuration of an unknown connector is requested once. */
  redactorFor(call: Call, answer: Exchange): Promise<Redact>;
}

/**
 * @param redact redacts the secrets that the caller knows
 * @param fetchConnector sends one GET of a connector
 */
export function answerRedaction({
  auth,
  redact = (text) => text,
  fetchConnector,
}: {
  readonly auth: ConnectAuth | undefined;
  readonly redact: Redact | undefined;
  fetchConnector(connector: string): Promise<Exchange>;
}): AnswerRedaction {
  const own = secretsOfLogin(auth);
  const configurations = new Map<string, Config>();
  const submitted: Config[] = [];
  return {
    seen: (connector, config) => void configurations.set(connector, config),
    sent: (config) => void submitted.push(config),
    async redactorFor({ method, path }, answer) {
      const [, name = "", below = ""] = /^\/connectors\/([^/]+)(\/.*)?$/.exec(path) ?? [];
      const connector = decodeURIComponent(name);
      if (answer.answered && !answer.byProxy && answer.text !== "" && below !== "" && !configurations.has(connector)) {
        const seen = await fetchConnector(connector);
        const config = configurationIn(seen);
        if (config !== undefined) configurations.set(connector, config);
        // Only these run connector code, which knows the values behind references.
        else if (below === "/offsets" && method !== "GET" && !isMissing(seen)) return () => UNREAD;
      }
      const secrets = [...own, ...[...submitted, configurations.get(connector) ?? {}].flatMap(secretsOf)];
      return (text) => redactLines(redact(text), secrets);
    },
  };
}

const UNREAD =
  "the worker's message is not shown, because it may contain a secret of the configuration, which could not be read: " +
  "see the worker's log";

function configurationIn(seen: Exchange): Config | undefined {
  if (!seen.answered || seen.status !== 200) return undefined;
  try {
    return connectorDescription(parseJson(seen.text)).config;
  } catch (error) {
    if (error instanceof NotAsExpected || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Connect's own "no such connector": it has no configuration either. */
function isMissing(seen: Exchange): boolean {
  return seen.answered && connectError(seen)?.status === 404;
}

/** The parts of the login that a gateway may repeat. */
function secretsOfLogin(auth: ConnectAuth | undefined): readonly string[] {
  if (auth === undefined) return [];
  const value = (auth.kind === "basic" ? auth.password : auth.token).open();
  const header = authorizationOf(auth)?.replace(/^\w+ /, "");
  return [value, header ?? ""].filter((one) => one !== "");
}
