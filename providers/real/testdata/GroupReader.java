import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads a topic in a group of the protocol of KIP-848, says so once it has committed, and leaves when its input says anything or closes. Arguments:
 * bootstrap servers, group, topic.
 */
public class GroupReader {
  public static void main(String[] args) throws Exception {
    Map<String, Object> settings = Map.of("bootstrap.servers", args[0], "group.id", args[1], "group.protocol", "consumer",
        "auto.offset.reset", "earliest", "enable.auto.commit", "false");
    try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      consumer.subscribe(List.of(args[2]));
      Thread input = new Thread(() -> {
        try {
          System.in.read();
        } catch (java.io.IOException ignored) { /* the same as its end */ }
      });
      input.start();
      boolean said = false;
      while (input.isAlive()) {
        if (consumer.poll(Duration.ofMillis(100)).isEmpty() || said) continue;
        consumer.commitSync();
        System.out.println("reading");
        said = true;
      }
    }
  }
}
