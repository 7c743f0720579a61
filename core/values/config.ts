/** A connector's configuration: its settings by name. */
export type Config = Readonly<Record<string, string>>;

/** A setting without the blanks around it; undefined where it is absent or blank. */
export function settingOf(config: Config, name: string): string | undefined {
  return (Object.hasOwn(config, name) ? config[name]?.trim() : undefined) || undefined;
}
