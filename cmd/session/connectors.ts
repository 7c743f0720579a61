import { latestEvents, notBegunHere } from "../../core/change/ops-topics.ts";
import { type StoredRuns, storedRuns } from "../../core/change/stored-runs.ts";
import { Refusal, UsageError } from "../../core/errors.ts";
import type { ConnectorDescription } from "../../core/facts/connector/connector.ts";
import type { BoundSettings } from "../../core/facts/connector/settings.ts";
import { withRedactedTraces } from "../../core/facts/connector/traces.ts";
import type { DatabaseSeen } from "../../core/facts/database/database.ts";
import { mapObserved, type Observed } from "../../core/facts/observed.ts";
import { lenientObserverAt } from "../../core/facts/observer.ts";
import { misplaced } from "../../core/facts/offset/origin.ts";
import { ownOffset, type StoredOffset } from "../../core/facts/offset/stored-offset.ts";
import { noConnector, offsetsIfAny } from "../../core/kinds/connector/observe.ts";
import { kindOfClass } from "../../core/legacy/connector-class.ts";
import type { OraclePort } from "../../core/ports/oracle.ts";
import { redactSetting } from "../../core/redaction/redact.ts";
import { connectorsOf } from "../../core/run/subject.ts";
import { millisBetween } from "../../core/values/instant.ts";
import { EXIT } from "../command.ts";
import type { Host } from "../host.ts";
import type { Flags } from "../options/common.ts";
import type { connectorsListOptions, connectorsShowOptions, namePositional } from "../options/connectors.ts";
import {
  type ConnectorView,
  connectorReport,
  connectorsDocument,
  connectorsReport,
  type Lag,
} from "../views/connectors.ts";
import { type OpenWorld, openWorld, typedTarget } from "./open-world.ts";
import { type Opened, openings } from "./places.ts";
import { inForm, reported, writeInForm } from "./report-forms.ts";
import { whileWatched } from "./watching.ts";

type ListFlags = Flags<typeof connectorsListOptions>;
type ShowFlags = Flags<typeof connectorsShowOptions & typeof namePositional>;

/** Runs `connectors list`: CDC and legacy connectors of these workers. Read-only. @returns 0 */
export async function listConnectors(flags: ListFlags, host: Host): Promise<number> {
  await using world = await openWorld(typedTarget("", flags), flags, host);
  await using opened = openings(host);
  const databases: Databases = new Map();
  const [{ clusterId }, names] = await Promise.all([world.connect.worker(), world.connect.connectors()]);
  const runs = await storedRuns(world.state, { clusterId });
  const shown: ConnectorView[] = [];
  let others = 0;
  for (const name of [...names].sort()) {
    const description = await world.connect.connector(name);
    if (description === undefined) continue;
    if (kindOfClass(description.config, world.connectorClass) === "other") others += 1;
    else shown.push(await inspectConnector(description, runs, opened, databases, flags));
  }
  const list = { url: world.connect.url, context: flags.context, shown, others };
  writeInForm(flags.format, reported(connectorsReport, connectorsDocument, list), host);
  return EXIT.done;
}

/** Runs `connectors show NAME`, which is read-only. @returns 1 when the connector or one of its tasks has failed */
export async function showConnector(flags: ShowFlags, host: Host): Promise<number> {
  const { name } = flags;
  return whileWatched(flags, host, async () => {
    await using opened = openings(host);
    const world = await opened.world({ target: typedTarget(name, flags), flags });
    const [{ clusterId }, description] = await Promise.all([world.connect.worker(), world.connect.connector(name)]);
    if (description === undefined) throw await noConnector(name, world.connect);
    const runs = await storedRuns(world.state, { clusterId });
    const shown = await inspectConnector(description, runs, opened, new Map(), flags);
    const list = { url: world.connect.url, context: flags.context, shown: [shown], others: 0 };
    const forms = reported(() => connectorReport(shown, list), connectorsDocument, list);
    return { text: inForm(flags.format, forms, host), exit: shown.failed ? EXIT.refused : EXIT.done };
  });
}

/** The databases that this command has asked. One that rejected a login is not tried again with it. */
export type Databases = Map<string, { readonly oracle: OraclePort; readonly seen: Promise<Observed<DatabaseSeen>> }>;

