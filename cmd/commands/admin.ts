import { command, group } from "../command.ts";
import {
  journalInspectOptions,
  offsetsSetOptions,
  offsetsShowOptions,
  resnapshotOptions,
  transactionsOptions,
} from "../options/admin.ts";
import { changing, loaded } from "./loaded.ts";

/** The connector of the examples. */
const ORDERS = "--connect-url http://localhost:8083 --name orders-cdc";

const offsetsShow = command({
  usage: "show",
  describe: "Print the stored offset, decoded",
  options: offsetsShowOptions,
  examples: [
    [`show ${ORDERS}`, "the current position"],
    [`show ${ORDERS} --check-redo`, "and whether it could resume from there"],
  ],
  run: loaded(async () => (await import("../session/admin-show.ts")).showOffsets),
});

const offsetsSet = command({
  usage: "set",
  describe: "Move the stored offset to another SCN; --connect-url bypasses policies and approvals",
  options: offsetsSetOptions,
  examples: [[`set ${ORDERS} --scn 2169287 --reason "replay after the bad deploy" --resume`, "mine again from there"]],
  run: changing(async () => (await import("../session/admin-change.ts")).setOffsets),
});

const offsets = group("offsets <command>", "Show or set the stored offset", [offsetsShow, offsetsSet]);

const resnapshot = command({
  usage: "resnapshot",
  describe: "Snapshot captured tables again, and move past missing redo; --connect-url bypasses policies and approvals",
  options: resnapshotOptions,
  examples: [
    [`resnapshot ${ORDERS} --tables ORCLPDB1.SALES.ORDERS`, "a signal, where all redo is present"],
    [
      `resnapshot ${ORDERS} --tables ` +
        'ORCLPDB1.SALES.ORDERS,ORCLPDB1.SALES.LINES --reason "archived logs purged" --resume',
      "a signal and a move past the gap",
    ],
  ],
  run: changing(async () => (await import("../session/admin-change.ts")).resnapshot),
});

const transactions = command({
  usage: "transactions",
  describe:
    "List open transactions: those the task buffers (--jmx-url) and those in its journal; exit 1 when a call failed",
  options: transactionsOptions,
  examples: [
    [`transactions ${ORDERS}`, "what the transaction journal holds"],
    [
      `transactions ${ORDERS} --jmx-url service:jmx:rmi:///jndi/rmi://localhost:9999/jmxrmi`,
      "and the 20 largest that the task buffers",
    ],
  ],
  run: loaded(async () => (await import("../session/admin-show.ts")).showTransactions),
});

const journalInspect = command({
  usage: "inspect",
  describe: "Read the transaction journal as the task does at its start; exit 1 when that would stop it (CDC-4002)",
  options: journalInspectOptions,
  examples: [[`inspect ${ORDERS}`, "what the next start restores and drops"]],
  run: loaded(async () => (await import("../session/admin-show.ts")).inspectJournal),
});

const journal = group("journal <command>", "Inspect the transaction journal", [journalInspect]);

/** `cdc-admin` has these commands at the top level. */
export const ADMIN_COMMANDS = [offsets, resnapshot, transactions, journal] as const;

export const admin = group(
  "admin <command>",
  "Operator commands by the specification's names; never prompt; --connect-url bypasses policies and approvals",
  ADMIN_COMMANDS,
);
