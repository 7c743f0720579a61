package cdcctl.standin;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in for the Oracle CDC source connector: no database, one task, heartbeat records whose source partition and offset have
 * the real connector's form, and the real connector's MBean.
 */
public class StandInConnector extends SourceConnector {
    private static final Logger LOG = LoggerFactory.getLogger(StandInConnector.class);

    private Map<String, String> properties;

    @Override public String version() { return "0.0.1-standin"; }
    @Override public ConfigDef config() { return Settings.DEFINITION; }
    @Override public Class<? extends Task> taskClass() { return StandInTask.class; }
    @Override public List<Map<String, String>> taskConfigs(int maxTasks) { return List.of(properties); }
    @Override public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> config) { return ExactlyOnceSupport.SUPPORTED; }

    @Override
    public void start(Map<String, String> config) {
        properties = config;
        StopMark.clear(config.get(Settings.PREFIX));
    }

    @Override
    public void stop() {
        if (properties != null) StopMark.set(properties.get(Settings.PREFIX));
    }

    /**
     * @return true ("checked") only when every offset is a removal or has a numeric resume_scn; false makes the worker say that the
     *     class did not check.
     */
    @Override
    public boolean alterOffsets(Map<String, String> config, Map<Map<String, ?>, Map<String, ?>> offsets) {
        boolean checked = true;
        for (Map.Entry<Map<String, ?>, Map<String, ?>> entry : offsets.entrySet()) {
            LOG.info("STANDIN alterOffsets partition={} offset={}", typed(entry.getKey()), typed(entry.getValue()));
            if (entry.getValue() != null && !(entry.getValue().get("resume_scn") instanceof Number)) checked = false;
        }
        String refusal = config.getOrDefault(Settings.REFUSE_MESSAGE, "");
        if (!refusal.isEmpty()) throw new ConnectException(refusal);
        return checked;
    }

    /** With the Java type of each value: what the worker made of the JSON is part of what the tests look at. */
    static String typed(Map<String, ?> map) {
        if (map == null) return "null";
        Map<String, String> out = new TreeMap<>();
        map.forEach((k, v) -> out.put(k, v == null ? "null" : v.getClass().getSimpleName() + ":" + v));
        return out.toString();
    }
}
