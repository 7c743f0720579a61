package io.debezium.connector.oracle;

import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.NonEmptyString;
import org.apache.kafka.common.config.ConfigDef.Type;

/** Debezium's settings that matter here, and {@code standin.*}: what the stand-in is made to do. */
final class DebeziumSettings {
    private DebeziumSettings() { }

    static final String HOSTNAME = "database.hostname";
    static final String PREFIX = "topic.prefix";
    static final String DBNAME = "database.dbname";
    /** Null: a database without containers. */
    static final String PDB = "database.pdb.name";
    /** 0: an offset is stored with a change only. */
    static final String HEARTBEAT_MS = "heartbeat.interval.ms";
    static final String TOMBSTONES = "tombstones.on.delete";

    /** Whose forms it has: {@code 2.7.3.Final} or {@code 3.6.1.Final}. */
    static final String VERSION = "standin.version";
    /** {@code SCHEMA.TABLE}, as many as there are to be rows of. */
    static final String TABLES = "standin.tables";
    /** Where its initial snapshot reads when nothing is stored. */
    static final String SCN = "standin.scn";
    /** How much each poll adds to it; 0 keeps it still. */
    static final String STEP_SCN = "standin.step.scn";
    static final String INTERVAL_MS = "standin.interval.ms";
    /** Above zero: since this SCN a transaction has been open. */
    static final String OPEN_SCN = "standin.open.scn";
    /** Whether its initial snapshot stands still after the first row. */
    static final String SNAPSHOT_HANGS = "standin.snapshot.hangs";
    /** Above zero: after the commit at this SCN an incremental snapshot reads one row again. */
    static final String INCREMENTAL_SCN = "standin.incremental.scn";

    static final ConfigDef DEFINITION = new ConfigDef()
        .define(HOSTNAME, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, new NonEmptyString(), Importance.HIGH, "Host of the database")
        .define(PREFIX, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, new NonEmptyString(), Importance.HIGH, "Prefix of every topic")
        .define(DBNAME, Type.STRING, "ORCLCDB", Importance.HIGH, "")
        .define(PDB, Type.STRING, null, Importance.HIGH, "")
        .define(HEARTBEAT_MS, Type.LONG, 0L, Importance.LOW, "")
        .define(TOMBSTONES, Type.BOOLEAN, true, Importance.LOW, "")
        .define(VERSION, Type.STRING, OracleConnector.VERSION, Importance.LOW, "")
        .define(TABLES, Type.LIST, List.of("SALES.ORDERS"), Importance.LOW, "")
        .define(SCN, Type.LONG, 2_000_000L, Importance.LOW, "")
        .define(STEP_SCN, Type.LONG, 1L, Importance.LOW, "")
        .define(INTERVAL_MS, Type.LONG, 100L, Importance.LOW, "")
        .define(OPEN_SCN, Type.LONG, 0L, Importance.LOW, "")
        .define(SNAPSHOT_HANGS, Type.BOOLEAN, false, Importance.LOW, "")
        .define(INCREMENTAL_SCN, Type.LONG, 0L, Importance.LOW, "");
}
