import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.connect.json.JsonConverter;

/**
 * Reads partition 0 of a topic to its end through Kafka Connect's JSON converter, as a sink connector would. Prints key and value of each record as
 * the converter gives them, on one line. Arguments: bootstrap servers, topic, {@code schemas.enable}.
 */
public class ReadThroughConverter {
  public static void main(String[] args) {
    JsonConverter keys = new JsonConverter();
    JsonConverter values = new JsonConverter();
    keys.configure(Map.of("schemas.enable", args[2]), true);
    values.configure(Map.of("schemas.enable", args[2]), false);
    var partition = new TopicPartition(args[1], 0);
    var bytes = new ByteArrayDeserializer();
    try (var consumer = new KafkaConsumer<>(Map.of("bootstrap.servers", args[0]), bytes, bytes)) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end)
        for (var record : consumer.poll(Duration.ofMillis(200)))
          System.out.println(keys.toConnectData(args[1], record.key()).value() + " "
              + values.toConnectData(args[1], record.value()).value());
    }
  }
}
