package cdcctl.standin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Mines the scripted redo from the stored position on, as the real task does: the first-start cut, what was delivered already, what the
 * journal holds, and what was released. Without a script every poll brings a commit, of which nothing is delivered.
 */
final class Mining {
    private final Redo redo;
    private final StoredOffset offset;
    /** By transaction; each holds the resume point until it ends. */
    private final Map<String, Journal.Restored> restored;
    private final long from;
    /** The cut on events is that of the start; the first acknowledged commit ends only the one on commits. */
    private final long floor;
    private final long openScn;
    private final List<String> openAtStart;
    private long minedTo;

    Mining(Redo redo, StoredOffset offset, Map<String, Journal.Restored> restored) {
        this.redo = redo;
        this.offset = offset;
        this.restored = new HashMap<>(restored);
        from = offset.resumeScn();
        floor = offset.floor();
        openScn = offset.openScn();
        openAtStart = offset.openAtStart();
        minedTo = from - 1;
    }

    /** A first start mines from the oldest open transaction on. */
    static StoredOffset firstStart(Redo redo, long start, long dbid, long resetlogs, String released) {
        List<Redo.Transaction> open = redo.openAt(start);
        long resume = open.stream().mapToLong(Redo.Transaction::start).min().orElse(start);
        return StoredOffset.initial(start, Math.min(resume, start), open.stream().map(Redo.Transaction::xid).toList(), dbid, resetlogs, released);
    }

    /**
     * Mines up to an SCN. @return the changes that are delivered; the offset is the one after the last of them
     */
    List<Map<String, Object>> to(long scn) {
        List<Map<String, Object>> delivered = new ArrayList<>();
        if (redo.isEmpty()) {
            commitEveryPoll(scn - 5);
        } else {
            for (Redo.Transaction one : redo.committedIn(minedTo, scn)) delivered.addAll(commit(one));
        }
        minedTo = scn;
        offset.resumeAt(resumeAt(scn));
        return delivered;
    }

    private void commitEveryPoll(long scn) {
        String xid = "3:" + scn % 16 + "." + scn % 32 + "." + scn % 65_536;
        if (offset.hasCommit() && offset.toLastCommit(xid, 1, scn) <= 0) return;
        offset.committed(xid, 1, scn, scn % 8);
    }

    private List<Map<String, Object>> commit(Redo.Transaction one) {
        Journal.Restored journaled = restored.remove(one.xid());
        List<Long> changes = one.changes().stream().filter(change -> change >= from && kept(one, change)).toList();
        long count = changes.size() + (journaled == null ? 0 : journaled.changes());
        if (count == 0) return List.of();
        if (offset.released(one.xid()))
            throw StoredOffset.stop("CDC-7001", "COMMIT at " + one.commit() + " of transaction " + one.xid() + ", which was released");
        if (offset.floor() > one.commit()) return List.of();
        int order = offset.hasCommit() ? offset.toLastCommit(one.xid(), one.thread(), one.commit()) : 1;
        if (order < 0) return List.of();
        long skipped = order == 0 ? offset.eventIndex() : 0;
        List<Map<String, Object>> delivered = new ArrayList<>();
        for (long event = skipped; event < count; event++)
            delivered.add(Map.of("xid", one.xid(), "commit_scn", one.commit(), "event", event, "of", count));
        offset.committed(one.xid(), one.thread(), one.commit(), count);
        return delivered;
    }

    /** Below the floor only transactions are kept that were open at the first start, or began after its look at them. */
    private boolean kept(Redo.Transaction one, long change) {
        return change >= floor || openAtStart.contains(one.xid()) || one.start() >= from && one.start() >= openScn;
    }

    /** The earlier of the mined position and what a restart must read again. Nothing clamps it to the stored position. */
    private long resumeAt(long scn) {
        long resume = scn;
        for (Redo.Transaction one : redo.openAt(scn)) {
            if (restored.containsKey(one.xid())) continue;
            for (long change : one.changes()) if (change >= from && change <= scn) resume = Math.min(resume, change);
        }
        for (Journal.Restored one : restored.values()) resume = Math.min(resume, one.last());
        return resume;
    }
}
