package cdcctl.standin;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The stored offset in the real connector's form: one flat map of primitives. Fields it does not know are kept. */
final class StoredOffset {
    private final Map<String, Object> fields;

    private StoredOffset(Map<String, Object> fields) { this.fields = fields; }

    static StoredOffset initial(long startScn, long dbid, long resetlogsScn, String releasedXids) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("v", 1L);
        fields.put("resume_scn", startScn);
        fields.put("last_commit_scn", 0L);
        fields.put("last_commit_xid", "0:0.0.0");
        fields.put("last_commit_thread", 0L);
        fields.put("event_index", 0L);
        fields.put("journal_generation", 0L);
        fields.put("schema_epoch", 0L);
        fields.put("dbid", dbid);
        fields.put("resetlogs_scn", resetlogsScn);
        fields.put("released_xids", releasedXids.isEmpty() ? null : releasedXids);
        return new StoredOffset(fields);
    }

    static StoredOffset of(Map<String, Object> stored) { return new StoredOffset(new HashMap<>(stored)); }

    long resumeScn() { return number("resume_scn"); }

    /** Every start of a task raises the generation; chunks of a higher one than stored are stale. */
    void raiseGeneration() { fields.put("journal_generation", number("journal_generation") + 1); }

    /**
     * Moves on to {@code scn}, with the redo address that goes with it. The last commit never goes back: after a move backward the
     * commits up to it are recognised and not delivered again.
     */
    void advanceTo(long scn) {
        fields.put("resume_scn", scn);
        fields.put("resume_rs_id", redoAddress(scn));
        fields.put("resume_ssn", 0L);
        long commit = scn - 5;
        if (commit <= number("last_commit_scn")) return;
        fields.put("last_commit_scn", commit);
        fields.put("last_commit_xid", "3:" + commit % 16 + "." + commit % 32 + "." + commit % 65_536);
        fields.put("last_commit_thread", 1L);
        fields.put("event_index", commit % 8);
    }

    /** The next record of the signals topic to read; 0 while none was. */
    long signalOffset() { return number("signal_offset"); }

    /** A signal was answered, and these tables are to be snapshotted. */
    void signalAnswered(long next, List<String> tables) {
        fields.put("signal_offset", next);
        if (!tables.isEmpty()) fields.put("snapshot", SnapshotProgress.begun(fields.get("snapshot"), tables));
    }

    /** There are no rows to read: a snapshot that was begun is over. */
    void finishSnapshot() {
        if (fields.get("snapshot") != null) fields.put("snapshot", SnapshotProgress.done(fields.get("snapshot")));
    }

    Map<String, Object> copy() { return new HashMap<>(fields); }

    private static String redoAddress(long scn) {
        return String.format("0x%06x.%08x.0010", scn >> 32 & 0xffffff, scn & 0xffffffffL);
    }

    /** SCNs may arrive as number or as text. */
    private long number(String field) {
        Object value = fields.get(field);
        if (value == null) return 0L;
        return value instanceof Number ? ((Number) value).longValue() : Long.parseLong(value.toString());
    }
}
