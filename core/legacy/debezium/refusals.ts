/** What `cdcctl explain` says of the codes that came with Debezium. */
export const DEBEZIUM_REFUSALS = [
  {
    code: "LEG016",
    title: "The given start would lose changes",
    problem:
      "It lies above the stored position, or above the begin of a transaction that is open or was before the stop: " +
      "what was changed or committed below it would not be delivered.",
    remedy: "Give a start at or below both: the lowest START_SCN of GV$TRANSACTION as of the stop.",
  },
  {
    code: "LEG017",
    title: "The stored position has no SCN to start at",
    problem:
      "XStream stores a position that only Oracle's own library decodes; OpenLogReplicator stores a checkpoint " +
      "without the begin of the oldest open transaction.",
    remedy:
      "XStream: take the SCN from DBA_XSTREAM_OUTBOUND_PROGRESS. OpenLogReplicator: start the new connector with a " +
      "snapshot.",
  },
  {
    code: "LEG018",
    title: "A snapshot of the legacy connector is not over",
    problem: "Its tables are partly snapshotted: nobody would deliver the rest after a takeover.",
    remedy: "Let the snapshot finish and one change be delivered, then stop the connector and try again.",
  },
  {
    code: "LEG019",
    title: "The stored SCN may lie above an open transaction",
    problem:
      "With log.mining.window.max.ms Debezium moves its position past transactions that stay open longer. What they " +
      "changed before it is in no topic, and a start there would not deliver it.",
    remedy:
      "Give a start at or below the lowest START_SCN of GV$TRANSACTION as of the stop (`--start-scn`, " +
      "`spec.from.startScn`), or stop the connector while its metric OldestScn is at or above the stored scn.",
  },
  {
    code: "LEG030",
    title: "The connector can't be migrated",
    problem:
      "Its stored position gives no SCN that the new connector could start at, or it captures another database than " +
      "Oracle.",
    remedy: "Name a connector of Confluent's Oracle CDC Source, or Debezium's Oracle connector with LogMiner.",
  },
];
