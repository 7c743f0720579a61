/** A connector's configuration: its settings by name. */
export type Config = Readonly<Record<string, string>>;

/** A setting without the blanks around it; undefined where it is absent or blank. */
export function settingOf(config: Config, name: string): string | undefined {
  return (Object.hasOwn(config, name) ? config[name]?.trim() : undefined) || undefined;
}

/** A configuration provider's reference; `${prefix}` and other variables of the connector have no colon. */
export const REFERENCE = /\$\{[^}:]*:[^}]*\}/;

/** @returns names of the settings that contain a reference (`${file:…}`), which only the worker resolves */
export function unresolved(config: Config): readonly string[] {
  return Object.keys(config).filter((name) => REFERENCE.test(config[name] ?? ""));
}
