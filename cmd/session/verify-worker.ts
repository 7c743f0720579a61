import { tmpdir } from "node:os";
import { givesAccess } from "../../core/document/access-settings.ts";
import { CallFailed, UsageError } from "../../core/errors.ts";
import type { BoundSettings } from "../../core/facts/connector/settings.ts";
import { connectorNamed } from "../../core/kinds/connector/observe.ts";
import { frameHead, framesIn } from "../../core/verification/job/frames.ts";
import { mayPass, readJob } from "../../core/verification/job/job.ts";
import { serveFrames } from "../../core/verification/job/worker.ts";
import { readConnectorConfig } from "../../providers/contexts/connector-config.ts";
import { nodeBytes } from "../../providers/spool/node-bytes.ts";
import { spillFiles } from "../../providers/spool/spill-files.ts";
import { EXIT } from "../command.ts";
import { type Host, VERSION } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { verifyWorkerOptions } from "../options/migrate.ts";
import { databaseLogin } from "./database-login.ts";
import { readText } from "./files.ts";
import { type OpenWorld, openWorld, typedTarget } from "./open-world.ts";

/** A job of ten thousand units has about 2 MB. */
export const MAX_JOB_BYTES = 256 * 1024 * 1024;

const NO_LOGIN = { "db-dsn": undefined, "db-user": undefined, "db-password-env": undefined };

/**
 * `migrate verify-worker`: serves a driver until it closes standard input.
 *
 * @throws UsageError for a job that cannot be read, or without a driver
 */
export async function verifyWorker(flags: Flags<typeof verifyWorkerOptions>, host: Host): Promise<number> {
  const { bytes } = host;
  if (bytes === undefined || host.stdout.columns !== undefined)
    throw new UsageError("a worker writes binary frames, but standard output is a terminal", {
      text: "Let a driver start it",
      command: "cdcctl migrate verify --engine spark --job-dir DIR",
    });
  const job = readJob(await readText(flags.job, MAX_JOB_BYTES), flags.job);
  const { context, connector } = job;
  await using world = await openWorld(typedTarget(connector, { context }), { context, contexts: flags.contexts }, host);
  let settings: Promise<BoundSettings> | undefined;
  const own = (): Promise<BoundSettings> => {
    settings ??= settingsIn(world, connector, host).catch((error: unknown) => {
      if (error instanceof CallFailed && mayPass(error)) settings = undefined;
      throw error;
    });
    return settings;
  };
  await serveFrames(
    job,
    framesIn(bytes.input),
    async (frame) => {
      await bytes.write(frameHead(frame));
      if (frame.payload.length > 0) await bytes.write(frame.payload);
    },
    {
      cdcctl: VERSION,
      kafka: async () => world.kafka(await own()),
      oracle: async () => world.oracle(await own()),
      spill: () => spillFiles(flags["work-dir"] ?? tmpdir()),
      work: nodeBytes,
      memory: () => process.resourceUsage().maxRSS * 1024,
      redact: world.redact,
    },
  );
  return EXIT.done;
}

/**
 * The settings from the context alone: its file of the connector, else the worker's copy; that one completes a file
 * written for a cutover, which says less than a whole configuration. A failed call to Connect may be repeated with the
 * next unit.
 */
async function settingsIn(world: OpenWorld, connector: string, host: Host): Promise<BoundSettings> {
  const file = world.configurationFile;
  const own =
    file === undefined ? undefined : await readConnectorConfig(file, { resolveReferences: false, env: host.env });
  const isWhole = own !== undefined && Object.hasOwn(own.config, "cdc.topic.prefix") && givesAccess(own.config);
  const description = !isWhole
    ? await connectorNamed(connector, world.connect)
    : { name: connector, config: {}, taskIds: [], type: "source" as const };
  const read = await world.sources.deployed(description);
  const by = { origin: read.origin, from: await world.configurationOf() };
  return { ...read, database: databaseLogin(NO_LOGIN, read.database, by, host) };
}
