package cdcctl.standin;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;

/** The change records of {@link Commits} as the real connector writes them (reference: wire formats, "Change records" and "Topic names"). */
final class Deliveries {
    private static final Schema SOURCE = SchemaBuilder.struct().name("sh.oso.cdc.Source")
        .field("connector", Schema.STRING_SCHEMA).field("name", Schema.STRING_SCHEMA).field("pdb", Schema.OPTIONAL_STRING_SCHEMA)
        .field("schema", Schema.STRING_SCHEMA).field("table", Schema.STRING_SCHEMA).field("scn", Schema.OPTIONAL_STRING_SCHEMA)
        .field("commit_scn", Schema.OPTIONAL_STRING_SCHEMA).field("txId", Schema.OPTIONAL_STRING_SCHEMA)
        .field("snapshot", Schema.OPTIONAL_STRING_SCHEMA).build();

    private final String prefix;
    private final String pdb;
    private final String template;
    private final boolean tombstones;
    private final List<?> tables;
    private final long start;

    Deliveries(Map<String, Object> config) {
        prefix = (String) config.get(Settings.PREFIX);
        pdb = (String) config.get(Settings.PDBS);
        String named = (String) config.get(Settings.TOPIC_TEMPLATE);
        template = !named.isEmpty() ? named : pdb.isEmpty() ? "${prefix}.${schema}.${table}" : "${prefix}.${pdb}.${schema}.${table}";
        tombstones = (Boolean) config.get(Settings.TOMBSTONES);
        tables = (List<?>) config.get(Settings.TABLES);
        start = (Long) config.get(Settings.START_SCN);
    }

    /** Those of every commit above one SCN and up to another, none of which lies below the first start. */
    List<SourceRecord> between(long after, long upTo, Map<String, String> partition, Map<String, Object> offset) {
        List<SourceRecord> records = new ArrayList<>();
        for (long scn = Math.max(after + 1, start); scn <= upTo; scn++)
            for (Object table : tables) records.addAll(at(scn, (String) table, partition, offset));
        return records;
    }

    private List<SourceRecord> at(long scn, String table, Map<String, String> partition, Map<String, Object> offset) {
        String[] names = table.split("[.]", 2);
        String topic = template.replace("${prefix}", prefix).replace("${pdb}", pdb).replace("${schema}", names[0]).replace("${table}", names[1])
            .replaceAll("[^A-Za-z0-9._-]", "_");
        Commits.Schemas schemas = Commits.Schemas.of(topic);
        Schema envelope = SchemaBuilder.struct().name(topic + ".Envelope").field("before", schemas.row()).field("after", schemas.row())
            .field("source", SOURCE).field("op", Schema.STRING_SCHEMA).field("ts_ms", Schema.OPTIONAL_INT64_SCHEMA).build();
        long[] transaction = Commits.transaction(scn);
        String xid = transaction[0] + "." + transaction[1] + "." + transaction[2];
        Struct source = new Struct(SOURCE).put("connector", "oracle-cdc").put("name", prefix).put("pdb", pdb.isEmpty() ? null : pdb)
            .put("schema", names[0]).put("table", names[1]).put("scn", "" + (scn - 1)).put("commit_scn", "" + scn).put("txId", xid)
            .put("snapshot", "false");
        List<SourceRecord> records = new ArrayList<>();
        for (Commits.Change change : Commits.at(scn)) {
            Struct key = schemas.key(change.after() == null ? change.before() : change.after());
            Struct value = new Struct(envelope).put("before", schemas.row(change.before())).put("after", schemas.row(change.after()))
                .put("source", source).put("op", Commits.op(change)).put("ts_ms", System.currentTimeMillis());
            ConnectHeaders headers = new ConnectHeaders();
            headers.addString("cdc.scn", "" + (scn - 1)).addString("cdc.commit_scn", "" + scn).addString("cdc.xid", xid)
                .addString("cdc.event_index", "" + records.size());
            records.add(new SourceRecord(partition, offset, topic, null, schemas.key(), key, envelope, value, null, headers));
            if (change.after() == null && tombstones)
                records.add(new SourceRecord(partition, offset, topic, null, schemas.key(), key, null, null));
        }
        return records;
    }
}
