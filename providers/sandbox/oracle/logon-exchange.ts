/** The two logon messages and the server's answers: a challenge, then a session or the reason of a refusal. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import { type Challenge, challenge, openAnswer, type Pair, type Verifier } from "./logon.ts";
import type { OracleUser } from "./options.ts";
import { OraError } from "./ora-error.ts";
import type { Reader } from "./wire.ts";

export interface LogonMessage {
  /** The user as in the data dictionary: upper case unless it was quoted. */
  readonly user: string;
  readonly pairs: Readonly<Record<string, string>>;
  /** Whether the client sends texts with an announced length as bare bytes (ojdbc); other drivers repeat the length. */
  readonly bareText: boolean;
}

/** @param bareText as known so far; the user's name determines it */
export function readLogon(reader: Reader, bareText: boolean): LogonMessage {
  const hasUser = reader.uint8() !== 0;
  const userLength = reader.count(1024);
  reader.ub();
  reader.uint8();
  const count = reader.count(1000);
  reader.pass(2);
  const bare = hasUser && userLength > 0 ? reader.peek() !== userLength : bareText;
  const name = hasUser ? (bare ? reader.take(userLength) : (reader.lenBytes() ?? "")).toString() : "";
  const pairs: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    const [key, value] = reader.keyValue();
    pairs[key.replace(/\0$/, "")] = value;
  }
  const user = /^".*"$/.test(name) ? name.slice(1, -1) : name.toUpperCase();
  return { user, pairs, bareText: bare };
}

/** Challenges an unknown user like any other: the challenge must not reveal which users exist. */
export function ask(user: OracleUser | undefined, verifier: Verifier): Challenge {
  return challenge(user?.password ?? randomBytes(9).toString("hex"), verifier);
}

/**
 * @returns the server's own proof that it knows the password
 * @throws OraError 28000 for a locked account, 01017 for a wrong name or password, 01045 without CREATE SESSION
 */
export function admit(
  user: OracleUser | undefined,
  name: string,
  asked: Challenge | undefined,
  answer: Readonly<Record<string, string>>,
): string {
  if (user?.locked === true) throw new OraError(28000, "The account is locked.");
  const opened = asked === undefined ? undefined : openAnswer(asked, answer);
  if (user === undefined || opened === undefined || !same(opened.password, user.password))
    throw new OraError(1017, "invalid username/password; logon denied");
  if (user.maySignIn === false) throw new OraError(1045, `user ${name} lacks CREATE SESSION privilege; logon denied`);
  return opened.proof;
}

function same(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The attributes of a session that are sent to the client. */
export function sessionPairs(about: {
  readonly sessionId: number;
  readonly database: string;
  readonly service: string;
  readonly versionNumber: number;
  readonly proof: string;
}): readonly Pair[] {
  return [
    ["AUTH_VERSION_STRING", "- Production"],
    ["AUTH_VERSION_SQL", "25"],
    ["AUTH_VERSION_NO", String(about.versionNumber)],
    ["AUTH_SESSION_ID", String(about.sessionId)],
    ["AUTH_SERIAL_NUM", String(4711 + about.sessionId)],
    ["AUTH_INSTANCENAME", about.database],
    ["AUTH_DBNAME", about.service.toUpperCase()],
    ["AUTH_SC_DBUNIQUE_NAME", about.database],
    ["AUTH_SC_REAL_DBUNIQUE_NAME", about.database],
    ["AUTH_SC_SERVICE_NAME", about.service],
    ["AUTH_SC_DB_DOMAIN", ""],
    ["AUTH_MAX_OPEN_CURSORS", "300"],
    ["AUTH_MAX_IDEN_LENGTH", "128"],
    ["AUTH_SVR_RESPONSE", about.proof],
  ];
}
