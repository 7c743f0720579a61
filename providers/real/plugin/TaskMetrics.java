package cdcctl.standin;

import java.util.List;

/** The attributes of {@code sh.oso.cdc:type=task,server=PREFIX}. */
public interface TaskMetrics {
    List<LargestTransaction> getLargestTransactions();
    long getMillisBehindSource();
    long getScnLag();
    long getMinedToScn();
    long getSafeEndScn();
    long getOldestOpenScn();
    long getLastStepMillis();
    int getWindowLogs();
    long getSteps();
    long getRowsMined();
    long getStepTimeouts();
    long getLagReplays();
    int getQueueDepth();
    int getOpenTransactions();
    long getBufferedEvents();
    long getBufferHeapBytes();
    long getBufferMemoryMaxBytes();
    long getSpilledBytes();
    int getJournaledTransactions();
    long getTransactionsCommitted();
    long getIdlePolls();
    int getSnapshotTablesRemaining();
    long getSpillMaxBytes();

    /** One composite row; the first has no user name, is spilled and journaled, and an SCN above 2^53. */
    final class LargestTransaction {
        private final int rank;
        LargestTransaction(int rank) { this.rank = rank; }
        public String getXid() { return "5.31." + (8190 + rank); }
        public String getUsername() { return rank == 0 ? null : "HR"; }
        public String getClientId() { return "client-" + rank; }
        public long getAgeMillis() { return 60_000L * (rank + 1); }
        public long getFirstScn() { return 9_007_199_254_740_993L + rank; }
        public long getEvents() { return 1000L - rank; }
        public long getHeapBytes() { return 1L << (30 - rank); }
        public long getSpilledBytes() { return rank == 0 ? 5_000_000_000L : 0L; }
        public boolean isJournaled() { return rank == 0; }
    }
}
