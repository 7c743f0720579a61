/** The modes of every version. */
const MODES =
  "always initial initial_only schema_only schema_only_recovery no_data recovery when_needed none shared custom " +
  "precise double string numeric adaptive adaptive_time_microseconds connect isostring microseconds nanoseconds " +
  "bytes base64 base64-url-safe hex avro avro_unicode fail warn skip ignore in regex memory ehcache " +
  "infinispan_embedded infinispan_remote online_catalog redo_log_catalog hybrid dictionary_from_file logminer " +
  "logminer_unbuffered xstream olr transaction_view_only all";
const MODE = new RegExp(`^\\s*(?:${MODES.replaceAll(" ", "|")})\\s*$`, "i");

/** Debezium's settings for Oracle whose values are shown, in the names of every version; each with its form. */
export const DEBEZIUM_SETTINGS = [
  ["database.hostname secondary.hostname openlogreplicator.host rac.nodes", "hosts"],
  ["database.url secondary.url", "jdbcUrl"],
  ["database.user database.dbname database.pdb.name secondary.dbname database.out.server.name", "names"],
  ["xstream.out.server.name log.mining.flush.table.name signal.data.collection converters post.processors", "names"],
  ["archive.destination.name log.mining.username.*.list skipped.operations notification.enabled.channels", "names"],
  ["topic.prefix database.server.name topic.delimiter topic.heartbeat.prefix heartbeat.topics.prefix", "template"],
  ["topic.transaction transaction.topic schema.history.internal.kafka.topic database.history.kafka.topic", "template"],
  ["signal.kafka.topic notification.sink.topic.name unavailable.value.placeholder", "template"],
  ["table.*.list schema.*.list column.*.list table.whitelist table.blacklist schema.whitelist", "patterns"],
  ["schema.blacklist column.whitelist column.blacklist", "patterns"],
  ["message.key.columns", "columns"],
  ["schema.history.internal.kafka.bootstrap.servers database.history.kafka.bootstrap.servers", "hosts"],
  ["topic.naming.strategy schema.history.internal database.history sourceinfo.struct.maker", "className"],
  ["database.connection.adapter snapshot.mode decimal.handling.mode time.precision.mode", MODE],
  ["binary.handling.mode interval.handling.mode snapshot.locking.mode log.mining.strategy", MODE],
  ["log.mining.buffer.type log.mining.query.filter.mode schema.name.adjustment.mode", MODE],
  ["field.name.adjustment.mode event.processing.failure.handling.mode", MODE],
  ["internal.log.mining.transaction.snapshot.boundary.mode", MODE],
  ["database.port *.ms **.ms *.size **.size **.hours **.threads **.retries", "number"],
] as const;
