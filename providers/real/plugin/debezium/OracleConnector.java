package io.debezium.connector.oracle;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * Stands in for Debezium's Oracle connector under its own name: no database, one task, and source offsets and records in Debezium's form. Each
 * behaviour names the section of the reference, "Debezium's Oracle connector as the legacy connector", that it follows.
 */
public final class OracleConnector extends SourceConnector {
    static final String VERSION = "3.6.1.Final";

    private Map<String, String> properties;

    @Override public String version() { return VERSION; }
    @Override public ConfigDef config() { return DebeziumSettings.DEFINITION; }
    @Override public Class<? extends Task> taskClass() { return DebeziumTask.class; }
    /** Section 2, "Stored offset": one partition, always, hence one task. */
    @Override public List<Map<String, String>> taskConfigs(int maxTasks) { return List.of(properties); }
    @Override public void start(Map<String, String> config) { properties = config; }
    @Override public void stop() { }
}
