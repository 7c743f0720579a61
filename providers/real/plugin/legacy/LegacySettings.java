package io.confluent.connect.oracle.cdc;

import java.util.List;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** The legacy connector's settings that matter here, and {@code standin.*}: what the stand-in is made to do. */
final class LegacySettings {
    private LegacySettings() { }

    static final String SERVER = "oracle.server";
    static final String SID = "oracle.sid";
    /** Empty: a database without containers. */
    static final String PDB = "oracle.pdb.name";
    /** Empty: {@code <name>-<sid>-redo-log}. */
    static final String REDO_LOG_TOPIC = "redo.log.topic.name";

    /** {@code SCHEMA.TABLE}, as many as there are to be rows of. */
    static final String TABLES = "standin.tables";
    /** Where it stands when nothing is stored. */
    static final String SCN = "standin.scn";
    /** How much each poll adds to it; 0 keeps it still. */
    static final String STEP_SCN = "standin.step.scn";
    static final String INTERVAL_MS = "standin.interval.ms";
    /** Above zero: since this SCN a transaction has been open, at which every mining session begins; only the tables' positions go on. */
    static final String OPEN_SCN = "standin.open.scn";
    /** Whether SCNs are stored as numbers and not as text. */
    static final String NUMBERS = "standin.numbers";

    /** Whether the tables' partitions keep an order of their keys that the worker does not ask for: it then shows no offset for them. */
    static final String KEYS_AS_GIVEN = "standin.keys.as.given";

    static final ConfigDef DEFINITION = new ConfigDef()
        .define(SERVER, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, new ConfigDef.NonEmptyString(), Importance.HIGH, "Host of the database")
        .define(SID, Type.STRING, "ORCLCDB", Importance.HIGH, "")
        .define(PDB, Type.STRING, "", Importance.HIGH, "")
        .define(REDO_LOG_TOPIC, Type.STRING, "", Importance.LOW, "")
        .define(TABLES, Type.LIST, List.of("SALES.ORDERS"), Importance.LOW, "")
        .define(SCN, Type.LONG, 2_000_000L, Importance.LOW, "")
        .define(STEP_SCN, Type.LONG, 10L, Importance.LOW, "")
        .define(INTERVAL_MS, Type.LONG, 100L, Importance.LOW, "")
        .define(OPEN_SCN, Type.LONG, 0L, Importance.LOW, "")
        .define(NUMBERS, Type.BOOLEAN, false, Importance.LOW, "")
        .define(KEYS_AS_GIVEN, Type.BOOLEAN, false, Importance.LOW, "");
}
