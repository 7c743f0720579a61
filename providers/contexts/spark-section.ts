import { shown } from "../../core/document/printable.ts";
import type { YamlNode } from "../../core/document/tree.ts";
import { UsageError } from "../../core/errors.ts";
import { holdsReference } from "./references.ts";

/** The program of a submit command. Options may hold a secret: they are shown nowhere. */
export function programOf(line: string | undefined): string | undefined {
  return line?.trim().split(/\s+/)[0];
}

/** Whether a submit command has the driver run on the cluster: its progress and results would stay there. */
export function usesClusterMode(submit: string | undefined): boolean {
  return /(?:--deploy-mode[\s=]+|spark\.submit\.deployMode=)["']?cluster\b/.test(submit ?? "");
}

/**
 * Refuses references in the section `spark` of a context: it holds command lines, which every user of the machine can
 * read while they run.
 *
 * @throws UsageError naming the key
 */
export function refuseReferences(context: string, section: YamlNode | undefined): void {
  const entries = section?.form === "map" ? section.entries : [];
  const entry = entries.find(({ value }) => value.form === "scalar" && holdsReference(value.source));
  if (entry === undefined) return;
  throw new UsageError({
    message:
      `context "${shown(context)}": spark.${entry.key} contains a reference, and command lines are visible to ` +
      "other users",
    remedy: "Remove it. Workers read their logins from a contexts file on the executors.",
    ...entry.value.place,
  });
}
