package cdcctl.standin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The stored offset in the real connector's form: one flat map of primitives. What the task does not take stops it as it
 * stops the real one (reference: connector rules, "What a stored offset must hold").
 */
final class StoredOffset {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** Fields that may be null; any other that is null is an exception without a code. */
    private static final Set<String> KNOWN = Set.of("v", "resume_scn", "resume_rs_id", "resume_ssn", "last_commit_scn", "last_commit_xid",
        "last_commit_thread", "last_commit_rs_id", "last_commit_ssn", "event_index", "journal_generation", "schema_epoch", "dbid",
        "resetlogs_scn", "released_xids", "snapshot", "threads");
    private static final List<String> CUT = List.of("start_floor_scn", "start_open_scn", "start_open_xids");

    private final Map<String, Object> fields;

    private StoredOffset(Map<String, Object> fields) { this.fields = fields; }

    /** A first start: no commit yet, and nothing from before the start is delivered but of these open transactions. */
    static StoredOffset initial(long start, long resume, List<String> open, long dbid, long resetlogsScn, String releasedXids) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("v", 1L);
        fields.put("resume_scn", resume);
        fields.put("last_commit_scn", 0L);
        fields.put("last_commit_xid", null);
        fields.put("last_commit_thread", 0L);
        fields.put("event_index", 0L);
        fields.put("journal_generation", 0L);
        fields.put("schema_epoch", 0L);
        fields.put("dbid", dbid);
        fields.put("resetlogs_scn", resetlogsScn);
        fields.put("released_xids", releasedXids.isEmpty() ? null : releasedXids);
        fields.put("start_floor_scn", start);
        fields.put("start_open_scn", start);
        fields.put("start_open_xids", String.join(",", open));
        return new StoredOffset(fields);
    }

    /** @throws ConnectException or another exception where the real task does not start */
    static StoredOffset of(Map<String, Object> stored, long dbid, long resetlogsScn) {
        StoredOffset offset = new StoredOffset(new HashMap<>(stored));
        if (stored.isEmpty()) throw stop("CDC-3002", "The stored offset is empty");
        if (stored.get("v") == null || offset.number("v") != 1)
            throw stop("CDC-3002", "The stored offset has no format version that can be read: " + stored.get("v"));
        for (Map.Entry<String, Object> field : stored.entrySet())
            if (field.getValue() == null && !KNOWN.contains(field.getKey()))
                throw new NullPointerException(field.getKey());
        String xid = (String) stored.get("last_commit_xid");
        if (xid != null && xid.isBlank()) throw new IllegalArgumentException("not a transaction id: \"" + xid + "\"");
        if (offset.number("event_index") < 0) throw new IllegalArgumentException("event_index " + offset.number("event_index"));
        offset.number("schema_epoch");
        if (stored.get("snapshot") != null) checkSnapshot(stored.get("snapshot").toString());
        if (offset.number("dbid") != dbid || offset.number("resetlogs_scn") != resetlogsScn)
            throw stop("CDC-5001", "The stored offset is of database " + offset.number("dbid") + ", resetlogs " + offset.number("resetlogs_scn")
                + "; the connection is to " + dbid + ", " + resetlogsScn);
        return offset;
    }

    private static void checkSnapshot(String text) {
        JsonNode block;
        try {
            block = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw stop("CDC-3002", "The stored offset's snapshot block is not JSON: " + text);
        }
        if (block.path("v").asInt(-1) != 1) throw stop("CDC-3002", "The snapshot block has version " + block.path("v"));
        for (JsonNode table : block.path("tables")) if (table.isNull()) throw new NullPointerException("snapshot");
    }

    /** The form of the real task's traces. */
    static ConnectException stop(String code, String what) {
        return new ConnectException("[" + code + "] " + what + " Operator action: see the runbook. Runbook: " + code);
    }

    long resumeScn() { return number("resume_scn"); }
    boolean hasCommit() { return fields.get("last_commit_xid") != null; }
    boolean released(String xid) { return listOf("released_xids").contains(xid); }
    long generation() { return number("journal_generation"); }

    /** Events below it are dropped while no commit is acknowledged; 0: there is no cut. */
    long floor() { return hasCommit() ? 0 : number("start_floor_scn"); }
    long openScn() { return number("start_open_scn"); }
    List<String> openAtStart() { return listOf("start_open_xids"); }

    /** Every start of a task raises the generation, before it reads the journal. */
    void raiseGeneration() { fields.put("journal_generation", number("journal_generation") + 1); }

    /** Mining resumes here, with the redo address that goes with it. */
    void resumeAt(long scn) {
        fields.put("resume_scn", scn);
        fields.put("resume_rs_id", redoAddress(scn));
        fields.put("resume_ssn", 0L);
    }

    /**
     * So many events of this commit were acknowledged. The first commit ends the first-start cut.
     */
    void committed(String xid, long thread, long scn, long events) {
        fields.put("last_commit_scn", scn);
        fields.put("last_commit_xid", xid);
        fields.put("last_commit_thread", thread);
        fields.put("last_commit_rs_id", redoAddress(scn));
        fields.put("last_commit_ssn", 0L);
        fields.put("event_index", events);
        CUT.forEach(fields::remove);
    }

    /** Where a commit stands to the last acknowledged one: by address, else by SCN; then by thread and transaction. */
    int toLastCommit(String xid, long thread, long scn) {
        Object address = fields.get("last_commit_rs_id");
        int order = address != null ? redoAddress(scn).compareTo(address.toString().trim()) : Long.compare(scn, number("last_commit_scn"));
        if (order == 0) order = Long.compare(thread, number("last_commit_thread"));
        return order != 0 ? order : xid.compareTo(fields.get("last_commit_xid").toString());
    }

    long eventIndex() { return number("event_index"); }

    /** The offset of the last handled record of the signals topic; -1 while there is none, or where it is no number. */
    long signalOffset() { return fields.get("signal_offset") instanceof Number number ? number.longValue() : -1; }
    void signalHandled(long offset) { fields.put("signal_offset", offset); }

    String snapshot() { return (String) fields.get("snapshot"); }
    void snapshot(String progress) { fields.put("snapshot", progress); }
    List<String> pending() { return listOf("snapshot_pending"); }
    void pending(List<String> tables) {
        if (tables.isEmpty()) fields.remove("snapshot_pending");
        else fields.put("snapshot_pending", String.join(",", tables));
    }

    Map<String, Object> copy() { return new HashMap<>(fields); }

    private List<String> listOf(String field) {
        Object value = fields.get(field);
        Set<String> items = new LinkedHashSet<>();
        if (value != null) Arrays.stream(value.toString().split(",")).map(String::trim).filter(item -> !item.isEmpty()).forEach(items::add);
        return List.copyOf(items);
    }

    static String redoAddress(long scn) {
        return String.format("0x%06x.%08x.0010", scn >> 32 & 0xffffff, scn & 0xffffffffL);
    }

    /** SCNs may arrive as number or as text; what is missing is 0. */
    private long number(String field) {
        Object value = fields.get(field);
        if (value == null) return 0L;
        return value instanceof Number ? ((Number) value).longValue() : Long.parseLong(value.toString());
    }
}
