import type { Api } from "./api.ts";
import * as errors from "./protocol-errors.ts";
import { plainServer, scramServer } from "./scram-server.ts";

export const saslHandshake: Api = {
  key: 17,
  name: "SaslHandshake",
  versions: [1, 1],
  handle({ body, broker, session }, answer) {
    const mechanism = body.string();
    const offered = broker.mechanisms;
    const error =
      offered.length === 0
        ? errors.ILLEGAL_SASL_STATE
        : offered.includes(mechanism)
          ? errors.NONE
          : errors.UNSUPPORTED_SASL_MECHANISM;
    if (error === errors.NONE)
      session.sasl = {
        mechanism,
        answer:
          mechanism === "PLAIN"
            ? plainServer(broker.users)
            : scramServer(mechanism === "SCRAM-SHA-256" ? "sha256" : "sha512", broker.users),
      };
    answer.int16(error).array(offered, (name) => answer.string(name));
  },
};

export const saslAuthenticate: Api = {
  key: 36,
  name: "SaslAuthenticate",
  versions: [0, 1],
  handle({ body, version, session }, answer) {
    const outcome = session.sasl?.answer(body.nullableBytes() ?? Buffer.alloc(0));
    if (outcome === undefined) {
      session.closing = true;
      answer.int16(errors.SASL_AUTHENTICATION_FAILED).string(refusal(session.sasl?.mechanism));
      answer.nullableBytes(Buffer.alloc(0));
    } else {
      if (outcome.user !== undefined) {
        session.user = outcome.user;
        session.loggedIn = true;
      }
      answer.int16(errors.NONE).string(null).nullableBytes(outcome.reply);
    }
    if (version >= 1) answer.int64(0n);
  },
};

/** The messages of Kafka 3.9 and 4.3. */
const refusal = (mechanism = ""): string =>
  mechanism === "PLAIN"
    ? "Authentication failed: Invalid username or password"
    : `Authentication failed during authentication due to invalid credentials with SASL mechanism ${mechanism}`;
