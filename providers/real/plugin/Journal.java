package cdcctl.standin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * The transaction journal, read at the start as the real task reads it (reference: wire formats, "Transaction journal"): the last record
 * of a key wins; chunks of this prefix, of a generation up to the raised one, that begin before the resume point are restored.
 */
final class Journal {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Journal() { }

    /** @param changes how many were journaled. @param last SCN of the last journaled record, which holds the resume point */
    record Restored(long changes, long last) { }

    /** @return the restored transactions by {@code CON:USN.SLOT.SQN} */
    static Map<String, Restored> read(Map<String, Object> client, String topic, String prefix, long generation, long resume) {
        Map<JsonNode, String> last = new LinkedHashMap<>();
        for (ConsumerRecord<String, String> record : recordsOf(client, topic)) last.put(json(record.key(), topic), record.value());
        Map<String, TreeMap<Integer, JsonNode>> chunks = new HashMap<>();
        last.forEach((written, text) -> {
            JsonNode key = written.has("payload") ? written.get("payload") : written;
            if (text == null || !key.path("server").asText().equals(prefix) || key.path("generation").asLong() > generation) return;
            JsonNode read = json(text, topic);
            JsonNode value = read.has("payload") && read.has("schema") ? read.get("payload") : read;
            if (value.path("first_scn").asLong() >= resume) return;
            chunks.computeIfAbsent(key.path("con_id").asInt() + ":" + key.path("xid").asText(), id -> new TreeMap<>())
                .put(key.path("chunk").asInt(), value);
        });
        Map<String, Restored> restored = new HashMap<>();
        chunks.forEach((xid, own) -> {
            for (int at = 0; at < own.size(); at++)
                if (!own.containsKey(at)) throw StoredOffset.stop("CDC-4002", "Chunk " + at + " of transaction " + xid + " is missing in " + topic);
            long changes = own.values().stream().mapToLong(chunk -> chunk.path("events").asLong()).sum();
            restored.put(xid, new Restored(changes, own.lastEntry().getValue().path("last_scn").asLong()));
        });
        return restored;
    }

    private static JsonNode json(String text, String topic) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw StoredOffset.stop("CDC-4002", "A record of " + topic + " cannot be read");
        }
    }

    private static List<ConsumerRecord<String, String>> recordsOf(Map<String, Object> client, String topic) {
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        if (!client.containsKey("bootstrap.servers")) return records;
        try (var consumer = new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
            List<PartitionInfo> partitions = consumer.partitionsFor(topic);
            if (partitions == null || partitions.isEmpty()) return records;
            List<TopicPartition> all = partitions.stream().map(one -> new TopicPartition(topic, one.partition())).toList();
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            consumer.assign(all);
            consumer.seekToBeginning(all);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue()))
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
        }
        return records;
    }
}
