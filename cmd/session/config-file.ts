import { completedBy } from "../../core/document/access-settings.ts";
import { CallFailed, UsageError } from "../../core/errors.ts";
import { connectorNamed } from "../../core/kinds/connector/observe.ts";
import { refuseOther } from "../../core/legacy/legacy-kind.ts";
import {
  type ConnectorConfig,
  parseConnectorConfig,
  readConnectorText,
} from "../../providers/contexts/connector-config.ts";
import { warnOfSettings } from "../../providers/contexts/text-file.ts";
import type { Source } from "../../providers/contexts/trust.ts";
import type { Host } from "../host.ts";
import { warningsTo } from "../screen.ts";
import { readText } from "./files.ts";
import type { OpenWorld, WorldFlags } from "./open-world.ts";

const MAX_BYTES = 1024 * 1024;

/** A connector configuration named by the operator, in any of its forms. */
interface ConfigFile {
  /** Its origin, for messages: a path, or `GET /connectors/orders-cdc`. */
  readonly origin: string;
  readonly from: Source;
  /** The settings as written, with unresolved references. */
  readonly written: ConnectorConfig;
  /** Resolves references where possible. For internal use, never for output. */
  resolved(): Promise<ConnectorConfig>;
}

type NamingFlags = Pick<WorldFlags, "config" | "context" | "contexts" | "connect-url"> & {
  readonly connector?: string | undefined;
};

/**
 * The configuration named by the flags: the file of `--config`, or that of `--connector`, from the context or the
 * worker.
 *
 * @returns undefined where they name none
 * @throws UsageError naming what is missing, and Refusal `CON301` for a connector that is known as another one
 */
export async function namedConfiguration(flags: NamingFlags, host: Host): Promise<ConfigFile | undefined> {
  const { config, connector } = flags;
  if (config !== undefined) {
    const file = await readConfigFile(config, host);
    refuseOther(file.written.name ?? config, file.written.config);
    return file;
  }
  if (connector === undefined) {
    if (flags.context === undefined && flags["connect-url"] === undefined) return undefined;
    throw new UsageError("no connector is named", "Give --connector NAME.");
  }
  const { openWorld, typedTarget } = await import("./open-world.ts");
  await using world = await openWorld(typedTarget(connector, flags), flags, host);
  if (world.configurationFile !== undefined) {
    const file = await readConfigFile(world.configurationFile, host);
    const deployed = await deployedCopy(connector, world, file, host);
    const whole = (own: ConnectorConfig) => ({ ...own, config: completedBy(deployed, own.config, file.origin) });
    return {
      ...file,
      from: await world.configurationOf(),
      written: whole(file.written),
      resolved: async () => whole(await file.resolved()),
    };
  }
  const { config: settings } = await connectorNamed(connector, world.connect);
  refuseOther(connector, settings);
  const written = { config: settings, name: connector, unresolved: {} };
  // Only the worker may resolve its references.
  return {
    origin: `GET /connectors/${connector}`,
    from: await world.configurationOf(),
    written,
    resolved: async () => written,
  };
}

/** The worker's copy; none for a connector that is not there yet, and, with a warning, where no worker answers. */
async function deployedCopy(connector: string, { connect }: OpenWorld, { origin, written }: ConfigFile, host: Host) {
  try {
    return (await connect.connector(connector))?.config ?? {};
  } catch (failure) {
    if (!(failure instanceof CallFailed) || !Object.hasOwn(written.config, "cdc.topic.prefix")) throw failure;
    warningsTo(host)(`only ${origin} counts, without the worker's copy: ${failure.message}`);
    return {};
  }
}

/**
 * Reads a file, or standard input for `-`; numbers and booleans as a worker would take them. @throws UsageError with
 * file and line; values are never shown
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
      // Resolving the references uses the logins.
      warnOfSettings({ path, mode }, written.config, warningsTo(host));
      return parsed(true);
    },
  };
}
