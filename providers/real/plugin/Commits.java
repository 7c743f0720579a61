package cdcctl.standin;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * What the transaction that commits at an SCN has changed: the same for every connector that delivers it, so that their records can be compared
 * with each other, and with the table ({@code cmd/behaviour/real/debezium/commits.ts}).
 */
public final class Commits {
    /** A row is known by its ID; null: there is none. */
    public record Change(Row before, Row after) { }
    public record Row(long id, String status) { }

    /** Schemas of one table's records, in the names of its topic. */
    public record Schemas(Schema key, Schema row) {
        public static Schemas of(String topic) {
            Schema key = SchemaBuilder.struct().name(topic + ".Key").field("ID", Schema.INT64_SCHEMA).build();
            Schema row = SchemaBuilder.struct().name(topic + ".Value").optional()
                .field("ID", Schema.INT64_SCHEMA).field("STATUS", Schema.OPTIONAL_STRING_SCHEMA).build();
            return new Schemas(key, row);
        }

        public Struct key(Row row) { return new Struct(key).put("ID", row.id()); }
        public Struct row(Row row) { return row == null ? null : new Struct(row()).put("ID", row.id()).put("STATUS", row.status()); }
    }

    private Commits() { }

    /** A new row, and of the one before every fifth is paid for and every fifth deleted. */
    public static List<Change> at(long scn) {
        List<Change> changes = new ArrayList<>();
        changes.add(new Change(null, new Row(scn, "NEW")));
        if (scn % 5 == 2) changes.add(new Change(new Row(scn - 1, "NEW"), new Row(scn - 1, "PAID")));
        if (scn % 5 == 0) changes.add(new Change(new Row(scn - 1, "NEW"), null));
        return changes;
    }

    /** The rows that a snapshot at an SCN reads. */
    public static List<Row> snapshotAt(long scn) {
        return List.of(new Row(scn - 2, "NEW"), new Row(scn - 1, "NEW"), new Row(scn, "NEW"));
    }

    public static String op(Change change) { return change.before() == null ? "c" : change.after() == null ? "d" : "u"; }

    /** {@code USN.SLOT.SQN}. */
    public static long[] transaction(long scn) { return new long[] { 1 + scn % 16, scn % 32, scn % 65_536 }; }
}
