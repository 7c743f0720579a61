package cdcctl.standin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * The signals topic, read from the stored {@code signal_offset} on by a consumer without a group. The field is one number, so that
 * there is one partition. Used by the task's thread alone.
 */
final class Signals implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration A_MOMENT = Duration.ofMillis(10);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final String connector;
    private final String outcome;

    /** @param outcome what is said to a signal that could be taken */
    Signals(Map<String, String> properties, String topic, String outcome, long from) {
        this.connector = properties.get("name");
        this.outcome = outcome;
        TopicPartition partition = new TopicPartition(topic, 0);
        consumer = new KafkaConsumer<>(clientProperties(properties), new ByteArrayDeserializer(), new ByteArrayDeserializer());
        consumer.assign(List.of(partition));
        consumer.seek(partition, from);
    }

    /** The answers to the signals that have come meanwhile, in their order; those to other connectors have none. */
    List<Answer> answers() {
        List<Answer> answers = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(A_MOMENT)) {
            if (record.key() == null || !connector.equals(new String(record.key(), StandardCharsets.UTF_8))) continue;
            answers.add(answer(record.value(), record.offset() + 1));
        }
        return answers;
    }

    private Answer answer(byte[] value, long next) {
        JsonNode signal;
        try {
            signal = JSON.readTree(value == null ? "" : new String(value, StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            return new Answer("", "", "invalid", e.getOriginalMessage(), List.of(), next);
        }
        String id = signal.path("id").asText();
        String type = signal.path("type").asText();
        if (!type.equals("snapshot")) return new Answer(id, type, "unknown", "no such signal: \"" + type + "\"", List.of(), next);
        List<String> tables = new ArrayList<>();
        signal.path("data").path("tables").forEach(table -> tables.add(table.asText()));
        if (id.isEmpty() || tables.isEmpty()) return new Answer(id, type, "invalid", "no id, or no data.tables", List.of(), next);
        boolean taken = outcome.equals("ok");
        String message = taken ? "snapshot of " + String.join(", ", tables) : "the stand-in was told to say " + outcome;
        return new Answer(id, type, outcome, message, taken ? tables : List.of(), next);
    }

    @Override public void close() { consumer.close(Duration.ofMillis(500)); }

    /** {@code cdc.stream.*} with the prefix taken off. */
    private static Map<String, Object> clientProperties(Map<String, String> properties) {
        Map<String, Object> client = new HashMap<>();
        properties.forEach((name, value) -> {
            if (name.startsWith("cdc.stream.")) client.put(name.substring("cdc.stream.".length()), value);
        });
        client.put("auto.offset.reset", "earliest");
        client.put("enable.auto.commit", "false");
        client.put("allow.auto.create.topics", "false");
        return client;
    }

    /**
     * @param tables which are snapshotted now; none unless the signal was taken
     * @param next the signal_offset from then on
     */
    record Answer(String id, String type, String outcome, String message, List<String> tables, long next) { }
}
