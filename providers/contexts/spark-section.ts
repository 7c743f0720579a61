import { shown } from "../../core/document/printable.ts";
import type { YamlNode } from "../../core/document/tree.ts";
import { UsageError } from "../../core/errors.ts";
import { isSecretName, redactUserInfo } from "../../core/redaction/redact.ts";
import { holdsReference } from "./references.ts";

/**
 * The program of a submit command. Options, and variables set before the program, may hold a secret: they are shown
 * nowhere.
 */
export function programOf(line: string | undefined): string | undefined {
  const first = line?.trim().split(/\s+/)[0];
  return first === undefined || /^[\w./+~${}-]+$/.test(first) ? first : "a shell command";
}

/** Whether a submit command has the driver run on the cluster: its progress and results would stay there. */
export function usesClusterMode(submit: string | undefined): boolean {
  return /(?:--deploy-mode[\s=]+|spark\.submit\.deployMode=)["']?cluster\b/.test(submit ?? "");
}

/** Names with a secret's word whose values only locate it, or switch something. */
const NO_LOGIN = /\.secrets\.|\.secretKeyRef\.|File$|^spark\.security\.credentials\./;

/** The first login in a command line, by the name of its setting or as part of a URL; undefined without one. */
function loginIn(line: string): string | undefined {
  const names = [...line.matchAll(/(?<![\w.-])[\w.-]+(?==\S)/g)].map(([name]) => name.replace(/^(?:-D|-+)/, ""));
  const setting = names.find((name) => isSecretName(name) && !NO_LOGIN.test(name));
  if (setting !== undefined) return `the setting ${shown(setting)}`;
  return redactUserInfo(line) === line ? undefined : "a URL with a login";
}

const VISIBLE = "and command lines are visible to other users";
const ELSEWHERE =
  "Remove it. Spark reads its logins from spark-defaults.conf, and workers read theirs from a contexts file on the " +
  "executors.";

/** @param option named in the error. @throws UsageError for a command line with a login, which is not repeated */
export function refuseLogins(option: string, line: string | undefined): void {
  const login = loginIn(line ?? "");
  if (login !== undefined) throw new UsageError(`${option} contains ${login}, ${VISIBLE}`, ELSEWHERE);
}

/**
 * Refuses references and logins in the section `spark` of a context: it holds command lines, which every user of the
 * machine can read while they run.
 *
 * @throws UsageError naming the key
 */
export function refuseLoginsIn(context: string, section: YamlNode | undefined): void {
  for (const { key, value } of section?.form === "map" ? section.entries : []) {
    if (value.form !== "scalar") continue;
    const login = holdsReference(value.source) ? "a reference" : loginIn(value.source);
    if (login === undefined) continue;
    throw new UsageError({
      message: `context "${shown(context)}": spark.${key} contains ${login}, ${VISIBLE}`,
      remedy: ELSEWHERE,
      ...value.place,
    });
  }
}
