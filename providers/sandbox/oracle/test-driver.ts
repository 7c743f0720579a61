/**
 * The production driver, node-oracledb, with the part of its interface that these tests use; the package ships no
 * types.
 */
import { createRequire } from "node:module";

export interface BindDefinition {
  readonly dir?: number;
  readonly type?: unknown;
  readonly val?: unknown;
  readonly maxSize?: number;
  readonly maxArraySize?: number;
}

export interface ExecuteOptions {
  readonly fetchTypeHandler?: (column: { readonly dbType: unknown }) => { readonly type: unknown } | undefined;
  readonly fetchInfo?: Readonly<Record<string, { readonly type: unknown }>>;
  readonly fetchArraySize?: number;
  readonly outFormat?: number;
}

export interface Lob {
  getData(): Promise<string | Buffer>;
}

export interface Answer<Out = unknown> {
  readonly rows?: readonly (readonly unknown[])[];
  readonly outBinds?: Out;
  readonly rowsAffected?: number;
}

export type Binds = readonly unknown[] | Readonly<Record<string, unknown>>;

export interface ResultSet extends AsyncIterable<readonly unknown[]> {
  close(): Promise<void>;
}

export interface Connection {
  callTimeout: number;
  module: string;
  readonly transactionInProgress: boolean;
  readonly oracleServerVersionString: string;
  execute<Out = unknown>(sql: string, binds?: Binds, options?: ExecuteOptions): Promise<Answer<Out>>;
  execute(sql: string, binds: Binds, options: ExecuteOptions & { resultSet: true }): Promise<{ resultSet: ResultSet }>;
  executeMany(sql: string, rows: readonly Binds[]): Promise<Answer>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

interface Driver {
  readonly BIND_IN: number;
  readonly BIND_OUT: number;
  readonly BIND_INOUT: number;
  readonly OUT_FORMAT_OBJECT: number;
  readonly STRING: unknown;
  readonly NUMBER: unknown;
  readonly DB_TYPE_NUMBER: unknown;
  getConnection(where: {
    readonly user: string;
    readonly password: string;
    readonly connectString: string;
    readonly walletContent?: string;
  }): Promise<Connection>;
}

export const oracledb = createRequire(import.meta.url)("oracledb") as Driver;

/** NUMBER columns as the text the server sent: a double would lose digits. */
export const NUMBERS_AS_TEXT: ExecuteOptions = {
  fetchTypeHandler: ({ dbType }) => (dbType === oracledb.DB_TYPE_NUMBER ? { type: oracledb.STRING } : undefined),
};

/** Returns the error of the work. @throws Error if it did not fail */
export async function failureOf(
  work: Promise<unknown>,
): Promise<{ readonly errorNum?: number; readonly offset?: number; readonly message: string }> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error("it did not fail");
}
