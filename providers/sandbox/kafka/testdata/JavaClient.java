import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * What the Java client makes of a broker: creates and describes a topic, writes with every compression and in transactions, reads
 * back what was committed. Arguments: bootstrap servers, topic, then client properties as name=value.
 */
public class JavaClient {
  public static void main(String[] args) throws Exception {
    Map<String, Object> settings = new HashMap<>(Map.of("bootstrap.servers", args[0], "request.timeout.ms", 5000,
        "default.api.timeout.ms", 10000, "max.block.ms", 10000, "delivery.timeout.ms", 10000));
    for (String arg : List.of(args).subList(2, args.length))
      settings.put(arg.substring(0, arg.indexOf('=')), arg.substring(arg.indexOf('=') + 1));
    String topic = args[1];

    try (Admin admin = Admin.create(settings)) {
      admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1).configs(Map.of("cleanup.policy", "compact")))).all().get();
      var described = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
      var config = admin.describeConfigs(List.of(new ConfigResource(ConfigResource.Type.TOPIC, topic))).all().get();
      System.out.println("partitions " + described.partitions().size());
      System.out.println("cleanup.policy " + config.values().iterator().next().get("cleanup.policy").value());
      System.out.println("cluster " + admin.describeCluster().clusterId().get());
    }

    for (String compression : List.of("none", "gzip", "snappy", "lz4", "zstd"))
      try (var producer = producer(settings, Map.of("compression.type", compression))) {
        List<ProducerRecord<String, String>> records = new ArrayList<>();
        for (int i = 0; i < 40; i++) records.add(new ProducerRecord<>(topic, 0, compression + i, "value " + "x".repeat(100) + i));
        for (var record : records) producer.send(record);
      }

    try (var producer = producer(settings, Map.of("transactional.id", topic))) {
      producer.initTransactions();
      for (String outcome : List.of("committed", "aborted")) {
        producer.beginTransaction();
        producer.send(new ProducerRecord<>(topic, 1, outcome, "1"));
        producer.send(new ProducerRecord<>(topic, 1, outcome, "2"));
        producer.flush();
        if (outcome.equals("committed")) producer.commitTransaction();
        else producer.abortTransaction();
      }
    }

    Map<String, Object> reading = new HashMap<>(settings);
    reading.put("isolation.level", "read_committed");
    try (var consumer = new KafkaConsumer<>(reading, new StringDeserializer(), new ByteArrayDeserializer())) {
      List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<String, byte[]>> read = new ArrayList<>();
      long deadline = System.currentTimeMillis() + 20000;
      while (System.currentTimeMillis() < deadline
          && partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition)))
        consumer.poll(Duration.ofMillis(200)).forEach(read::add);
      System.out.println("ends " + partitions.stream().map(ends::get).collect(Collectors.toList()));
      System.out.println("read " + read.size());
      System.out.println("keys " + read.stream().filter(record -> record.partition() == 1).map(ConsumerRecord::key).collect(Collectors.toList()));
    }
  }

  private static KafkaProducer<String, String> producer(Map<String, Object> settings, Map<String, Object> more) {
    Map<String, Object> all = new HashMap<>(settings);
    all.putAll(more);
    return new KafkaProducer<>(all, new StringSerializer(), new StringSerializer());
  }
}
