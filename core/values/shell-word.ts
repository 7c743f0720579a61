import { unseen, urlPart } from "./escape.ts";

/**
 * Quotes every printed command: a word stands for itself in any POSIX shell, whatever it contains, and consists of
 * visible characters, so that escaping it for the screen changes nothing.
 */

/** A word in shell syntax. */
export function shellWord(word: string): string {
  if (unseen(word)) return `"$(printf '${octal(word)}')"`;
  return /^[\w./@%+=:,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The name of a file, which no command reads as an option. */
export function shellFile(name: string): string {
  return shellWord(name.startsWith("-") && name !== "-" ? `./${name}` : name);
}

/** An option of a command with its value, which is not read as another option. */
export function shellOption(name: string, value: string): string {
  return `${name}${value.startsWith("-") ? "=" : " "}${shellWord(value)}`;
}

/** A command line of words. */
export function shellLine(...words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** A call of Connect's REST API about a connector. @param rest after the connector's name: `/resume` */
export function curlLine(method: "GET" | "PUT" | "POST" | "DELETE", connectUrl: string, connector: string, rest = "") {
  const url = `${connectUrl}/connectors/${urlPart(connector).replaceAll("'", "%27")}${rest}`;
  return shellLine("curl", ...(method === "GET" ? [] : ["-X", method]), url);
}

/** How the workers of a connector are named on a command line; without either, the operator has to name the context. */
export interface Workers {
  readonly context?: string | undefined;
  readonly connectUrl?: string | undefined;
}

/** `--context prod`. */
export function workersFlag({ context, connectUrl }: Workers): string {
  if (context !== undefined) return shellOption("--context", context);
  return connectUrl === undefined ? "--context CONTEXT" : shellOption("--connect-url", connectUrl);
}

/** `cdcctl connectors resume orders-cdc --context prod`. */
export function connectorsLine(does: "show" | "stop" | "resume" | "restart", connector: string, at: Workers): string {
  const [name, workers] = [shellWord(connector), workersFlag(at)];
  return `cdcctl connectors ${does} ${connector.startsWith("-") ? `${workers} -- ${name}` : `${name} ${workers}`}`;
}

/**
 * The command that settles a change in flight from the ops topic. @param at without either, the operator has to name
 * the context
 */
export function fromOpsCommand(at: Workers & { readonly connector: string }): string {
  return `cdcctl recover --from-ops ${workersFlag(at)} ${shellOption("--connector", at.connector)}`;
}

/** A word for `printf`, which every POSIX shell has: invisible characters as octal bytes. */
function octal(word: string): string {
  return [...new TextEncoder().encode(word)]
    .map((byte) =>
      /[\w./@+=:, -]/.test(String.fromCharCode(byte)) && byte < 0x80
        ? String.fromCharCode(byte)
        : `\\${byte.toString(8).padStart(3, "0")}`,
    )
    .join("");
}
