package io.confluent.connect.oracle.cdc;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * Stands in for the legacy connector under its own name: no database, rows of its own making, and source partitions and offsets in its form
 * (reference: legacy properties, "Stored offsets"). It does not look at offsets that are altered.
 */
public final class OracleCdcSourceConnector extends SourceConnector {
    private Map<String, String> properties;

    @Override public String version() { return "2.14.3-standin"; }
    @Override public ConfigDef config() { return LegacySettings.DEFINITION; }
    @Override public Class<? extends Task> taskClass() { return LegacyTask.class; }
    @Override public List<Map<String, String>> taskConfigs(int maxTasks) { return List.of(properties); }
    @Override public void start(Map<String, String> config) { properties = config; }
    @Override public void stop() { }
}
