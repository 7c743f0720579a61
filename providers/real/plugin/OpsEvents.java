package cdcctl.standin;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** Events of the ops topic as the real connector gives them; the worker's converter gives them their form. */
final class OpsEvents {
    private OpsEvents() { }

    private static final Schema KEY = SchemaBuilder.struct().name("io.oso.cdc.ops.Key").version(1)
        .field("server", Schema.STRING_SCHEMA).build();
    private static final Schema EVENT = SchemaBuilder.struct().name("io.oso.cdc.ops.Event").version(1)
        .field("v", Schema.INT32_SCHEMA)
        .field("type", Schema.STRING_SCHEMA)
        .field("ts_ms", Schema.INT64_SCHEMA)
        .field("server", Schema.STRING_SCHEMA)
        .field("resume_scn", Schema.OPTIONAL_INT64_SCHEMA)
        .field("details", SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.STRING_SCHEMA).optional().build())
        .build();

    /** @param details only texts; those that do not apply are left out */
    record Event(String type, Map<String, String> details) {
        /** @param pairs name, value, …; a null value is left out */
        static Event of(String type, String... pairs) {
            Map<String, String> details = new LinkedHashMap<>();
            for (int at = 0; at < pairs.length; at += 2) if (pairs[at + 1] != null) details.put(pairs[at], pairs[at + 1]);
            return new Event(type, details);
        }
    }

    static SourceRecord record(Map<String, ?> partition, Map<String, ?> offset, String topic, String prefix, Event event) {
        Struct value = new Struct(EVENT).put("v", 1).put("type", event.type()).put("ts_ms", System.currentTimeMillis())
            .put("server", prefix).put("details", event.details());
        return new SourceRecord(partition, offset, topic, null, KEY, new Struct(KEY).put("server", prefix), EVENT, value);
    }
}
