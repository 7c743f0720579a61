package cdcctl.standin;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One heartbeat a poll, each with the offset moved on by {@code standin.step.scn}, and the answers to the signals that have come. */
public final class StandInTask extends SourceTask implements TaskMetrics {
    private static final Logger LOG = LoggerFactory.getLogger(StandInTask.class);
    private static final long SLICE_MS = 10;
    /** For how long an acknowledgement is withheld at most. */
    private static final long WITHHELD_MS = 1000;
    /** Whose MBean is registered: a hung task that ends late must not take away its successor's. */
    private static final Map<ObjectName, StandInTask> REGISTERED = new ConcurrentHashMap<>();

    private String prefix;
    private String heartbeats;
    private String ops;
    private long step;
    private long interval;
    private long hangWhenStopped;
    private String hangWhileFile;
    private boolean waitToHang;
    private String failure;
    private StoredOffset offset;
    private Mining mining;
    private Deliveries deliveries;
    private Snapshot snapshot;
    /** Null when none are read. */
    private Signals signals;
    private ObjectName name;
    private volatile long scn;
    private volatile long polls;
    /** How many records were sent before the last poll() began. */
    private volatile long sentBefore;
    private volatile boolean acknowledged;
    private boolean lastSent;
    private volatile Thread poller;

    @Override public String version() { return "0.0.1-standin"; }

    @Override
    public void start(Map<String, String> properties) {
        Map<String, Object> config = Settings.DEFINITION.parse(properties);
        prefix = (String) config.get(Settings.PREFIX);
        heartbeats = Settings.topic(config, Settings.HEARTBEAT_TOPIC, ".cdc.heartbeat");
        ops = Settings.topic(config, Settings.OPS_TOPIC, ".cdc.ops");
        step = (Long) config.get(Settings.STEP_SCN);
        interval = (Long) config.get(Settings.INTERVAL_MS);
        hangWhenStopped = (Long) config.get(Settings.HANG_WHEN_STOPPED_MS);
        hangWhileFile = (String) config.get(Settings.HANG_WHILE_FILE);
        waitToHang = (Boolean) config.get(Settings.WAIT_TO_HANG);

        Map<String, Object> stored = context.offsetStorageReader().offset(partition());
        LOG.info("STANDIN start stored={}", StandInConnector.typed(stored));
        Redo redo = Redo.parse((String) config.get(Settings.REDO));
        long dbid = (Long) config.get(Settings.DBID);
        long resetlogs = (Long) config.get(Settings.RESETLOGS_SCN);
        offset = stored != null ? StoredOffset.of(stored, dbid, resetlogs)
            : Mining.firstStart(redo, (Long) config.get(Settings.START_SCN), dbid, resetlogs, (String) config.get(Settings.RELEASED_XIDS));
        offset.raiseGeneration();
        scn = offset.resumeScn();
        Map<String, Object> client = Settings.client(properties);
        mining = new Mining(redo, offset,
            Journal.read(client, Settings.topic(config, Settings.JOURNAL_TOPIC, ".cdc.txjournal"), prefix, offset.generation(), scn));
        deliveries = new Deliveries(config);
        long failBelow = (Long) config.get(Settings.FAIL_BELOW_SCN);
        failure = failBelow == 0 || scn < failBelow ? (String) config.get(Settings.FAIL_MESSAGE) : "";
        snapshot = new Snapshot(offset, (Long) config.get(Settings.SNAPSHOT_POLLS));
        String ack = (String) config.get(Settings.ACK);
        signals = ack.equals("silent") || config.get(Settings.SNAPSHOT_MODE).equals("snapshot_only") ? null
            : new Signals(client, Settings.topic(config, Settings.SIGNALS_TOPIC, ".cdc.signals"), List.of(properties.get("name"), prefix), ack,
                offset, snapshot, table -> Settings.captures(config, table), () -> scn);
        register();
    }

    @Override
    public List<SourceRecord> poll() throws InterruptedException {
        if (!failure.isEmpty()) throw new ConnectException(failure);
        poller = Thread.currentThread();
        sentBefore = polls;
        if (lastSent) LOG.info("STANDIN poll waits to hang at scn={}", scn);
        boolean last = waitToHang && acknowledged;
        long end = System.nanoTime() + interval * 1_000_000L;
        do {
            if (hung()) return null;
            Thread.sleep(Math.min(SLICE_MS, Math.max(1, interval)));
        } while (lastSent || System.nanoTime() < end);
        lastSent = last;
        List<SourceRecord> records = new ArrayList<>();
        // The first heartbeat stores the position as it was found, with the new generation.
        if (polls > 0 && step != 0) {
            scn += step;
            for (Map<String, Object> change : mining.to(scn))
                records.add(new SourceRecord(partition(), offset.copy(), prefix + ".changes", null, Schema.STRING_SCHEMA, prefix, null, change));
            // All below the position from which mining would resume.
            records.addAll(deliveries.between(scn - step - 1, scn - 1, partition(), offset.copy()));
        }
        polls++;
        List<OpsEvents.Event> events = new ArrayList<>(snapshot.advance(scn));
        if (signals != null) events.addAll(signals.handle());
        records.add(new SourceRecord(partition(), offset.copy(), heartbeats, null, Schema.STRING_SCHEMA, prefix, null,
            Map.of("scn", scn, "poll", polls)));
        for (OpsEvents.Event event : events) {
            LOG.info("STANDIN {}", event);
            records.add(OpsEvents.record(partition(), offset.copy(), ops, prefix, event));
        }
        return records;
    }

