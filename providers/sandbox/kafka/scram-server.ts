import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from "node:crypto";

const ITERATIONS = 4096;

/** The answer of a mechanism to a client's message; `user` after the login; undefined if the login is refused. */
export type SaslAnswer = { readonly reply: Buffer; readonly user?: string } | undefined;

/** The server's half of SCRAM (RFC 5802) without channel binding: two messages from the client. */
export function scramServer(
  digest: "sha256" | "sha512",
  users: Readonly<Record<string, string>>,
): (message: Buffer) => SaslAnswer {
  const length = digest === "sha256" ? 32 : 64;
  const hmac = (key: Buffer, text: string) => createHmac(digest, key).update(text).digest();
  let first: { user: string; nonce: string; messages: string; salted: Buffer } | undefined;

  return (message) => {
    const text = message.toString("utf8");
    if (first === undefined) {
      const bare = text.replace(/^[nyp][^,]*,[^,]*,/, "");
      const user = attribute(bare, "n")?.replaceAll("=2C", ",").replaceAll("=3D", "=");
      const nonce = `${attribute(bare, "r") ?? ""}${randomBytes(18).toString("base64url")}`;
      const salt = randomBytes(16);
      const password = user === undefined ? undefined : users[user];
      if (user === undefined || password === undefined) return undefined;
      const reply = `r=${nonce},s=${salt.toString("base64")},i=${ITERATIONS}`;
      first = {
        user,
        nonce,
        messages: `${bare},${reply}`,
        salted: pbkdf2Sync(password, salt, ITERATIONS, length, digest),
      };
      return { reply: Buffer.from(reply) };
    }
    const { user, nonce, messages, salted } = first;
    const proof = Buffer.from(attribute(text, "p") ?? "", "base64");
    if (attribute(text, "r") !== nonce || proof.length !== length) return undefined;
    const signed = `${messages},${text.replace(/,p=[^,]*$/, "")}`;
    const storedKey = createHash(digest).update(hmac(salted, "Client Key")).digest();
    const signature = hmac(storedKey, signed);
    const clientKey = Buffer.from(proof.map((byte, i) => byte ^ (signature[i] ?? 0)));
    if (!timingSafeEqual(createHash(digest).update(clientKey).digest(), storedKey)) return undefined;
    const serverSignature = hmac(hmac(salted, "Server Key"), signed);
    return { reply: Buffer.from(`v=${serverSignature.toString("base64")}`), user };
  };
}

/** PLAIN (RFC 4616). */
export function plainServer(users: Readonly<Record<string, string>>): (message: Buffer) => SaslAnswer {
  return (message) => {
    const [, user = "", password] = message.toString("utf8").split("\0");
    return password !== undefined && users[user] === password ? { reply: Buffer.alloc(0), user } : undefined;
  };
}

function attribute(message: string, name: string): string | undefined {
  return message
    .split(",")
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(2);
}
