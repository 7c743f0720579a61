/** The part of the interface of node-oracledb in thin mode that is used here. The package ships no types. */
import { containSocketExceptions, type Transport } from "./socket-exceptions.ts";

export interface BindDefinition {
  readonly dir: number;
  readonly type: unknown;
  readonly val?: unknown;
  /** Maximum length of a value in bytes; for OUT texts and arrays. */
  readonly maxSize?: number;
  /** Maximum length of an OUT array. */
  readonly maxArraySize?: number;
}

export type Binds = Readonly<Record<string, BindDefinition>>;

interface ResultSet {
  readonly metaData: readonly { readonly name: string }[];
  getRows(count: number): Promise<readonly (readonly unknown[])[]>;
  close(): Promise<void>;
}

/**
 * A large object, read part by part. `offset` starts at 1. Counted in 16-bit characters for text, otherwise in bytes.
 */
export interface DriverLob {
  readonly length: number;
  getData(offset: number, amount: number): Promise<string | Buffer | null>;
}

export interface DriverConnection {
  /** Maximum milliseconds of a call; 0: no limit. */
  callTimeout: number;
  /** Major version first: 1922000000 is 19.22. */
  readonly oracleServerVersion: number;
  execute(sql: string, binds: Binds, options: object): Promise<{ resultSet?: ResultSet; outBinds?: unknown }>;
  /** Cancels the call that is running, which fails. */
  break(): Promise<void>;
  close(): Promise<void>;
}

/** Connection attributes of node-oracledb; times in seconds. */
export interface DriverTarget {
  /** The user; omitted with `externalAuth`, or in brackets the user that a proxy acts for. */
  readonly user?: string;
  readonly password?: string;
  /** Whether the client certificate of TLS or `accessToken` authenticates. */
  readonly externalAuth?: boolean;
  readonly accessToken?: string | { readonly token: string; readonly privateKey: string };
  readonly connectString: string;
  readonly configDir?: string;
  readonly connectTimeout: number;
  readonly transportConnectTimeout: number;
  readonly walletLocation?: string;
  readonly walletContent?: string;
  readonly walletPassword?: string;
  readonly sslServerDNMatch?: boolean;
  readonly program: string;
}

export interface Driver {
  readonly BIND_IN: number;
  readonly BIND_OUT: number;
  readonly BIND_INOUT: number;
  readonly STRING: unknown;
  readonly NUMBER: unknown;
  readonly BUFFER: unknown;
  readonly DB_TYPE_NUMBER: unknown;
  readonly DB_TYPE_NVARCHAR: unknown;
  readonly DB_TYPE_CLOB: unknown;
  readonly DB_TYPE_NCLOB: unknown;
  readonly DB_TYPE_BLOB: unknown;
  getConnection(target: DriverTarget): Promise<DriverConnection>;
}

let loading: Promise<Driver> | undefined;

/**
 * Loads the driver when it is first needed: it is the slowest import of all (25 ms), and most commands never use a
 * database.
 */
export function loadDriver(): Promise<Driver> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Driver> {
  // @ts-expect-error: the package ships no types
  const [module, transport] = await Promise.all([import("oracledb") as Promise<{ default: Driver }>, loadTransport()]);
  containSocketExceptions(transport);
  return module.default;
}

/** The class of the driver's network connections, which the package does not export. */
export async function loadTransport(): Promise<Transport> {
  // @ts-expect-error: the package ships no types
  const module = (await import("oracledb/lib/thin/sqlnet/ntTcp.js")) as { readonly default: Transport };
  return module.default;
}
