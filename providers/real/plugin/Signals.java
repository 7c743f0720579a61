package cdcctl.standin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The signals topic as the real task reads it (reference: connector rules, "Signals and snapshots"): partition 0, from the stored {@code
 * signal_offset} + 1 on, at most once a second, by a consumer without a group. Used by the task's thread alone.
 */
final class Signals implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration A_MOMENT = Duration.ofMillis(100);
    private static final long PAUSE_NANOS = 1_000_000_000L;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<String> keys;
    private final String outcome;
    private final StoredOffset offset;
    private final Snapshot snapshot;
    private final Predicate<String> captured;
    private final LongSupplier minedTo;
    private long lastPoll = System.nanoTime() - PAUSE_NANOS;

    /**
     * @param keys the connector's name and its prefix
     * @param outcome {@code ok}: signals are handled; anything else is said to each snapshot signal
     * @param captured whether a table, in upper case, is captured
     */
    Signals(Map<String, Object> client, String topic, List<String> keys, String outcome, StoredOffset offset, Snapshot snapshot,
            Predicate<String> captured, LongSupplier minedTo) {
        this.keys = keys;
        this.outcome = outcome;
        this.offset = offset;
        this.snapshot = snapshot;
        this.captured = captured;
        this.minedTo = minedTo;
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer = new KafkaConsumer<>(client, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        if (offset.signalOffset() < 0) consumer.seekToBeginning(List.of(partition));
        else consumer.seek(partition, offset.signalOffset() + 1);
    }

    /** What the signals that have come meanwhile bring, in their order. */
    List<OpsEvents.Event> handle() {
        List<OpsEvents.Event> events = new ArrayList<>();
        if (System.nanoTime() - lastPoll < PAUSE_NANOS) return events;
        lastPoll = System.nanoTime();
        snapshot.startPending();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(A_MOMENT)) {
            offset.signalHandled(record.offset());
            if (record.key() != null && keys.contains(new String(record.key(), StandardCharsets.UTF_8))) handle(record.value(), events);
        }
        return events;
    }

    private void handle(byte[] value, List<OpsEvents.Event> events) {
        JsonNode signal = null;
        try {
            signal = JSON.readTree(value == null ? "" : new String(value, StandardCharsets.UTF_8));
        } catch (JsonProcessingException ignored) { /* answered below */ }
        if (signal == null || !signal.isObject() || signal.path("type").asText().isEmpty()) {
            events.add(OpsEvents.Event.of("signal-ack", "outcome", "invalid", "message", "the signal is not a JSON object with a type"));
            return;
        }
        String id = signal.path("id").asText(null);
        String type = signal.path("type").asText();
        switch (type) {
            case "snapshot" -> events.add(snapshot(id, signal.path("data").path("tables")));
            case "snapshot-pause", "snapshot-resume", "snapshot-stop" -> {
                if (!snapshot.running()) {
                    events.add(ack(id, type, "rejected", "no snapshot is running"));
                    return;
                }
                if (type.equals("snapshot-stop")) events.add(snapshot.stop());
                else snapshot.pause(type.equals("snapshot-pause"));
                events.add(ack(id, type, "ok", null));
            }
            case "refresh-tables" -> events.add(ack(id, type, "ok", null));
            case "log-state" -> events.add(OpsEvents.Event.of("signal-ack", "id", id, "type", type, "outcome", "ok",
                "mined_to_scn", Long.toString(minedTo.getAsLong()), "open_transactions", "0", "buffered_events", "0", "oldest_open_scn", "-1",
                "largest", "", "snapshot_running", Boolean.toString(snapshot.running())));
            default -> events.add(ack(id, type, "unknown", "unknown signal type " + type));
        }
    }

    private OpsEvents.Event snapshot(String id, JsonNode named) {
        if (!outcome.equals("ok")) return ack(id, "snapshot", outcome, "the stand-in was told to say " + outcome);
        if (snapshot.running()) return ack(id, "snapshot", "rejected", "a snapshot is running");
        List<String> tables = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (JsonNode one : named) {
            String table = one.asText().trim().toUpperCase(Locale.ROOT);
            if (captured.test(table)) tables.add(table);
            else unknown.add(one.asText());
        }
        if (tables.isEmpty()) return ack(id, "snapshot", "rejected", "none of " + unknown + " is a captured table");
        snapshot.start(tables);
        return ack(id, "snapshot", "ok", unknown.isEmpty() ? null : "not captured, skipped: " + unknown);
    }

    private static OpsEvents.Event ack(String id, String type, String outcome, String message) {
        return OpsEvents.Event.of("signal-ack", "id", id, "type", type, "outcome", outcome, "message", message);
    }

    @Override public void close() { consumer.close(Duration.ofMillis(500)); }
}
