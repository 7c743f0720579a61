import { UsageError } from "../../core/errors.ts";
import { noConnector } from "../../core/kinds/connector/observe.ts";
import {
  type ConnectorConfig,
  parseConnectorConfig,
  readConnectorText,
} from "../../providers/contexts/connector-config.ts";
import { warnOfSettings } from "../../providers/contexts/exposed-files.ts";
import type { Source } from "../../providers/contexts/trust.ts";
import type { Host } from "../host.ts";
import { sayLine } from "../screen.ts";
import { readText } from "./files.ts";
import type { WorldFlags } from "./open-world.ts";

const MAX_BYTES = 1024 * 1024;

/** A connector's configuration that the operator named, in any of its forms. */
interface ConfigFile {
  /** Where it is, for messages: a path, or `GET /connectors/orders-cdc`. */
  readonly origin: string;
  /** Who it is of. */
  readonly from: Source;
  /** As it is written, references included. */
  readonly written: ConnectorConfig;
  /** With the references resolved that can be: for cdcctl's own use, and for no output. */
  resolved(): Promise<ConnectorConfig>;
}

type NamingFlags = Pick<WorldFlags, "config" | "context" | "contexts" | "connect-url"> & {
  readonly connector?: string | undefined;
};

/**
 * The configuration that the flags name: the file of `--config`; else, of `--connector`, the one that the context has
 * for it, or the worker's copy.
 *
 * @returns undefined where they name none
 * @throws UsageError naming what is missing
 */
export async function namedConfiguration(flags: NamingFlags, host: Host): Promise<ConfigFile | undefined> {
  const { config, connector } = flags;
  if (config !== undefined) return readConfigFile(config, host);
  if (connector === undefined) {
    if (flags.context === undefined && flags["connect-url"] === undefined) return undefined;
    throw new UsageError("nothing says which connector of these workers is meant", "Give --connector NAME.");
  }
  const { openWorld, typedTarget } = await import("./open-world.ts");
  const world = await openWorld(typedTarget(connector, flags), flags, host);
  try {
    if (world.configurationFile !== undefined) return await readConfigFile(world.configurationFile, host);
    const description = await world.connect.connector(connector);
    if (description === undefined) throw noConnector(connector, world.connect.url);
    const written = { config: description.config, name: connector, unresolved: {} };
    // Only the worker may resolve what it refers to.
    return {
      origin: `GET /connectors/${connector}`,
      from: world.configurationOf,
      written,
      resolved: async () => written,
    };
  } finally {
    await world.close();
  }
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
    origin: path,
    from: "the operator's file",
    written,
    resolved() {
      // Whoever wants them resolved uses the logins.
      warnOfSettings({ path, mode }, written.config, (warning) => sayLine(host.stderr, `warning: ${warning}`));
      return parsed(true);
    },
  };
}
