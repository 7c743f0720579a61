import { UsageError } from "../../core/errors.ts";
import type { Address } from "./broker-cluster.ts";

const FORM = /^(?:([A-Za-z][A-Za-z0-9_]*):\/\/)?(?:\[([0-9a-fA-F:.%]+)\]|([^:[\]\s/@]+)):(\d{1,5})$/;

/**
 * Reads `host:port,host:port`, IPv6 addresses in brackets, a listener name such as `SASL_SSL://` in front ignored as
 * the Java client does.
 *
 * @throws UsageError naming the entry that is none
 */
export function bootstrapAddresses(servers: string): readonly Address[] {
  const entries = servers
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  if (entries.length === 0)
    throw new UsageError(
      "no brokers are named",
      "set cdc.stream.bootstrap.servers (bootstrap.servers) to host:port,host:port",
    );
  return entries.map((entry) => {
    const [, , bracketed, plain, port] = FORM.exec(entry) ?? [];
    const host = bracketed ?? plain;
    if (host === undefined || Number(port) < 1 || Number(port) > 65535)
      throw new UsageError(`bootstrap.servers: "${entry}" is no host:port`, "write host:port,host:port");
    return { host, port: Number(port) };
  });
}
