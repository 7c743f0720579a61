package cdcctl.standin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The running snapshot: a table takes as many polls as the settings say, and there are no rows. Its progress is the offset's
 * {@code snapshot}: JSON text {@code {"v":1,"complete":…,"tables":{"FQN":{"done":…,"frontier":[]}},"scope":[…]}}.
 */
final class Snapshot {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final StoredOffset offset;
    private final long pollsPerTable;
    private boolean running;
    private boolean paused;
    private long polls;

    /** What was unfinished goes on at the start, then what was pending: both before any signal is read. */
    Snapshot(StoredOffset offset, long pollsPerTable) {
        this.offset = offset;
        this.pollsPerTable = pollsPerTable;
        running = offset.snapshot() != null && !progress().path("complete").asBoolean();
        startPending();
    }

    boolean running() { return running; }
    void pause(boolean pause) { paused = pause; }

    void start(List<String> tables) {
        ObjectNode progress = JSON.createObjectNode().put("v", 1).put("complete", false);
        ArrayNode scope = progress.putArray("scope");
        for (String table : tables) {
            progress.withObjectProperty("tables").putObject(table).put("done", false).putArray("frontier");
            scope.add(table);
        }
        offset.snapshot(progress.toString());
        running = true;
        paused = false;
        polls = 0;
    }

    /** Chunks that are not read yet never are. */
    OpsEvents.Event stop() {
        running = false;
        offset.snapshot(progress().put("complete", true).toString());
        return OpsEvents.Event.of("snapshot-complete", "table", "*", "stopped", "true");
    }

    /** Snapshots of new tables begin once no other is running. */
    void startPending() {
        List<String> tables = offset.pending();
        if (running || tables.isEmpty()) return;
        start(tables);
        offset.pending(List.of());
    }

    /** What a poll brings. */
    List<OpsEvents.Event> advance(long scn) {
        List<OpsEvents.Event> events = new ArrayList<>();
        if (!running || paused || ++polls % pollsPerTable != 0) return events;
        ObjectNode progress = progress();
        List<String> open = new ArrayList<>();
        progress.path("tables").fields().forEachRemaining(table -> {
            if (!table.getValue().path("done").asBoolean()) open.add(table.getKey());
        });
        if (!open.isEmpty()) {
            String table = open.get(0);
            ((ObjectNode) progress.path("tables").path(table)).put("done", true);
            events.add(OpsEvents.Event.of("snapshot-chunk-done", "table", table, "scn", Long.toString(scn), "rows", "0"));
            events.add(OpsEvents.Event.of("snapshot-complete", "table", table));
        }
        if (open.size() <= 1) {
            progress.put("complete", true);
            running = false;
            events.add(OpsEvents.Event.of("snapshot-complete", "table", "*"));
        }
        offset.snapshot(progress.toString());
        return events;
    }

    private ObjectNode progress() {
        try {
            JsonNode progress = JSON.readTree(offset.snapshot());
            return (ObjectNode) progress;
        } catch (JsonProcessingException e) {
            throw new ConnectException(e);
        }
    }
}
