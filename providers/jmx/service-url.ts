import { UsageError } from "../../core/errors.ts";
import { redactUserInfo } from "../../core/redaction/redact.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { truncate } from "../../core/values/truncate.ts";
import { type Address, printAddress } from "./remote-call.ts";

export type ServiceUrl =
  | { readonly form: "registry"; readonly registry: Address; readonly name: string }
  /** The stub itself, in Base64, as `JMXConnectorServer.getAddress()` gives it. */
  | { readonly form: "stub"; readonly stub: Buffer };

const EXAMPLE = "service:jmx:rmi:///jndi/rmi://worker-1.example.com:9999/jmxrmi";
const REGISTRY_PORT = 1099;
const LONGEST_STUB = 20_000;

/** `host`, `host:port`, `[::1]:port`; anything else is rejected. */
const HOST = String.raw`(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])`;
const ADDRESS = new RegExp(`^(${HOST})(?::(\\d{1,5}))?$`);

/**
 * Reads a JMX service URL: `service:jmx:rmi:///jndi/rmi://HOST:PORT/jmxrmi`, or `service:jmx:rmi:///stub/BASE64`. A
 * host and port may precede `/jndi/` or `/stub/`; Java's own client ignores both.
 *
 * Rule: `javax.management.remote.JMXServiceURL` and `javax.management.remote.rmi`, "Connector addresses".
 *
 * @throws UsageError for any other URL, stating what it is
 */
export function readServiceUrl(text: string): ServiceUrl {
  const masked = redactUserInfo(text);
  const excerpt = escapeTerminal(truncate(masked, 200));
  const refuse = (message: string, remedy = `Write it like this:  ${EXAMPLE}`) => new UsageError({ message, remedy });

  if (masked !== text || /:\/\/[^/]*@/.test(text))
    throw refuse(
      `the JMX URL ${excerpt} contains a user or a password`,
      "Remove them, and set CDCCTL_JMX_USER and CDCCTL_JMX_PASSWORD, or use the contexts file.",
    );
  const [, protocol, rest] = /^service:jmx:([A-Za-z0-9+.-]+):\/\/(.*)$/s.exec(text) ?? [];
  if (protocol === undefined || rest === undefined) {
    const bare = addressOf(text.replace(/^rmi:\/\//, "").replace(/\/jmxrmi$/, ""));
    throw refuse(
      `"${excerpt}" is not a JMX service URL`,
      bare === undefined ? undefined : `Write:  service:jmx:rmi:///jndi/rmi://${printAddress(bare)}/jmxrmi`,
    );
  }
  if (protocol.toLowerCase() !== "rmi")
    throw refuse(
      `the JMX URL ${excerpt} is for ` +
        `${PROTOCOLS[protocol.toLowerCase()] ?? `the protocol ${escapeTerminal(protocol)}`}, which is not supported ` +
        "here",
      `Use JMX over RMI, which every JVM has:  ${EXAMPLE}`,
    );
  const [, server = "", way, target = ""] = /^([^/]*)\/(jndi|stub|ior)\/(.*)$/s.exec(rest) ?? [];
  if (way === undefined)
    throw refuse(
      `the JMX URL ${excerpt} has neither /jndi/ nor /stub/ after the host`,
      addressOf(rest.replace(/\/$/, "")) === undefined
        ? undefined
        : `Write:  service:jmx:rmi:///jndi/rmi://${rest.replace(/\/$/, "")}/jmxrmi`,
    );
  if (server !== "" && addressOf(server) === undefined)
    throw refuse(`the host before /${way}/ in ${excerpt} is not a valid host`);
  if (way === "ior") throw refuse(`the JMX URL ${excerpt} is for IIOP (CORBA), which is not supported`);
  if (way === "stub") return { form: "stub", stub: stubOf(target, refuse) };

  const [, address = "", name] = /^rmi:\/\/([^/]*)\/(.*)$/s.exec(target) ?? [];
  const other = /^([a-z]+):/i.exec(target)?.[1];
  if (name === undefined && other !== undefined && other.toLowerCase() !== "rmi")
    throw refuse(`the JMX URL ${excerpt} looks the server up over ${escapeTerminal(other)}, which is not supported`);
  const registry = addressOf(address === "" ? "localhost" : address);
  if (name === undefined || registry === undefined)
    throw refuse(`the address of the registry in ${excerpt} can't be read`);
  if (!/^[A-Za-z0-9._/-]{1,200}$/.test(name))
    throw refuse(`the name after the registry in ${excerpt} is not valid; it is usually jmxrmi`);
  return { form: "registry", registry, name };
}

const PROTOCOLS: Readonly<Record<string, string>> = {
  iiop: "IIOP (CORBA)",
  jmxmp: "JMXMP",
  remote: "JBoss remoting",
  "remote+http": "JBoss remoting",
  "remote+https": "JBoss remoting",
  "http-remoting-jmx": "JBoss remoting",
  "remoting-jmx": "JBoss remoting",
  t3: "WebLogic's T3",
  wlx: "WebLogic's own protocol",
};

function addressOf(text: string): Address | undefined {
  const [, host, port] = ADDRESS.exec(text) ?? [];
  const number = port === undefined ? REGISTRY_PORT : Number(port);
  if (host === undefined || number < 1 || number > 65_535) return undefined;
  return { host: host.replace(/^\[|\]$/g, ""), port: number };
}

function stubOf(target: string, refuse: (message: string, remedy?: string) => UsageError): Buffer {
  if (target.length > LONGEST_STUB || !/^[A-Za-z0-9+/]+={0,2}$/.test(target))
    throw refuse(
      "the text after /stub/ in the JMX URL is not valid Base64",
      "Use the URL as the JVM prints it, or the form with /jndi/.",
    );
  return Buffer.from(target, "base64");
}
