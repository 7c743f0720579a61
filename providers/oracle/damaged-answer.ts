import type { DriverConnection, DriverLob } from "./driver.ts";
import { codeOf } from "./oracle-failure.ts";

/**
 * The driver failed while it read what came over the network, with an error that is not one of its own: no code. Bytes
 * that are damaged, or a server that says what the protocol does not allow. What comes over the same connection
 * afterwards may be read at the wrong place.
 */
export class DamagedAnswer extends Error {
  override readonly name = "DamagedAnswer";
}

/** Gives on what the driver gives, and its own errors. @throws DamagedAnswer in place of any other error */
export async function fromDriver<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw codeOf(error) === undefined ? new DamagedAnswer("the answer can't be read", { cause: error }) : error;
  }
}

/** The connection with `fromDriver` around all that it reads. */
export function guarded(connection: DriverConnection): DriverConnection {
  return {
    get callTimeout() {
      return connection.callTimeout;
    },
    set callTimeout(millis) {
      connection.callTimeout = millis;
    },
    get oracleServerVersion() {
      return connection.oracleServerVersion;
    },
    async execute(sql, binds, options) {
      const { resultSet, outBinds } = await fromDriver(connection.execute(sql, binds, options));
      if (resultSet === undefined) return { outBinds };
      return {
        outBinds,
        resultSet: {
          metaData: resultSet.metaData,
          getRows: (count) => fromDriver(resultSet.getRows(count)),
          close: () => fromDriver(resultSet.close()),
        },
      };
    },
    close: () => connection.close(),
  };
}

/** A part of a large object, as `getData` gives it. @throws DamagedAnswer */
export function partOf(lob: DriverLob, offset: number, amount: number): ReturnType<DriverLob["getData"]> {
  return fromDriver(lob.getData(offset, amount));
}