/** The database of a connector, opened once for all connectors that share it. */
export function databaseOf(settings: BoundSettings, databases: Databases, world: OpenWorld) {
  const oracle = world.oracle(settings);
  const at = `${oracle.address} ${settings.database.user ?? ""}`;
  const seen = () => lenientObserverAt(world.clock)("V$DATABASE", () => oracle.database());
  const known = databases.get(at) ?? { oracle, seen: seen() };
  databases.set(at, known);
  return known;
}

/** Each connector may have its own configuration in the context, so each is opened separately. */
async function inspectConnector(
  description: ConnectorDescription,
  runs: StoredRuns,
  opened: Opened,
  databases: Databases,
  flags: ListFlags,
): Promise<ConnectorView> {
  const { name, config } = description;
  const world = await opened.world({ target: typedTarget(name, flags), flags });
  const kind = kindOfClass(config, world.connectorClass);
  const [status, entries] = await Promise.all([world.connect.status(name), offsetsIfAny(name, world.connect)]);
  const read = kind === "cdc" ? await settingsOf(description, world) : undefined;
  const settings = read?.known === true ? read.value : undefined;
  const own = settings && ownOffset(entries, settings.prefix);
  const stored = own?.is === "stored" ? own.offset : undefined;
  const lag = stored && settings && (await lagOf(name, stored, settings, databases, world));
  const unsettled = runs.runs.filter(
    ({ state }) => state.ended === undefined && connectorsOf(state.started.subject).includes(name),
  );
  const damaged = runs.unreadable.runs.filter(({ key }) => key.connector === name);
  const latest = settings && (await latestEvents(name, settings, world, opened.brokers));
  const withoutSettings = read?.known === false ? read : undefined;
  const inFlight = latest === undefined ? withoutSettings : notBegunHere(latest.inFlight, runs);
  const workers = { context: flags.context, connectUrl: world.connect.url };
  const seen = status === undefined ? undefined : withRedactedTraces(status, config);
  return {
    name,
    kind,
    className: redactSetting("connector.class", config["connector.class"]),
    status: seen,
    failed: seen !== undefined && [seen.state, ...seen.tasks.map(({ state }) => state)].includes("FAILED"),
    stored,
    unread:
      kind === "legacy"
        ? { why: "its offsets have a different format" }
        : (withoutSettings ?? (own?.is === "unreadable" ? own : undefined)),
    lag,
    change: latest && mapObserved(latest.changes, (changes) => changes.at(-1)),
    elsewhere: inFlight === undefined ? [] : [{ connector: name, at: workers, inFlight }],
    lastStop: latest?.stop,
    stopped: seen?.state === "STOPPED" ? latest?.stopped : undefined,
    unsettled: [...unsettled.map(({ key }) => key.run), ...damaged.map(({ key }) => key.run)],
  };
}

async function settingsOf(description: ConnectorDescription, world: OpenWorld): Promise<Observed<BoundSettings>> {
  return lenientObserverAt(world.clock)(`GET /connectors/${description.name}`, () => world.settingsOf(description));
}

/** The lag of the stored offset behind the database: SCNs, and time where the database still knows it. */
export async function lagOf(
  name: string,
  stored: StoredOffset,
  settings: BoundSettings,
  databases: Databases,
  world: OpenWorld,
): Promise<Observed<Lag>> {
  return lenientObserverAt(world.clock)("V$DATABASE", async (): Promise<Lag> => {
    const known = databaseOf(settings, databases, world);
    const [oracle, seen] = [known.oracle, await known.seen];
    if (!seen.known) throw new UsageError(seen.why);
    const { currentScn } = seen.value;
    const elsewhere = misplaced(stored, seen.value, name);
    if (elsewhere !== undefined) throw new Refusal(elsewhere.code, elsewhere.seen, elsewhere.remedies);
    const times = await oracle.timesOf([stored.resumeScn, currentScn]);
    const [from, to] = [stored.resumeScn, currentScn].map((scn) => times.find((time) => time.scn === scn)?.at);
    return {
      scns: currentScn - stored.resumeScn,
      at: from,
      millis: from === undefined || to === undefined ? undefined : Math.max(0, millisBetween(from, to)),
    };
  });
}
