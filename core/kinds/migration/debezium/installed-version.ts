import { orUndefined } from "../../../errors.ts";
import { legacyKindOf } from "../../../legacy/legacy-kind.ts";
import type { ConnectPort } from "../../../ports/connect.ts";
import { type Config, settingOf } from "../../../values/config.ts";

/**
 * The version of a legacy connector's class that the workers have, which its translation pins defaults by; undefined
 * where nothing depends on it, or they don't say.
 */
export async function installedVersion(config: Config, connect: ConnectPort): Promise<string | undefined> {
  if (legacyKindOf(config)?.topics.assumed === undefined) return undefined;
  const plugins = (await orUndefined(connect.plugins())) ?? [];
  return plugins.find(({ className }) => className === settingOf(config, "connector.class"))?.version;
}
