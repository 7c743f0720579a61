import {
  type ConnectorConfig,
  parseConnectorConfig,
  readConnectorText,
} from "../../providers/contexts/connector-config.ts";
import type { Host } from "../host.ts";
import { readText } from "./files.ts";

const MAX_BYTES = 1024 * 1024;

/** A connector's configuration that the operator named, in any of its forms. */
export interface ConfigFile {
  /** As it is written, references included. */
  readonly written: ConnectorConfig;
  /** With the references resolved that can be: for cdcctl's own use, and for no output. */
  resolved(): Promise<ConnectorConfig>;
}

/** Reads a file, or standard input for `-`; numbers and booleans as a worker would take them. @throws UsageError with file and line; it never shows a value */
export async function readConfigFile(path: string, host: Host): Promise<ConfigFile> {
  const text = path === "-" ? await readText(path, MAX_BYTES) : await readConnectorText(path);
  const parsed = (resolveReferences: boolean) =>
    parseConnectorConfig(text, path, { resolveReferences, env: host.env, scalars: true });
  return { written: await parsed(false), resolved: () => parsed(true) };
}
