package io.debezium.connector.oracle;

import cdcctl.standin.Commits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads an initial snapshot, then delivers one transaction a poll, and goes on after a restart behind the last commit that it has stored. */
public final class DebeziumTask extends SourceTask {
    private static final Logger LOG = LoggerFactory.getLogger(DebeziumTask.class);

    private static final Schema HEARTBEAT_KEY =
        SchemaBuilder.struct().name("io.debezium.connector.common.ServerNameKey").field("serverName", Schema.STRING_SCHEMA).build();
    private static final Schema HEARTBEAT =
        SchemaBuilder.struct().name("io.debezium.connector.common.Heartbeat").field("ts_ms", Schema.INT64_SCHEMA).build();

    private String prefix;
    private long step;
    private long interval;
    private long incremental;
    private boolean heartbeats;
    private boolean tombstones;
    private boolean hangs;
    private List<DebeziumRecords> tables;
    private DebeziumOffset offset;
    private boolean streaming;
    private boolean hung;
    private long scn;

    @Override public String version() { return OracleConnector.VERSION; }

    @Override
    public void start(Map<String, String> properties) {
        Map<String, Object> config = DebeziumSettings.DEFINITION.parse(properties);
        prefix = (String) config.get(DebeziumSettings.PREFIX);
        step = (Long) config.get(DebeziumSettings.STEP_SCN);
        interval = (Long) config.get(DebeziumSettings.INTERVAL_MS);
        incremental = (Long) config.get(DebeziumSettings.INCREMENTAL_SCN);
        heartbeats = (Long) config.get(DebeziumSettings.HEARTBEAT_MS) > 0;
        tombstones = (Boolean) config.get(DebeziumSettings.TOMBSTONES);
        hangs = (Boolean) config.get(DebeziumSettings.SNAPSHOT_HANGS);
        hung = false;
        String version = (String) config.get(DebeziumSettings.VERSION);
        String pdb = (String) config.get(DebeziumSettings.PDB);
        String db = pdb == null ? (String) config.get(DebeziumSettings.DBNAME) : pdb;
        tables = ((List<?>) config.get(DebeziumSettings.TABLES)).stream()
            .map(table -> new DebeziumRecords(version, prefix, db, (String) table)).toList();
        offset = new DebeziumOffset(version, (Long) config.get(DebeziumSettings.OPEN_SCN), (Long) config.get(DebeziumSettings.SCN));
        Map<String, Object> stored = context.offsetStorageReader().offset(partition());
        LOG.info("STANDIN debezium start stored={}", stored);
        streaming = offset.load(stored);
        scn = offset.scn();
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
        Thread.sleep(interval);
        if (hung || streaming && step == 0) return null;
        List<SourceRecord> records = streaming ? transactions() : snapshot();
        // Section 2: an offset is what the last record carried, and section 3: it is stored with a record only.
        if (streaming && heartbeats)
            records.add(new SourceRecord(partition(), offset.stored(), "__debezium-heartbeat." + prefix, null, HEARTBEAT_KEY,
                new Struct(HEARTBEAT_KEY).put("serverName", prefix), HEARTBEAT, new Struct(HEARTBEAT).put("ts_ms", System.currentTimeMillis())));
        return records;
    }

    /** Stopped in between, it begins anew. */
    private List<SourceRecord> snapshot() {
        List<Commits.Row> rows = Commits.snapshotAt(scn);
        List<SourceRecord> records = new ArrayList<>();
        for (DebeziumRecords table : tables) {
            for (Commits.Row row : rows) {
                boolean last = table == tables.get(tables.size() - 1) && row == rows.get(rows.size() - 1);
                offset.snapshotRow(last);
                records.add(record(table, row, table.initial(row, scn, records.isEmpty(), last)));
                hung = hangs;
                if (hung) return records;
            }
        }
        streaming = true;
        return records;
    }

    /** One that commits at every SCN of the step. */
    private List<SourceRecord> transactions() {
        List<SourceRecord> records = new ArrayList<>();
        for (long end = scn + step; scn < end;) {
            scn++;
            String txId = DebeziumOffset.txIdOf(Commits.transaction(scn));
            long sequence = 0;
            for (DebeziumRecords table : tables) {
                for (Commits.Change change : Commits.at(scn)) {
                    offset.event(txId, ++sequence);
                    records.add(record(table, change.after() == null ? change.before() : change.after(), table.change(change, scn, txId, sequence)));
                    // Section 5: a tombstone after a delete, by default.
                    if (change.after() == null && tombstones)
                        records.add(new SourceRecord(partition(), offset.stored(), table.topic, null, table.schemas.key(),
                            table.schemas.key(change.before()), null, null));
                }
            }
            offset.committed(scn);
            if (scn != incremental) continue;
            offset.incrementalRow();
            Commits.Row again = new Commits.Row(scn, "NEW");
            for (DebeziumRecords table : tables) records.add(record(table, again, table.incremental(again, scn, txId)));
        }
        return records;
    }

    private SourceRecord record(DebeziumRecords table, Commits.Row row, Struct value) {
        return new SourceRecord(partition(), offset.stored(), table.topic, null, table.schemas.key(), table.schemas.key(row), table.envelope, value);
    }

    /** Section 2: the same shape as the new connector's own. */
    private Map<String, String> partition() { return Map.of("server", prefix); }

    @Override
    public void stop() { LOG.info("STANDIN debezium stop at scn={}", scn); }
}
