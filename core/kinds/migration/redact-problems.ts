import type { SettingProblem } from "../../facts/connector/connector.ts";
import { isSecretName } from "../../redaction/redact.ts";
import { redactAnswer } from "../../redaction/redactor.ts";

/**
 * What a worker finds wrong with a configuration, without what repeats a secret of it. What a reference stands for is
 * not known here: of a setting that holds one, and whose name says that it is secret, nothing is repeated.
 */
export function redactProblems(
  problems: readonly SettingProblem[],
  config: Readonly<Record<string, string>>,
): readonly SettingProblem[] {
  return problems.map(({ setting, errors }) => {
    const hidden = isSecretName(setting) && (config[setting] ?? "").includes("${");
    return {
      setting,
      errors: errors.map((error) =>
        hidden
          ? "what the worker says may hold the secret, and is not shown: see its log"
          : redactAnswer(error, config),
      ),
    };
  });
}
