import type { LentSettings } from "../facts/connector/settings.ts";
import type { SettingsOf } from "./connector/observe.ts";

type Config = Readonly<Record<string, string>>;

/** Where an observation takes from what the ports do not show: configurations and files of the operator. */
export interface Sources {
  readonly settingsOf: SettingsOf;
  /**
   * The same of a migration's new connector where the workers have it. The operator's file may say less than a whole
   * configuration then: it was written to complete the translation. Of database and brokers it says all.
   */
  readonly deployed: SettingsOf;
  readonly completed: Completed;
  /**
   * The new connector's class as the operator names it (`--connector-class`, a context); undefined: the documented one.
   */
  readonly connectorClass?: string | undefined;
  /**
   * An evidence file, as text.
   *
   * @param path as the plan file names it: from its own folder
   * @throws UsageError where it can't be read
   */
  evidence(path: string, planFile: string | undefined): Promise<string>;
}

/**
 * Completes a translated configuration by what the operator keeps for the new connector (the context's file, or
 * `--config`): logins, hosts, references. A plan file has none of these. With such a file, all that says where to go
 * and as whom is from it.
 *
 * @param set goes before both: what the plan file sets
 */
type Completed = (name: string, translated: Config, set: Config) => Promise<NewConfiguration>;

/** Holds secrets: it is handed to providers, and never a fact. */
export interface NewConfiguration {
  /** As it is sent to the workers: references are theirs to resolve. */
  readonly body: Config;
  /** As cdcctl itself uses it, references resolved. */
  readonly settings: LentSettings;
}
