import { UsageError } from "../../core/errors.ts";
import { serverOfBean } from "../../core/facts/connector/task-metrics.ts";
import { escapeTerminal } from "../../core/values/escape.ts";
import { truncate } from "../../core/values/truncate.ts";

/** Names of the tasks' MBeans: `DOMAIN:type=task,server=PREFIX` (reference: wire formats, "Task metrics over JMX"). */

/** @throws UsageError for an invalid domain */
export function checkDomain(domain: string): string {
  if (/^[^:*?\n"=,]{1,200}$/.test(domain)) return domain;
  throw new UsageError(
    `"${escapeTerminal(truncate(domain, 200))}" is not a valid MBean domain`,
    "Write it like sh.oso.cdc.",
  );
}

export function taskBeanName(domain: string, prefix: string): string {
  return `${domain}:type=task,server=${serverOfBean(prefix)}`;
}

export function tasksPattern(domain: string): string {
  return `${domain}:type=task,*`;
}

/** Domain and prefix in the name of a task's MBean; undefined for any other name. */
export function taskOf(name: string): { readonly domain: string; readonly prefix: string } | undefined {
  const [, domain, properties = ""] = /^([^:]*):(.*)$/s.exec(name) ?? [];
  const server = /(?:^|,)server=("(?:[^"\\]|\\.)*"|[^,]*)/s.exec(properties)?.[1];
  if (domain === undefined || server === undefined) return undefined;
  return { domain, prefix: server.startsWith('"') ? unquoted(server) : server };
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, (_, escaped: string) => (escaped === "n" ? "\n" : escaped));
}
