import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.debezium.config.Configuration;
import io.debezium.connector.oracle.CommitScn;
import io.debezium.connector.oracle.OracleConnection;
import io.debezium.connector.oracle.OracleConnectorConfig;
import io.debezium.connector.oracle.OracleOffsetContext;
import io.debezium.connector.oracle.OracleValueConverters;
import io.debezium.jdbc.JdbcConfiguration;
import io.debezium.pipeline.spi.OffsetContext;
import io.debezium.relational.Column;
import io.debezium.relational.ColumnEditor;
import io.debezium.relational.ValueConverter;
import java.nio.charset.StandardCharsets;
import java.sql.Types;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import oracle.jdbc.OracleTypes;
import oracle.sql.CharacterSet;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;

/**
 * Answers with Debezium's own classes: what its loader holds of offsets, which settings its ConfigDef knows, how its
 * converters write values. Reads one JSON document from standard input, and writes one.
 */
public class Judge {
  /** Connect's own converter makes every integer a long. */
  private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.USE_LONG_FOR_INTS);

  public static void main(String[] args) throws Exception {
    JsonNode asked = JSON.readTree(System.in);
    ObjectNode answer = JSON.createObjectNode();
    ArrayNode offsets = answer.putArray("offsets");
    for (JsonNode offset : asked.get("offsets")) offsets.add(loaded(offset));
    ArrayNode properties = answer.putArray("properties");
    OracleConnectorConfig.configDef().names().stream().sorted().forEach(properties::add);
    ArrayNode values = answer.putArray("values");
    for (JsonNode value : asked.get("values")) values.add(written(value));
    System.out.write(JSON.writeValueAsBytes(answer));
    System.out.flush();
  }

  private static OracleConnectorConfig config(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("topic.prefix", "inv");
    settings.put("database.dbname", "ORCL");
    return new OracleConnectorConfig(Configuration.from(settings));
  }

  // ---- Offsets

  private static ObjectNode loaded(JsonNode offset) throws Exception {
    ObjectNode held = JSON.createObjectNode();
    try {
      @SuppressWarnings("unchecked")
      Map<String, Object> stored = JSON.convertValue(offset, Map.class);
      OracleOffsetContext context = (OracleOffsetContext) loader().load(stored);
      held.put("scn", text(context.getScn()));
      held.put("snapshotScn", text(context.getSnapshotScn()));
      CommitScn commit = context.getCommitScn();
      held.put("lastCommit", commit == null ? null : text(commit.getMaxCommittedScn()));
      ObjectNode threads = held.putObject("threads");
      if (commit != null)
        new TreeMap<>(commit.getCommitScnForAllRedoThreads()).forEach((thread, scn) -> threads.put("" + thread, text(scn)));
      held.put("snapshotRunning", isSnapshotRunning(context));
    } catch (Exception | LinkageError refused) {
      held.removeAll();
      held.put("refused", refused.getClass().getSimpleName());
    }
    return held;
  }

  private static String text(Object scn) {
    return scn == null || scn.toString().equals("null") ? null : scn.toString();
  }

  /** Since 3.2 the class has a name of its own for the buffered adapter. */
  private static OffsetContext.Loader<?> loader() throws Exception {
    String in = "io.debezium.connector.oracle.logminer.";
    Class<?> loader;
    try {
      loader = Class.forName(in + "buffered.BufferedLogMinerOracleOffsetContextLoader");
    } catch (ClassNotFoundException older) {
      loader = Class.forName(in + "LogMinerOracleOffsetContextLoader");
    }
    return (OffsetContext.Loader<?>) loader.getConstructor(OracleConnectorConfig.class).newInstance(config(Map.of()));
  }

  private static boolean isSnapshotRunning(OracleOffsetContext context) throws Exception {
    try {
      return (boolean) OffsetContext.class.getMethod("isInitialSnapshotRunning").invoke(context);
    } catch (NoSuchMethodException older) {
      return (boolean) OracleOffsetContext.class.getMethod("isSnapshotRunning").invoke(context);
    }
  }

  // ---- Values

  /** The converters ask the database for its character sets only; a constructor would connect. */
  private static class NoDatabase extends OracleConnection {
    NoDatabase() {
      super((JdbcConfiguration) null, false);
    }

    @Override
    public CharacterSet getNationalCharacterSet() {
      return CharacterSet.make(CharacterSet.AL16UTF16_CHARSET);
    }

    /** Asked for by later versions. */
    public CharacterSet getDatabaseCharacterSet() {
      return CharacterSet.make(CharacterSet.AL32UTF8_CHARSET);
    }

    static OracleConnection make() throws Exception {
      java.lang.reflect.Field unsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
      unsafe.setAccessible(true);
      return (OracleConnection) ((sun.misc.Unsafe) unsafe.get(null)).allocateInstance(NoDatabase.class);
    }
  }

  private static ObjectNode written(JsonNode asked) throws Exception {
    Map<String, String> settings = new HashMap<>();
    asked.get("config").fields().forEachRemaining(one -> settings.put(one.getKey(), one.getValue().asText()));
    ObjectNode answer = JSON.createObjectNode();
    try {
      OracleValueConverters converters = new OracleValueConverters(config(settings), NoDatabase.make());
      Column column = column(asked.get("type").asText());
      Schema schema = converters.schemaBuilder(column).optional().build();
      ValueConverter converter = converters.converter(column, new Field("C", 0, schema));
      String value = asked.get("value").asText();
      Object given = value.equals("<unavailable>") ? OracleValueConverters.UNAVAILABLE_VALUE : value;
      Struct row = new Struct(SchemaBuilder.struct().field("C", schema).build()).put("C", converter.convert(given));
      for (boolean withSchema : new boolean[] {false, true}) {
        JsonConverter json = new JsonConverter();
        json.configure(Map.of("schemas.enable", "" + withSchema), false);
        byte[] bytes = json.fromConnectData("inv", row.schema(), row);
        answer.put(withSchema ? "enveloped" : "plain", new String(bytes, StandardCharsets.UTF_8));
      }
    } catch (Exception | LinkageError refused) {
      answer.put("refused", refused.getClass().getSimpleName() + ": " + refused.getMessage());
    }
    return answer;
  }

  /** A column as Debezium reads it from the dictionary: `NUMBER(10,2)`, `TIMESTAMP(6) WITH TIME ZONE`. */
  private static Column column(String type) {
    String name = type.replaceAll("\\(.*", "").trim();
    String[] digits = type.contains("(") ? type.replaceAll("^[^(]*\\(([^)]*)\\).*$", "$1").split(",") : new String[0];
    ColumnEditor column = Column.editor().name("C").optional(true);
    if (digits.length > 0) column.length(Integer.parseInt(digits[0].trim()));
    switch (name) {
      case "NUMBER":
        column.type("NUMBER", "NUMBER").jdbcType(Types.NUMERIC);
        if (type.endsWith("no scale")) return column.create();
        if (digits.length == 0) return column.length(38).create();
        return column.scale(digits.length > 1 ? Integer.parseInt(digits[1].trim()) : 0).create();
      case "FLOAT":
        return column.type("FLOAT", "FLOAT").jdbcType(Types.FLOAT).create();
      case "BINARY_FLOAT":
        return column.type(name).jdbcType(OracleTypes.BINARY_FLOAT).create();
      case "BINARY_DOUBLE":
        return column.type(name).jdbcType(OracleTypes.BINARY_DOUBLE).create();
      case "DATE":
        return column.type("DATE").jdbcType(Types.TIMESTAMP).create();
      case "TIMESTAMP":
        int jdbc = type.contains("LOCAL") ? OracleTypes.TIMESTAMPLTZ : type.contains("ZONE") ? OracleTypes.TIMESTAMPTZ : Types.TIMESTAMP;
        return column.type(type).jdbcType(jdbc).scale(Integer.parseInt(digits[0])).create();
      case "INTERVAL YEAR":
        return column.type(type).jdbcType(OracleTypes.INTERVALYM).create();
      case "INTERVAL DAY":
        return column.type(type).jdbcType(OracleTypes.INTERVALDS).create();
      case "CHAR":
        return column.type(name).jdbcType(Types.CHAR).create();
      case "NVARCHAR2":
        return column.type(name).jdbcType(Types.NVARCHAR).create();
      case "RAW":
        return column.type(name).jdbcType(OracleTypes.RAW).create();
      case "CLOB":
        return column.type(name).jdbcType(Types.CLOB).create();
      case "NCLOB":
        return column.type(name).jdbcType(Types.NCLOB).create();
      case "BLOB":
        return column.type(name).jdbcType(Types.BLOB).create();
      case "XMLTYPE":
        return column.type(name).jdbcType(Types.SQLXML).create();
      case "ROWID":
        return column.type(name).jdbcType(Types.ROWID).create();
      default:
        return column.type(name).jdbcType(Types.VARCHAR).create();
    }
  }
}
