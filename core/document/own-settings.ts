import { isSecretName, redactText } from "../redaction/redact.ts";
import { anyOf, inSequence } from "../values/regexp.ts";
import type { Fault } from "./formats.ts";

/**
 * Settings that a plan file may not make in a new connector's configuration. A plan file can be edited by a user who
 * may not see the secrets, and a worker would resolve its references and send the values to any host it names, even in
 * a dry run.
 *
 * Rule: architecture, "Who is trusted".
 */
const REFUSED: readonly { readonly is: (name: string) => boolean; readonly why: string; readonly remedy: string }[] = [
  {
    is: (name) => name === "name",
    why: "is set elsewhere",
    remedy: "write the new connector's name as spec.to.name",
  },
  {
    is: (name) => name === "cdc.topic.prefix",
    why: "is set elsewhere",
    remedy: "write it as spec.to.topicPrefix",
  },
  {
    is: (name) => name === "cdc.start.scn" || name === "cdc.snapshot.mode",
    why: "is what the takeover sets",
    remedy: "remove it: the new connector starts where the legacy one stood, without a snapshot",
  },
  {
    is: (name) => name === "connector.class" || name === "tasks.max",
    why: "is what the migration sets",
    remedy: "remove it",
  },
  {
    is: isSecretName,
    why: "holds a secret, which a plan file must not",
    remedy: "put it into the context's file for the connector, or into the file of --config",
  },
  {
    is: namesPlaceOrUser,
    why: "says where the connector goes, or as whom, which a plan file must not",
    remedy: "put it into the context's file for the connector, or into the file of --config",
  },
];

/** The problem of a setting's name; the name itself precedes it, as the end of its path. */
export function settingFault(name: string): Fault | undefined {
  const refused = REFUSED.find(({ is }) => is(name.trim()));
  return refused === undefined ? undefined : { fault: refused.why, remedy: refused.remedy };
}

/** References are refused everywhere in a plan file. The value is not repeated, since it may contain a login. */
export function settingValueFault(value: string): Fault | undefined {
  const remedy = "put it into the context's file for the connector, or into the file of --config";
  if (/:\/\/|^jdbc:|@/i.test(value)) return { fault: "holds a URL, or a host", remedy };
  return redactText(value) === value ? undefined : { fault: "holds a secret, which a plan file must not", remedy };
}

const WHERE_OR_WHO = inSequence(
  [
    /(^|\.)/,
    anyOf([
      /hosts?|hostname|urls?|uri|servers?|endpoints?|port|service|sid|dsn/,
      /user|username|login|wallet|location|files?|path|director(y|ies)|providers?|classes|connection\.properties/,
    ]),
    /(\.|$)/,
  ],
  "i",
);

/** Whether a setting of this name determines a client's destination or user. */
export function namesPlaceOrUser(name: string): boolean {
  return WHERE_OR_WHO.test(name) || /^cdc\.(stream|kafka)\.|\.override\./i.test(name);
}
