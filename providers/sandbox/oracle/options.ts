/** The options of a server, and the handler that answers its statements. */
import type { TlsOptions } from "node:tls";
import type { Verifier } from "./logon.ts";
import type { Column, Value } from "./values.ts";

export interface Bind {
  /** Upper case, or the position when the placeholder has no name of its own. */
  readonly name: string;
  /** Oracle's type number, as the client declared it. */
  readonly type: number;
  /** Maximum bytes that the client accepts. */
  readonly maxSize: number;
  /** Maximum elements that the client accepts; undefined for a single value. */
  readonly maxElements: number | undefined;
  /** NUMBER as decimal text; a PL/SQL table as an array. */
  readonly value: Value | readonly Value[];
}

export interface Rows {
  readonly columns: readonly Column[];
  readonly rows: Iterable<readonly (Value | undefined)[]>;
}

/** DML, DDL and PL/SQL: rows touched, and the OUT binds by upper-case name. */
export interface Done {
  readonly rowCount?: number;
  readonly out?: Readonly<Record<string, Value | readonly Value[]>>;
}

/** One logged-in connection, as the handler sees it. */
export interface Session {
  readonly id: number;
  readonly user: string;
  readonly service: string;
  readonly program: string;
  /** Module, action, client identifier and other attributes that the client sent. */
  readonly properties: ReadonlyMap<string, string>;
}

/** Answers one statement. Throws `OraError` for an error of the database; any other error becomes ORA-00600. */
export type Handler = (sql: string, binds: readonly Bind[], session: Session) => Rows | Done | Promise<Rows | Done>;

export interface OracleUser {
  readonly password: string;
  /** The account is locked: ORA-28000. */
  readonly locked?: boolean;
  /** No CREATE SESSION: ORA-01045. */
  readonly maySignIn?: boolean;
  /** Whether it is a common user. Default: by its name, C##…. */
  readonly common?: boolean;
}

/**
 * `disconnect`: the connection breaks instead of an answer. `hang`: no answer, but a cancel is accepted. `freeze`: no
 * answer to any message.
 */
export type Fault = "disconnect" | "hang" | "freeze";

export interface OracleServerOptions {
  readonly handler: Handler;
  /** Users by upper-case name. Read at every logon, so it may change while the server runs. */
  readonly users: Readonly<Record<string, OracleUser>>;
  readonly services: readonly string[];
  readonly sids?: readonly string[];
  readonly port?: number;
  /** TTC field version offered: 7 (12.1), 13 (19c, the default), 16 (21c), 24 (23ai). */
  readonly fieldVersion?: number;
  readonly verifier?: Verifier;
  /** Version, release, update, port-specific update, and the same again: `19.22.0.0.0`. */
  readonly serverVersion?: string;
  /** Offer logon in one round trip (23ai). */
  readonly fastAuth?: boolean;
  /** Offer end-of-request markers (23ai). */
  readonly endOfRequest?: boolean;
  readonly databaseName?: string;
  readonly tls?: TlsOptions;
  /** Session data unit, the longest packet, in bytes. */
  readonly sdu?: number;
  /** Longest request in bytes. */
  readonly maxRequest?: number;
  /** Milliseconds until a connection must have logged in, and for the rest of a request that has begun. */
  readonly patience?: number;
  /** Whether native network encryption is required, with an algorithm that no client here supports. */
  readonly encryption?: () => boolean;
  /** Called for every round trip; returns its duration in milliseconds. */
  readonly roundTrip?: () => number;
  /** Called for every login attempt. */
  readonly logon?: () => void;
  /** Called with 1 when a session begins, with -1 when it ends by a logoff or with its connection. */
  readonly session?: (change: 1 | -1) => void;
  /** Called before each statement runs; returns its fault. */
  readonly beforeStatement?: (sql: string) => Fault | undefined;
}
