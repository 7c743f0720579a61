package io.debezium.connector.oracle;

import cdcctl.standin.Commits;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/** Keys and envelopes of one table in the form of a version (section 5, "Records, for verification"). */
final class DebeziumRecords {
    private final String version;
    private final String prefix;
    private final String pdb;
    private final String owner;
    private final String table;
    private final boolean later;
    final String topic;
    final Commits.Schemas schemas;
    private final Schema source;
    final Schema envelope;

    /** Section 4, topic names: prefix, schema and table, without the PDB, and with {@code _} for what a topic can't have. */
    DebeziumRecords(String version, String prefix, String pdb, String qualified) {
        this.version = version;
        this.prefix = prefix;
        this.pdb = pdb;
        owner = qualified.substring(0, qualified.indexOf('.'));
        table = qualified.substring(qualified.indexOf('.') + 1);
        later = DebeziumOffset.isLater(version);
        topic = String.join(".", prefix, owner, table).replaceAll("[^A-Za-z0-9._-]", "_");
        schemas = Commits.Schemas.of(topic);
        source = sourceSchema();
        envelope = envelopeSchema();
    }

    /** To 3.0 the block of its transaction comes last. */
    private Schema envelopeSchema() {
        Schema transaction = SchemaBuilder.struct().name("event.block").version(1).optional().field("id", Schema.STRING_SCHEMA)
            .field("total_order", Schema.INT64_SCHEMA).field("data_collection_order", Schema.INT64_SCHEMA).build();
        SchemaBuilder built = SchemaBuilder.struct().name(topic + ".Envelope").version(2)
            .field("before", schemas.row()).field("after", schemas.row()).field("source", source);
        if (later) built.field("transaction", transaction);
        built.field("op", Schema.STRING_SCHEMA);
        for (String time : new String[] { "ts_ms", "ts_us", "ts_ns" }) built.field(time, Schema.OPTIONAL_INT64_SCHEMA);
        return (later ? built : built.field("transaction", transaction)).build();
    }

    private Schema sourceSchema() {
        String allowed = later ? "true,first,first_in_data_collection,last_in_data_collection,last,false,incremental" : "true,last,false,incremental";
        SchemaBuilder built = SchemaBuilder.struct().name("io.debezium.connector.oracle.Source");
        if (later) built.version(1);
        for (String name : new String[] { "version", "connector", "name" }) built.field(name, Schema.STRING_SCHEMA);
        built.field("ts_ms", Schema.INT64_SCHEMA)
            .field("snapshot", SchemaBuilder.string().name("io.debezium.data.Enum").version(1).parameter("allowed", allowed).optional()
                .defaultValue("false").build())
            .field("db", Schema.STRING_SCHEMA).field("sequence", Schema.OPTIONAL_STRING_SCHEMA)
            .field("ts_us", Schema.OPTIONAL_INT64_SCHEMA).field("ts_ns", Schema.OPTIONAL_INT64_SCHEMA)
            .field("schema", Schema.STRING_SCHEMA).field("table", Schema.STRING_SCHEMA);
        for (String name : new String[] { "txId", "scn", "commit_scn", "lcr_position", "rs_id" }) built.field(name, Schema.OPTIONAL_STRING_SCHEMA);
        built.field("ssn", Schema.OPTIONAL_INT64_SCHEMA).field("redo_thread", Schema.OPTIONAL_INT32_SCHEMA);
        for (String name : new String[] { "user_name", "redo_sql", "row_id" }) built.field(name, Schema.OPTIONAL_STRING_SCHEMA);
        if (later) {
            built.field("commit_ts_ms", Schema.OPTIONAL_INT64_SCHEMA).field("start_scn", Schema.OPTIONAL_STRING_SCHEMA)
                .field("start_ts_ms", Schema.OPTIONAL_INT64_SCHEMA).field("txSeq", Schema.OPTIONAL_INT64_SCHEMA);
        }
        return built.build();
    }

    Struct change(Commits.Change change, long commitScn, String txId, long txSeq) {
        Struct from = from("false", commitScn - 1, commitScn, txId).put("user_name", "SHOP").put("row_id", "AAAR3qAAMAAAACHAAA");
        if (later) from.put("start_scn", "" + (commitScn - 1)).put("txSeq", txSeq);
        return envelope(change, Commits.op(change), from);
    }

    /** An initial snapshot's row: the snapshot's SCN, and no commit. */
    Struct initial(Commits.Row row, long snapshotScn, boolean first, boolean last) {
        return read(row, from(last ? "last" : first && later ? "first" : "true", snapshotScn, null, null));
    }

    /** An incremental snapshot's row: SCNs and transaction are those of the last streamed event. */
    Struct incremental(Commits.Row row, long commitScn, String txId) {
        return read(row, from("incremental", commitScn - 1, commitScn, txId));
    }

    private Struct read(Commits.Row row, Struct from) { return envelope(new Commits.Change(null, row), "r", from); }

    private Struct envelope(Commits.Change change, String op, Struct from) {
        long now = System.currentTimeMillis();
        return new Struct(envelope).put("before", schemas.row(change.before())).put("after", schemas.row(change.after())).put("source", from)
            .put("op", op).put("ts_ms", now).put("ts_us", now * 1_000).put("ts_ns", now * 1_000_000);
    }

    private Struct from(String snapshot, long scn, Long commitScn, String txId) {
        long now = System.currentTimeMillis();
        return new Struct(source).put("version", version).put("connector", "oracle").put("name", prefix).put("ts_ms", now)
            .put("snapshot", snapshot).put("db", pdb).put("ts_us", now * 1_000).put("ts_ns", now * 1_000_000).put("schema", owner)
            .put("table", table).put("txId", txId).put("scn", "" + scn).put("commit_scn", commitScn == null ? null : "" + commitScn)
            .put("ssn", 0L).put("redo_thread", commitScn == null ? null : 1);
    }
}
