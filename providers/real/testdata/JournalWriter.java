import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;

/**
 * Writes a transaction journal with Connect's own JSON converter and Kafka's own producer. Arguments: bootstrap servers, topic, compression, whether
 * with schemas. A line in, its parts separated by tabs:
 *
 *   server con_id xid chunk generation                                             a tombstone
 *   server con_id xid chunk generation first last events undos user client payload  a chunk; user and client may be -, the payload is base64
 *   ! key value                                                                    as it stands
 *   flush                                                                          answered once all is written
 */
public class JournalWriter {
  private static final Schema KEY = SchemaBuilder.struct().name("io.oso.cdc.txjournal.Key").version(1)
      .field("server", Schema.STRING_SCHEMA).field("con_id", Schema.INT32_SCHEMA).field("xid", Schema.STRING_SCHEMA)
      .field("chunk", Schema.INT32_SCHEMA).field("generation", Schema.INT64_SCHEMA).build();
  private static final Schema CHUNK = chunk();

  private static Schema chunk() {
    SchemaBuilder builder = SchemaBuilder.struct().name("io.oso.cdc.txjournal.Chunk").version(1)
        .field("v", Schema.INT32_SCHEMA).field("events", Schema.INT32_SCHEMA).field("undos", Schema.INT32_SCHEMA);
    for (String place : new String[] {"first", "last", "first_captured"})
      builder.field(place + "_scn", Schema.INT64_SCHEMA).field(place + "_rs_id", Schema.OPTIONAL_STRING_SCHEMA)
          .field(place + "_ssn", Schema.INT64_SCHEMA);
    return builder.field("start_scn", Schema.OPTIONAL_INT64_SCHEMA).field("start_rs_id", Schema.OPTIONAL_STRING_SCHEMA)
        .field("start_ssn", Schema.OPTIONAL_INT64_SCHEMA).field("thread", Schema.INT32_SCHEMA)
        .field("username", Schema.OPTIONAL_STRING_SCHEMA).field("client_id", Schema.OPTIONAL_STRING_SCHEMA)
        .field("payload", Schema.BYTES_SCHEMA).build();
  }

  public static void main(String[] args) throws Exception {
    String topic = args[1];
    Map<String, Object> settings = Map.of("bootstrap.servers", args[0], "compression.type", args[2], "linger.ms", "20");
    JsonConverter keys = new JsonConverter();
    keys.configure(Map.of("schemas.enable", args[3]), true);
    JsonConverter values = new JsonConverter();
    values.configure(Map.of("schemas.enable", args[3]), false);
    try (var producer = new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        String[] parts = line.split("\t");
        if (parts[0].equals("flush")) {
          producer.flush();
          System.out.println("written");
        } else if (parts[0].equals("!")) {
          send(producer, topic, parts[1].getBytes(StandardCharsets.UTF_8), parts[2].getBytes(StandardCharsets.UTF_8));
        } else {
          byte[] value = parts.length == 5 ? null : values.fromConnectData(topic, CHUNK, chunk(parts));
          send(producer, topic, keys.fromConnectData(topic, KEY, key(parts)), value);
        }
      }
    }
  }

  private static void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] key, byte[] value) {
    producer.send(new ProducerRecord<>(topic, key, value), (written, failure) -> {
      if (failure == null) return;
      failure.printStackTrace();
      System.exit(1);
    });
  }

  private static Struct key(String[] parts) {
    return new Struct(KEY).put("server", parts[0]).put("con_id", Integer.parseInt(parts[1])).put("xid", parts[2])
        .put("chunk", Integer.parseInt(parts[3])).put("generation", Long.parseLong(parts[4]));
  }

  private static Struct chunk(String[] parts) {
    Struct chunk = new Struct(CHUNK).put("v", 1).put("events", Integer.parseInt(parts[7])).put("undos", Integer.parseInt(parts[8]))
        .put("thread", 1).put("payload", Base64.getDecoder().decode(parts[11]));
    place(chunk, "first", parts[5]);
    place(chunk, "last", parts[6]);
    place(chunk, "first_captured", parts[5]);
    if (!parts[9].equals("-")) chunk.put("username", parts[9]);
    if (!parts[10].equals("-")) chunk.put("client_id", parts[10]);
    return chunk;
  }

  private static void place(Struct chunk, String name, String scn) {
    chunk.put(name + "_scn", Long.parseLong(scn)).put(name + "_ssn", 0L);
  }
}
