import { shown } from "../../core/document/printable.ts";
import { UsageError } from "../../core/errors.ts";
import { type Secret, secret } from "../../core/values/secret.ts";
import { readServiceUrl } from "../jmx/service-url.ts";
import type { Contexts } from "./contexts.ts";
import type { JmxAccess } from "./jmx-section.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const OF_JMX = { user: "CDCCTL_JMX_USER", password: "CDCCTL_JMX_PASSWORD" };
const OF_METRICS = { user: "CDCCTL_METRICS_USER", password: "CDCCTL_METRICS_PASSWORD" };

/**
 * Selects the login, certificates and domain for the JMX URL that the operator typed. No other URL receives any:
 * neither a plan file nor a worker may direct secrets to a JVM.
 *
 * - A context's `jmx` section applies if its `hosts` name the URL's host. It is bound to them, so the context that the
 *   command uses otherwise does not matter; it is preferred if several contexts name the host.
 * - The environment's login (`CDCCTL_JMX_USER`, `CDCCTL_JMX_PASSWORD`) takes precedence over the section's. The
 *   section's TLS and domain still apply.
 * - The login goes to the registry's host, or to another one in the same `hosts`; never to whatever host the registry
 *   names.
 * - A URL that contains a stub does not show its host, so no section applies.
 *
 * @param used name of the context that the command uses for Connect
 * @throws UsageError for a URL that can't be used, a user without password, or several contexts that name the host
 */
export async function decideJmx(
  url: string,
  env: Environment,
  contexts: Contexts,
  used: string | undefined,
): Promise<JmxAccess> {
  const read = readServiceUrl(url);
  const login = loginOf(env, OF_JMX);
  const names = read.form === "registry" ? contexts.namesOfJmxHost(read.registry) : [];
  const name = names.length > 1 && used !== undefined && names.includes(used) ? used : names[0];
  if (names.length > 1 && name !== used && read.form === "registry")
    throw new UsageError({
      message:
        `several contexts name the host ${shown(read.registry.host)} in jmx.hosts: ` +
        `${names.map((one) => shown(one)).join(", ")}`,
      remedy: "Keep it in one of them, or pass the --connect-url of one of them.",
      file: contexts.path,
    });
  const section = name === undefined ? {} : await contexts.resolveJmx(name);
  const given = login ?? section.login;
  if (given === undefined) return section;
  // A registry names the host to log in to: the operator must have named it as well.
  return {
    ...section,
    login: { ...given, mayGoTo: (address) => name !== undefined && contexts.isJmxHostOf(name, address) },
  };
}

/**
 * The login for the metrics URL that the operator typed: only the environment's.
 *
 * @throws UsageError for a user without password, or a password without user
 */
export function metricsLogin(env: Environment): { readonly user: string; readonly password: Secret } | undefined {
  return loginOf(env, OF_METRICS);
}

function loginOf(env: Environment, variables: typeof OF_JMX) {
  const [user, password] = [env[variables.user] ?? "", env[variables.password] ?? ""];
  if (user === "" && password === "") return undefined;
  if (user === "" || password === "")
    throw new UsageError(
      user === ""
        ? `${variables.password} is set without ${variables.user}`
        : `${variables.user} is set without ${variables.password}`,
      "Set both, or neither.",
    );
  return { user, password: secret(password) };
}
