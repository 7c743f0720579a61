import type { DriverConnection } from "./driver.ts";
import { codeOf } from "./oracle-failure.ts";

/**
 * Thrown if the driver failed to read an answer, with an error that has no code and so is not one of its own: the bytes
 * are damaged, or the server violates the protocol. Later answers on the same connection may be read from the wrong
 * position.
 */
export class DamagedAnswer extends Error {
  override readonly name = "DamagedAnswer";
}

/** Passes on the driver's answer and its own errors. @throws DamagedAnswer in place of any other error */
export async function fromDriver<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw codeOf(error) === undefined ? new DamagedAnswer("the answer can't be read", { cause: error }) : error;
  }
}

/** Wraps everything that a connection reads in `fromDriver`. */
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
    break: () => connection.break(),
    close: () => connection.close(),
  };
}