    /**
     * Connect takes into its commits what was acknowledged before a poll(). Of a task that is to hang, the last heartbeat is
     * acknowledged only once the next poll() has begun: whenever that hangs, there is something to commit after it.
     */
    @Override
    public void commitRecord(SourceRecord record, RecordMetadata metadata) throws InterruptedException {
        acknowledged = true;
        boolean hangs = hangWhenStopped > 0 || !hangWhileFile.isEmpty();
        // With exactly-once support this is called by the thread that polls.
        if (!hangs || Thread.currentThread() == poller || !(record.value() instanceof Map<?, ?> value)) return;
        if (!(value.get("poll") instanceof Long poll)) return;
        long end = System.nanoTime() + WITHHELD_MS * 1_000_000L;
        while (sentBefore < poll && System.nanoTime() < end) Thread.sleep(1);
    }

    private Map<String, String> partition() { return Map.of("server", prefix); }

    /** Hangs where it is told to. @return whether it did. */
    private boolean hung() {
        boolean file = !hangWhileFile.isEmpty() && Files.exists(Path.of(hangWhileFile));
        boolean stopped = hangWhenStopped > 0 && StopMark.isSet(prefix);
        if (!file && !stopped) return false;
        LOG.info("STANDIN poll hangs at scn={}", scn);
        long end = stopped ? System.nanoTime() + hangWhenStopped * 1_000_000L : System.nanoTime();
        while (System.nanoTime() < end || !hangWhileFile.isEmpty() && Files.exists(Path.of(hangWhileFile))) {
            try {
                Thread.sleep(SLICE_MS);
            } catch (InterruptedException ignored) { /* a hung task does not listen */ }
        }
        LOG.info("STANDIN poll returns at scn={}", scn);
        return true;
    }

    @Override
    public void stop() {
        LOG.info("STANDIN stop at scn={}", scn);
        unregister();
        if (signals != null) signals.close();
    }

    private void register() {
        try {
            String own = prefix.matches("[A-Za-z0-9._-]+") ? prefix : ObjectName.quote(prefix);
            name = new ObjectName("sh.oso.cdc:type=task,server=" + own);
            MBeanServer server = ManagementFactory.getPlatformMBeanServer();
            REGISTERED.put(name, this);
            if (server.isRegistered(name)) server.unregisterMBean(name);
            server.registerMBean(new StandardMBean(this, TaskMetrics.class, true), name);
        } catch (JMException e) {
            throw new ConnectException("Cannot register the MBean", e);
        }
    }

    private void unregister() {
        try {
            if (name != null && REGISTERED.remove(name, this)) ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
        } catch (JMException e) {
            LOG.warn("Cannot unregister {}", name, e);
        }
    }

    @Override public List<LargestTransaction> getLargestTransactions() {
        return List.of(new LargestTransaction(0), new LargestTransaction(1), new LargestTransaction(2));
    }
    @Override public long getMillisBehindSource() { return 1500L; }
    @Override public long getScnLag() { return 9_007_199_254_740_993L; }
    @Override public long getMinedToScn() { return scn; }
    @Override public long getSafeEndScn() { return scn; }
    @Override public long getOldestOpenScn() { return scn; }
    @Override public long getLastStepMillis() { return interval; }
    @Override public int getWindowLogs() { return 2; }
    @Override public long getSteps() { return polls; }
    @Override public long getRowsMined() { return polls; }
    @Override public long getStepTimeouts() { return 0; }
    @Override public long getLagReplays() { return 0; }
    @Override public int getQueueDepth() { return 0; }
    @Override public int getOpenTransactions() { return 3; }
    @Override public long getBufferedEvents() { return 2997L; }
    @Override public long getBufferHeapBytes() { return 1L << 30; }
    @Override public long getBufferMemoryMaxBytes() { return 1L << 31; }
    @Override public long getSpilledBytes() { return 5_000_000_000L; }
    @Override public int getJournaledTransactions() { return 1; }
    @Override public long getTransactionsCommitted() { return polls; }
    @Override public long getIdlePolls() { return step == 0 ? polls : 0; }
    @Override public int getSnapshotTablesRemaining() { return 0; }
    @Override public long getSpillMaxBytes() { return 10L << 30; }
}
