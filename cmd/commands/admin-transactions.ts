import { command } from "../command.ts";
import { transactionsOptions } from "../options/admin.ts";
import { loaded } from "./loaded.ts";

export const transactions = command({
  usage: "transactions",
  describe:
    "List open transactions: those the task buffers (--jmx-url) and those in its journal; exit 1 when a call failed",
  options: transactionsOptions,
  examples: [
    ["transactions --connect-url http://localhost:8083 --name orders-cdc", "what the transaction journal holds"],
    [
      "transactions --connect-url http://localhost:8083 --name orders-cdc --jmx-url " +
        "service:jmx:rmi:///jndi/rmi://localhost:9999/jmxrmi",
      "and the 20 largest that the task buffers",
    ],
  ],
  run: loaded(async () => (await import("../session/admin-transactions.ts")).showTransactions),
});
