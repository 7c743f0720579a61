package io.confluent.connect.oracle.cdc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Each poll commits one row to every table, through the redo log topic and the table's own; and goes on. */
public final class LegacyTask extends SourceTask {
    private static final Logger LOG = LoggerFactory.getLogger(LegacyTask.class);

    private static final Schema ROW = SchemaBuilder.struct()
        .field("ID", Schema.INT64_SCHEMA)
        .field("STATUS", Schema.OPTIONAL_STRING_SCHEMA)
        .field("table", Schema.OPTIONAL_STRING_SCHEMA)
        .field("scn", Schema.OPTIONAL_STRING_SCHEMA)
        .field("op_type", Schema.OPTIONAL_STRING_SCHEMA)
        .field("op_ts", Schema.OPTIONAL_STRING_SCHEMA)
        .field("current_ts", Schema.OPTIONAL_STRING_SCHEMA)
        .field("row_id", Schema.OPTIONAL_STRING_SCHEMA)
        .field("username", Schema.OPTIONAL_STRING_SCHEMA)
        .build();

    private String database;
    private String catalog;
    private String redoTopic;
    private long step;
    private long interval;
    private long open;
    private boolean numbers;
    private boolean keysAsGiven;
    private long scn;
    private boolean polled;
    /** Rows delivered, by {@code SCHEMA.TABLE}. */
    private final Map<String, Long> rows = new LinkedHashMap<>();

    @Override public String version() { return "2.14.3-standin"; }

    @Override
    public void start(Map<String, String> properties) {
        Map<String, Object> config = LegacySettings.DEFINITION.parse(properties);
        String sid = (String) config.get(LegacySettings.SID);
        String pdb = (String) config.get(LegacySettings.PDB);
        database = pdb.isEmpty() ? sid : sid + "." + pdb;
        catalog = pdb.isEmpty() ? sid : pdb;
        String redo = (String) config.get(LegacySettings.REDO_LOG_TOPIC);
        redoTopic = redo.isEmpty() ? properties.get("name") + "-" + sid + "-redo-log" : redo;
        step = (Long) config.get(LegacySettings.STEP_SCN);
        interval = (Long) config.get(LegacySettings.INTERVAL_MS);
        open = (Long) config.get(LegacySettings.OPEN_SCN);
        numbers = (Boolean) config.get(LegacySettings.NUMBERS);
        keysAsGiven = (Boolean) config.get(LegacySettings.KEYS_AS_GIVEN);
        scn = (Long) config.get(LegacySettings.SCN);
        polled = false;
        for (Object table : (List<?>) config.get(LegacySettings.TABLES)) {
            Map<String, Object> stored = context.offsetStorageReader().offset(partition((String) table));
            LOG.info("STANDIN legacy start table={} stored={}", table, stored);
            rows.put((String) table, stored == null ? 0L : number(stored.get("rows")));
            if (stored != null) scn = Math.max(scn, number(stored.get("cscn")));
        }
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
        Thread.sleep(interval);
        // The first poll stores the position as it was found; a connector that stands still has delivered everything.
        if (polled && step == 0) return null;
        if (polled) scn += step;
        polled = true;
        List<SourceRecord> records = new ArrayList<>();
        records.add(new SourceRecord(Map.of("sidPdb", database), position(), redoTopic, null, Schema.STRING_SCHEMA,
            String.valueOf(scn), Schema.STRING_SCHEMA, "{\"SCN\":\"" + scn + "\"}"));
        for (String table : rows.keySet()) {
            long id = rows.merge(table, 1L, Long::sum);
            String now = String.valueOf(System.currentTimeMillis());
            String qualified = database + "." + table;
            Struct row = new Struct(ROW).put("ID", id).put("STATUS", "NEW").put("table", qualified).put("scn", String.valueOf(scn))
                .put("op_type", "I").put("op_ts", now).put("current_ts", now).put("row_id", "AAAR3qAAMAAAACHAAA").put("username", "SHOP");
            records.add(new SourceRecord(partition(table), position(table, id), qualified, null, Schema.INT64_SCHEMA, id, ROW, row));
        }
        return records;
    }

    @Override
    public void stop() { LOG.info("STANDIN legacy stop at scn={}", scn); }

    /**
     * The worker stores an offset under the bytes that its partition is written as, and asks for it by a HashMap: it shows {@code null} for one
     * whose keys came in another order.
     */
    private Map<String, String> partition(String table) {
        int dot = table.indexOf('.');
        Map<String, String> partition = keysAsGiven ? new LinkedHashMap<>() : new HashMap<>();
        partition.put("table", table.substring(dot + 1));
        partition.put("schema", table.substring(0, dot));
        partition.put("catalog", catalog);
        return partition;
    }

    private Map<String, Object> position() {
        Map<String, Object> offset = new HashMap<>();
        offset.put("scn", stored(open > 0 && open < scn ? open : scn));
        offset.put("tablePlacement", "{}");
        return offset;
    }

    private Map<String, Object> position(String table, long delivered) {
        Map<String, Object> offset = new HashMap<>();
        offset.put("scn", stored(scn));
        offset.put("cscn", stored(scn));
        offset.put("rows", stored(delivered));
        offset.put("rps", stored(0));
        offset.put("def", table + ":1");
        return offset;
    }

    /** Versions of it differ: text or number. */
    private Object stored(long number) { return numbers ? (Object) number : String.valueOf(number); }

    private static long number(Object value) { return value == null ? 0L : Long.parseLong(value.toString()); }
}
