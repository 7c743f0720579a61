import type { BrokerSettings } from "../../core/facts/connector/settings.ts";

/**
 * Settings by which client properties name files of this machine.
 *
 * @returns names as a connector's configuration has them
 */
export function localFilesOf({ properties }: BrokerSettings): readonly string[] {
  return Object.entries(properties)
    .filter(
      ([name, value]) =>
        /(?:^|[._])(?:location|files?|path|director(?:y|ies))$/i.test(name) && value.open().trim() !== "",
    )
    .map(([name]) => `cdc.stream.${name}`);
}
