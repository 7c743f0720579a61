import { maskConfiguration } from "./secret.ts";

type Config = Readonly<Record<string, string>>;

/**
 * What a worker says of a configuration may repeat its values (`Invalid value … for configuration …`). An answer with a secret in it is not shown:
 * journal, report and terminal never hold one.
 */
export function withoutSecrets(said: string, config: Config): string {
  return secretsOf(config).some((secret) => said.includes(secret))
    ? "its reason repeats a secret of the configuration, and is not shown: see the worker's log"
    : said;
}

/**
 * Every value that is masked, whole, and what of it is not there once it is masked. A name whose value is short enough to be part of any word hides more
 * answers than it has to.
 */
function secretsOf(config: Config): readonly string[] {
  const masked = maskConfiguration(config);
  return Object.keys(config).flatMap((name) => {
    const [value, shown] = [config[name] ?? "", masked[name] ?? ""];
    if (value === shown || value === "") return [];
    // Of a value that is masked whole (JAAS), what would be masked in any text.
    const { text = "" } = maskConfiguration({ text: value });
    return [value, ...hiddenParts(value, shown), ...hiddenParts(value, text)].map(unquoted);
  });
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/s, "$2") || text;
}

/** What the mask stands for, where it stands for a part of the value. */
function hiddenParts(value: string, shown: string): readonly string[] {
  const kept = shown.split("********").filter((part) => part !== "");
  let rest = value;
  const hidden: string[] = [];
  for (const part of kept) {
    const at = rest.indexOf(part);
    if (at < 0) return [value];
    hidden.push(rest.slice(0, at));
    rest = rest.slice(at + part.length);
  }
  return [...hidden, rest].filter((part) => part !== "");
}
