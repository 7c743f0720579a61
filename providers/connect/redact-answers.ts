import { redactLines, secretsOf } from "../../core/redaction/redactor.ts";
import { parseJson } from "../../core/values/json.ts";
import { connectorDescription, NotAsExpected } from "./answers.ts";
import { authorizationOf, type ConnectAuth } from "./endpoint.ts";
import type { Call, Exchange } from "./exchange.ts";
import { connectError, type Redact } from "./failure.ts";

type Config = Readonly<Record<string, string>>;

/**
 * What of the workers' words may be shown: nothing that repeats a secret of the configurations that went to and fro, or
 * of the login.
 */
interface AnswerRedaction {
  /** A configuration as the workers show it. */
  seen(connector: string, config: Config): void;
  /** One that is sent to them: they may repeat it in their answer. */
  sent(config: Config): void;
  /** For the answer to a call. The configuration of a connector that was never seen is asked for, once. */
  redactorFor(call: Call, answer: Exchange): Promise<Redact>;
}

/**
 * @param redact what may be shown as far as the caller knows secrets
 * @param look one GET of a connector
 */
export function answerRedaction({
  auth,
  redact = (said) => said,
  look,
}: {
  readonly auth: ConnectAuth | undefined;
  readonly redact: Redact | undefined;
  look(connector: string): Promise<Exchange>;
}): AnswerRedaction {
  const own = secretsOfLogin(auth);
  const shown = new Map<string, Config>();
  const handedOver: Config[] = [];
  return {
    seen: (connector, config) => void shown.set(connector, config),
    sent: (config) => void handedOver.push(config),
    async redactorFor({ method, path }, answer) {
      const [, name = "", below = ""] = /^\/connectors\/([^/]+)(\/.*)?$/.exec(path) ?? [];
      const connector = decodeURIComponent(name);
      if (answer.answered && !answer.byProxy && answer.text !== "" && below !== "" && !shown.has(connector)) {
        const seen = await look(connector);
        const config = configurationIn(seen);
        if (config !== undefined) shown.set(connector, config);
        // Only these run the connector's own code, which knows what the references stand for.
        else if (below === "/offsets" && method !== "GET" && !isMissing(seen)) return () => UNREAD;
      }
      const secrets = [...own, ...[...handedOver, shown.get(connector) ?? {}].flatMap(secretsOf)];
      return (said) => redactLines(redact(said), secrets);
    },
  };
}

const UNREAD =
  "what the worker says is not shown, for it may repeat a secret of the configuration, which could not be read: " +
  "see its log";

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

/** What a gateway may repeat of the login to the workers. */
function secretsOfLogin(auth: ConnectAuth | undefined): readonly string[] {
  if (auth === undefined) return [];
  const value = (auth.kind === "basic" ? auth.password : auth.token).open();
  const header = authorizationOf(auth)?.replace(/^\w+ /, "");
  return [value, header ?? ""].filter((one) => one !== "");
}
