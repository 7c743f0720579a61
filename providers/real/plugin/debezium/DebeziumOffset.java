package io.debezium.connector.oracle;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.errors.DataException;

/** Where the stand-in is, and how Debezium of a version stores it (section 2, "Stored offset"). */
final class DebeziumOffset {
    /** Whether its form is that of 3.2.2 and later. */
    private final boolean later;
    private final long open;

    /** The last commit delivered; before the first, none. */
    private String commit;
    private long commitScn;
    /** The last event sent: transaction and index. */
    private String txId;
    private long txSeq;
    private long snapshotScn;
    /** {@code INITIAL} or {@code INCREMENTAL} while the last record was a snapshot's; null while it was streamed. */
    private String snapshot;
    private boolean completed;

    DebeziumOffset(String version, long open, long snapshotScn) {
        later = isLater(version);
        this.open = open;
        this.snapshotScn = snapshotScn;
    }

    static boolean isLater(String version) { return !version.startsWith("1.") && !version.startsWith("2."); }

    /**
     * Section 2: what its loader takes. Section 3: of an initial snapshot that is not completed there is no streaming position.
     *
     * @return whether it goes on from there
     */
    boolean load(Map<String, Object> stored) {
        if (stored == null) return false;
        Object running = stored.get("snapshot");
        if ((Boolean.TRUE.equals(running) || "INITIAL".equals(running)) && !Boolean.TRUE.equals(stored.get("snapshot_completed"))) return false;
        if (stored.get("snapshot_scn") != null) snapshotScn = Long.parseLong(stored.get("snapshot_scn").toString());
        commit = (String) stored.get("commit_scn");
        commitScn = commit == null ? Long.parseLong(stored.get("scn").toString()) : Arrays.stream(commit.split(",")).mapToLong(DebeziumOffset::scnOf).max().orElseThrow();
        txId = (String) stored.get("txId");
        txSeq = stored.get("txSeq") instanceof Number number ? number.longValue() : 0;
        return true;
    }

    private static long scnOf(String entry) {
        String[] parts = entry.split(":", -1);
        if (parts.length != 1 && parts.length != 3 && parts.length != 4) throw new DataException("An unexpected redo thread commit scn entry: '" + entry + "'");
        return Long.parseLong(parts[0]);
    }

    long scn() { return commit == null && commitScn == 0 ? snapshotScn : commitScn; }
    String txId() { return txId; }

    /** Section 5: 16 hexadecimal digits, each part of USN, slot and sequence with its lowest byte first. */
    static String txIdOf(long[] transaction) {
        long usn = transaction[0], slot = transaction[1], sequence = transaction[2];
        return String.format("%02x%02x%02x%02x%08x", usn & 0xff, usn >> 8, slot & 0xff, slot >> 8, Integer.reverseBytes((int) sequence));
    }

    void snapshotRow(boolean last) {
        snapshot = "INITIAL";
        completed = last;
    }

    /** The commit is recorded after its events: between them the offset is in the middle of the transaction. */
    void event(String transaction, long index) {
        snapshot = null;
        txId = transaction;
        txSeq = index;
    }

    void committed(long scn) {
        commitScn = scn;
        commit = scn + ":1:" + txId;
    }

    /** Stays until the next streamed record. */
    void incrementalRow() { snapshot = "INCREMENTAL"; }

    Map<String, Object> stored() {
        Map<String, Object> stored = new HashMap<>();
        boolean initial = "INITIAL".equals(snapshot);
        // Exclusive: one below the begin of the oldest open transaction, or else the last commit.
        stored.put("scn", String.valueOf(!initial && open > 0 && open <= scn() ? open - 1 : scn()));
        stored.put("snapshot_scn", String.valueOf(snapshotScn));
        if (initial || later && snapshot != null) {
            stored.put("snapshot", later ? snapshot : (Object) true);
            stored.put("snapshot_completed", completed);
        }
        // Beside a running initial snapshot: null since 3.2.2, absent before.
        if (later || !initial) stored.put("commit_scn", commit);
        if (later && txId != null) {
            stored.put("txId", txId);
            stored.put("txSeq", txSeq);
        }
        return stored;
    }
}
