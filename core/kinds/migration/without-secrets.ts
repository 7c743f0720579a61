import type { SettingProblem } from "../../facts/connector.ts";
import { isSecretName, maskConfiguration } from "../../values/secret.ts";

/**
 * What a worker finds wrong with a configuration, without the secrets of it that its words may repeat: literal ones are masked; what a reference
 * stands for is not known here, so that nothing is repeated of a setting that holds one and whose name says that it is secret.
 */
export function withoutSecrets(
  problems: readonly SettingProblem[],
  config: Readonly<Record<string, string>>,
): readonly SettingProblem[] {
  const masked = maskConfiguration(config);
  const secrets = Object.entries(config)
    .filter(([name, value]) => value.trim() !== "" && masked[name] !== value)
    .map(([name, value]) => [value, masked[name] ?? ""] as const)
    // One may hold another.
    .sort(([a], [b]) => b.length - a.length);
  return problems.map(({ setting, errors }) => ({
    setting,
    errors:
      isSecretName(setting) && (config[setting] ?? "").includes("${")
        ? ["is refused; what the worker says may hold the secret, and is not repeated"]
        : errors.map((error) => {
            const told = secrets.reduce((text, [secret, mask]) => text.replaceAll(secret, () => mask), error);
            return maskConfiguration({ error: told })["error"] ?? "";
          }),
  }));
}
