package cdcctl.standin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;

/** The offset's {@code snapshot}: JSON text {@code {"v":1,"complete":…,"tables":{"FQN":{"done":…,"frontier":[]}},"scope":[…]}}. */
final class SnapshotProgress {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SnapshotProgress() { }

    /** @param stored the text so far; null when no snapshot was ever started */
    static String begun(Object stored, List<String> tables) {
        ObjectNode progress = parsed(stored == null ? "{\"v\":1}" : stored.toString());
        progress.put("complete", false);
        ArrayNode scope = progress.putArray("scope");
        for (String table : tables) {
            progress.withObjectProperty("tables").putObject(table).put("done", false).putArray("frontier");
            scope.add(table);
        }
        return progress.toString();
    }

    static String done(Object stored) {
        ObjectNode progress = parsed(stored.toString());
        if (progress.path("complete").asBoolean()) return stored.toString();
        progress.put("complete", true);
        for (JsonNode table : progress.path("tables")) ((ObjectNode) table).put("done", true);
        return progress.toString();
    }

    private static ObjectNode parsed(String text) {
        try {
            return (ObjectNode) JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new ConnectException(e);
        }
    }
}
