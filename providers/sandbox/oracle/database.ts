/** The loopback database: serves a world over Oracle Net. */
import { containerId } from "./dictionary-views.ts";
import type { LogMiner } from "./logminer.ts";
import type { Done, Handler, OracleServerOptions, Rows, Session } from "./options.ts";
import { OraError } from "./ora-error.ts";
import { runBlock } from "./plsql.ts";
import { type OracleServer, startOracleServer } from "./server.ts";
import { zoneMinutes } from "./sql/moment.ts";
import { runQuery } from "./sql/run-query.ts";
import type { Surroundings } from "./sql/scope.ts";
import { isPlsql, isQuery } from "./sql-text.ts";
import { tableNamed } from "./table-relation.ts";
import { viewNamed } from "./views.ts";
import type { OracleWorld } from "./world.ts";

export type DatabaseOptions = Pick<
  OracleServerOptions,
  "port" | "tls" | "verifier" | "fastAuth" | "endOfRequest" | "patience"
>;

/** TTC field version by release. */
const FIELD_VERSIONS: Readonly<Record<string, number>> = {
  "12.1": 7,
  "12.2": 8,
  "18": 11,
  "19": 13,
  "21": 16,
  "23": 24,
};

/** Serves the current state of the world on 127.0.0.1. Its version is fixed when it starts. */
export function startOracleDatabase(world: OracleWorld, options: DatabaseOptions = {}): Promise<OracleServer> {
  const [major = "", minor = ""] = world.version.split(".");
  const fieldVersion = FIELD_VERSIONS[major === "12" ? `${major}.${minor}` : major];
  if (fieldVersion === undefined) throw new TypeError(`no thin driver logs in to Oracle ${world.version}`);
  return startOracleServer({
    ...options,
    handler: worldHandler(world),
    fieldVersion,
    serverVersion: world.version,
    databaseName: world.database.name,
    get users() {
      return world.users;
    },
    get services() {
      return Object.keys(world.services);
    },
    get sids() {
      return world.sids;
    },
    encryption: () => world.encryptionRequired,
    roundTrip: () => {
      world.roundTrips++;
      return world.latency;
    },
    logon: () => {
      world.logons++;
    },
    session: (change) => {
      world.sessions += change;
      world.mostSessions = Math.max(world.mostSessions, world.sessions);
    },
    beforeStatement: (sql) => {
      world.seen.push(sql);
      return world.fault?.(sql);
    },
  });
}

/** The state of a connection, besides the attributes that the client sent. */
interface SessionState {
  readonly miner: LogMiner;
  container: string;
  clientInfo: string | null;
}

/**
 * Answers statements about the world. It refuses statements that it does not understand, and never returns an empty
 * answer for them.
 */
export function worldHandler(world: OracleWorld): Handler {
  // A session's properties are the one object that lives exactly as long as its connection.
  const states = new WeakMap<ReadonlyMap<string, string>, SessionState>();
  const stateOf = (session: Session): SessionState => {
    const known = states.get(session.properties);
    if (known !== undefined) return known;
    const container = containerOf(world, session.service);
    const state: SessionState = { miner: { files: undefined }, container, clientInfo: null };
    states.set(session.properties, state);
    return state;
  };
  return (sql, binds, session): Rows | Done | Promise<Done> => {
    const state = stateOf(session);
    const surroundings = surroundingsOf(world, session, state);
    if (isQuery(sql)) {
      const answer = runQuery(sql, binds, surroundings);
      return world.alters?.(sql, answer) ?? answer;
    }
    if (isPlsql(sql)) {
      const setClientInfo = (text: string) => {
        state.clientInfo = text;
      };
      return runBlock(sql, binds, {
        world,
        surroundings,
        miner: state.miner,
        container: state.container,
        setClientInfo,
      });
    }
    return alterSession(sql, world, state);
  };
}

function containerOf(world: OracleWorld, service: string): string {
  const found = Object.entries(world.services).find(([name]) => name.toUpperCase() === service.toUpperCase());
  return found?.[1] ?? (world.database.cdb ? "CDB$ROOT" : world.database.name);
}

function alterSession(sql: string, world: OracleWorld, state: SessionState): Done {
  const folded = sql.replace(/\s+/g, " ").trim();
  const container = /^ALTER SESSION SET CONTAINER ?= ?"?([\w$#]+)"?$/i.exec(folded)?.[1]?.toUpperCase();
  if (container !== undefined) {
    if (state.container !== container && world.denied.has("SET CONTAINER"))
      throw new OraError(1031, "insufficient privileges");
    if (containerId(world, container) === undefined)
      throw new OraError(65011, `Pluggable database ${container} does not exist.`);
    state.container = container;
    return {};
  }
  if (/^ALTER SESSION SET (NLS_\w+|TIME_ZONE) ?=/i.test(folded)) return {};
  throw new OraError(900, "invalid SQL statement");
}

function surroundingsOf(world: OracleWorld, session: Session, state: SessionState): Surroundings {
  const { scnTimes } = world;
  return {
    user: session.user,
    zone: zoneMinutes(world.zone),
    now: world.now,
    view: (name, offset, asOfScn) => {
      const view = viewNamed(world, state, session.user, name) ?? tableNamed(world, state.container, name, asOfScn);
      if (view === undefined) throw new OraError(942, "table or view does not exist", offset);
      return view;
    },
    sysContext: (parameter) => {
      const known: Readonly<Record<string, string | null>> = {
        CLIENT_INFO: state.clientInfo,
        CON_NAME: state.container,
        CON_ID: String(containerId(world, state.container) ?? 0n),
        DB_NAME: world.database.name,
        SESSION_USER: session.user,
        CURRENT_SCHEMA: session.user,
        SERVICE_NAME: session.service,
        INSTANCE: "1",
      };
      return known[parameter] ?? null;
    },
    timeOfScn: (scn) => {
      if (scn < scnTimes.oldest || scn > world.currentScn())
        throw new OraError(
          8181,
          'specified number is not a valid system change number\nORA-06512: at "SYS.SCN_TO_TIMESTAMP", line 1',
        );
      return scnTimes.timeOf(scn);
    },
    scnAtTime: (epoch) => {
      if (epoch < scnTimes.timeOf(scnTimes.oldest) || epoch > world.now())
        throw new OraError(
          8180,
          'no snapshot found based on specified time\nORA-06512: at "SYS.TIMESTAMP_TO_SCN", line 1',
        );
      return scnTimes.scnAt(epoch);
    },
  };
}
