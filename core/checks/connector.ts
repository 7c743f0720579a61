import type { ConnectorFacts } from "../facts/connector-facts.ts";
import type { PreflightFacts } from "../facts/preflight.ts";
import { legacyKindOf } from "../legacy/legacy-kind.ts";
import { type Check, type CheckOf, fail, fine, pass, unseen } from "./check.ts";

/** A connector of another class keeps other offsets: what cdcctl writes would mean something else to it, or nothing. */
export const otherConnectorClass: CheckOf<ConnectorFacts, "connector"> = {
  code: "CON301",
  title: "The connector is of another class",
  problem: "Its stored offset has another form; a change would destroy the connector's position.",
  remedy: "Check `target.connector`.",
  grade: "refusal",

  run(_intent, { facts: { connector } }) {
    const { connectorClass, config } = connector;
    const legacy = legacyKindOf({ "connector.class": connectorClass ?? "" });
    if (legacy !== undefined)
      return fail(`${connector.name} is ${legacy.title}`, { remedies: legacy.remedies, at: "target.connector" });
    if (Object.keys(config).some((name) => name.startsWith("cdc.database."))) return pass;
    return fail(
      `${connector.name} is a ${connectorClass ?? "connector without a class"}; its configuration has no ` +
        "cdc.database.* settings",
      { at: "target.connector" },
    );
  },
};

/**
 * A task that hangs while it stops can commit its last offset after the change if exactly-once support is off. A worker
 * shows only its own setting (CON311), and any worker may run the task.
 *
 * Rule: reference: Kafka Connect, "Seen on real workers".
 */
export const lateCommitPossible: Check<
  unknown,
  { readonly changesOffset: boolean } | { readonly createdStopped: boolean }
> = {
  code: "CON304",
  title: "Exactly-once support of the workers is unknown",
  problem: "A task that hangs while it stops could undo the change with a late commit.",
  remedy:
    "`apply` guards against it: after a stop that took as long as the grace period it waits for offsets to settle " +
    "(--settle), and after a resume it checks the first commit.",
  grade: "advisory",

  run(_intent, reading) {
    if ("changesOffset" in reading && !reading.changesOffset) return pass;
    return fail(
      "changesOffset" in reading
        ? "Exactly-once support of the workers is unknown. A task that hangs while it stops could undo the change; " +
            "apply guards against it."
        : "Exactly-once support of the workers is unknown. A task of the legacy connector that hangs while it " +
            "stops could deliver and commit once more: that is overlap, never a gap; apply waits for its offsets " +
            "to settle.",
      { remedies: [] },
    );
  },
};

/**
 * A transaction that outlasts the producer's timeout is aborted by the broker, and the task fails.
 *
 * Rule: the connector's own preflight, DOC-18.
 */
export const transactionsTimeOut: CheckOf<PreflightFacts, "settings"> = {
  code: "CON309",
  title: "Exactly-once transactions may outlast their timeout",
  problem: "The broker aborts a transaction before the connector commits it, and the task fails again and again.",
  remedy: "Set cdc.eos.batch.max.ms well below producer.override.transaction.timeout.ms.",
  grade: "refusal",

  run(_intent, { facts: { settings } }) {
    const { exactlyOnce } = settings;
    if (exactlyOnce === undefined) return fine("exactly-once delivery is not required by the configuration");
    const { by, batchMillis, timeoutMillis } = exactlyOnce;
    const seen = `${by}; cdc.eos.batch.max.ms is ${batchMillis}, transaction.timeout.ms ${timeoutMillis}`;
    return batchMillis < timeoutMillis ? fine(seen) : fail(seen);
  },
};

/**
 * A worker without exactly-once support for source connectors refuses a configuration that requires it, and writes no
 * transactions for one that bounds them itself.
 *
 * Rule: KIP-618; Kafka Connect, worker setting `exactly.once.source.support`.
 */
export const workerWithoutExactlyOnce: CheckOf<PreflightFacts, "settings" | "exactlyOnceSource"> = {
  code: "CON311",
  title: "The worker has no exactly-once source support",
  problem: "The worker rejects the connector's configuration, or delivers changes more than once.",
  remedy:
    "Set exactly.once.source.support=preparing on every worker, restart them one by one, and do the same with enabled.",
  grade: "refusal",

  run(_intent, { facts: { settings, exactlyOnceSource } }) {
    if (settings.exactlyOnce === undefined) return fine("exactly-once delivery is not required by the configuration");
    if (!exactlyOnceSource.known) return unseen(exactlyOnceSource);
    const { by } = settings.exactlyOnce;
    return exactlyOnceSource.value
      ? fine(`${by}; exactly-once source support is enabled on the worker`)
      : fail(`${by}; exactly-once source support is not enabled on the worker`);
  },
};

/**
 * A broker refuses a producer whose transactions may last longer than it allows (INVALID_TRANSACTION_TIMEOUT).
 *
 * Rule: the connector's own preflight, DOC-18; Apache Kafka, broker setting `transaction.max.timeout.ms`.
 */
export const transactionsTooLong: CheckOf<PreflightFacts, "settings" | "maxTransactionMillis"> = {
  code: "CON310",
  title: "Exactly-once transactions last longer than the brokers allow",
  problem: "The brokers refuse the task's producer, and the task fails at its start.",
  remedy:
    "Lower producer.override.transaction.timeout.ms of the connector, or raise transaction.max.timeout.ms of the " +
    "brokers.",
  grade: "refusal",

  run(_intent, { facts: { settings, maxTransactionMillis } }) {
    const { exactlyOnce } = settings;
    if (exactlyOnce === undefined) return fine("exactly-once delivery is not required by the configuration");
    if (!maxTransactionMillis.known) return unseen(maxTransactionMillis);
    const seen =
      `transaction.timeout.ms is ${exactlyOnce.timeoutMillis}, transaction.max.timeout.ms of the brokers ` +
      `${maxTransactionMillis.value}`;
    return BigInt(exactlyOnce.timeoutMillis) <= maxTransactionMillis.value ? fine(seen) : fail(seen);
  },
};
