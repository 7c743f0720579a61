import {
  type ConnectorConfig,
  parseConnectorConfig,
  readConnectorText,
} from "../../providers/contexts/connector-config.ts";
import { warnOfSettings } from "../../providers/contexts/exposed-files.ts";
import type { Host } from "../host.ts";
import { sayLine } from "../screen.ts";
import { readText } from "./files.ts";

const MAX_BYTES = 1024 * 1024;

/** A connector's configuration that the operator named, in any of its forms. */
interface ConfigFile {
  /** As it is written, references included. */
  readonly written: ConnectorConfig;
  /** With the references resolved that can be: for cdcctl's own use, and for no output. */
  resolved(): Promise<ConnectorConfig>;
}

/**
 * Reads a file, or standard input for `-`; numbers and booleans as a worker would take them. @throws UsageError with
 * file and line; it never shows a value
 */
export async function readConfigFile(path: string, host: Host): Promise<ConfigFile> {
  const { text, mode } =
    path === "-" ? { text: await readText(path, MAX_BYTES), mode: 0 } : await readConnectorText(path);
  const parsed = (resolveReferences: boolean) =>
    parseConnectorConfig(text, path, { resolveReferences, env: host.env, scalars: true });
  const written = await parsed(false);
  return {
    written,
    resolved() {
      // Whoever wants them resolved uses the logins.
      warnOfSettings({ path, mode }, written.config, (warning) => sayLine(host.stderr, `warning: ${warning}`));
      return parsed(true);
    },
  };
}
