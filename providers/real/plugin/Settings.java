package cdcctl.standin;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Type;

/** The real connector's settings that matter here, and {@code standin.*}: what the stand-in is made to do. */
final class Settings {
    private Settings() { }

    static final String PREFIX = "cdc.topic.prefix";
    /** Where to start when nothing is stored. */
    static final String START_SCN = "cdc.start.scn";
    /** Empty: {@code <prefix>.cdc.heartbeat}. */
    static final String HEARTBEAT_TOPIC = "cdc.heartbeat.topic";
    /** Empty: {@code <prefix>.cdc.signals}. */
    static final String SIGNALS_TOPIC = "cdc.signals.topic";
    /** Empty: {@code <prefix>.cdc.ops}. */
    static final String OPS_TOPIC = "cdc.ops.topic";

    static final String DBID = "standin.dbid";
    static final String RESETLOGS_SCN = "standin.resetlogs.scn";
    /** How much each poll adds to resume_scn; 0 keeps it still. */
    static final String STEP_SCN = "standin.step.scn";
    static final String INTERVAL_MS = "standin.interval.ms";
    /** released_xids of an initial offset; empty: a JSON null. */
    static final String RELEASED_XIDS = "standin.released.xids";
    /** When the connector is stopped, the poll() under way hangs so long, deaf to interrupts, and then gives nothing. */
    static final String HANG_WHEN_STOPPED_MS = "standin.hang.when.stopped.ms";
    /** While this file exists poll() hangs, deaf to interrupts, and then gives nothing. */
    static final String HANG_WHILE_FILE = "standin.hang.while.file";
    /** Once a record was acknowledged, one more is sent; then poll() waits until it hangs by one of the settings above. */
    static final String WAIT_TO_HANG = "standin.wait.to.hang";
    /** When not empty the task fails with this message (such as "CDC-2002 log purged …") instead of polling. */
    static final String FAIL_MESSAGE = "standin.fail.message";
    /** Only while resume_scn at the start is below this does the task fail; 0: always. */
    static final String FAIL_BELOW_SCN = "standin.fail.below.scn";
    /** When not empty alterOffsets refuses with this message. */
    static final String REFUSE_MESSAGE = "standin.alter.refuse";
    /**
     * {@code ok}: signals are handled as the real task handles them. {@code silent}: none is read; they are once this is something else.
     * Anything else is what is said to a snapshot signal.
     */
    static final String ACK = "standin.ack";
    /** How many polls the snapshot of a table takes. */
    static final String SNAPSHOT_POLLS = "standin.snapshot.polls";
    /** A scripted redo, see {@link Redo}; empty: a commit every poll. */
    static final String REDO = "standin.redo";
    /** {@code SCHEMA.TABLE}, whose changes of {@link Commits} are delivered; none: no table's. */
    static final String TABLES = "standin.tables";
    static final String SNAPSHOT_MODE = "cdc.snapshot.mode";
    static final String PDBS = "cdc.database.pdbs";
    /** Empty: the connector's default. */
    static final String TOPIC_TEMPLATE = "cdc.topic.template";
    static final String TOMBSTONES = "cdc.tombstones.on.delete";
    static final String INCLUDE = "cdc.tables.include";
    static final String EXCLUDE = "cdc.tables.exclude";
    /** Empty: {@code <prefix>.cdc.txjournal}. */
    static final String JOURNAL_TOPIC = "cdc.txjournal.topic";

    static final ConfigDef DEFINITION = new ConfigDef()
        .define(PREFIX, Type.STRING, ConfigDef.NO_DEFAULT_VALUE, new ConfigDef.NonEmptyString(), Importance.HIGH,
            "Prefix of every topic; names the source partition")
        .define(START_SCN, Type.LONG, 1_000_000L, ConfigDef.Range.atLeast(0), Importance.LOW, "")
        .define(HEARTBEAT_TOPIC, Type.STRING, "", Importance.LOW, "")
        .define(SIGNALS_TOPIC, Type.STRING, "", Importance.LOW, "")
        .define(OPS_TOPIC, Type.STRING, "", Importance.LOW, "")
        .define(JOURNAL_TOPIC, Type.STRING, "", Importance.LOW, "")
        .define(SNAPSHOT_MODE, Type.STRING, "initial", Importance.LOW, "")
        .define(INCLUDE, Type.STRING, ".*", Importance.LOW, "")
        .define(EXCLUDE, Type.STRING, "", Importance.LOW, "")
        .define(SNAPSHOT_POLLS, Type.LONG, 1L, ConfigDef.Range.atLeast(1), Importance.LOW, "")
        .define(REDO, Type.STRING, "", Importance.LOW, "")
        .define(TABLES, Type.LIST, List.of(), Importance.LOW, "")
        .define(PDBS, Type.STRING, "", Importance.LOW, "")
        .define(TOPIC_TEMPLATE, Type.STRING, "", Importance.LOW, "")
        .define(TOMBSTONES, Type.BOOLEAN, false, Importance.LOW, "")
        .define(DBID, Type.LONG, 2_873_049_183L, Importance.LOW, "")
        .define(RESETLOGS_SCN, Type.LONG, 1L, Importance.LOW, "")
        .define(STEP_SCN, Type.LONG, 10L, Importance.LOW, "")
        .define(INTERVAL_MS, Type.LONG, 100L, Importance.LOW, "")
        .define(RELEASED_XIDS, Type.STRING, "", Importance.LOW, "")
        .define(HANG_WHEN_STOPPED_MS, Type.LONG, 0L, Importance.LOW, "")
        .define(HANG_WHILE_FILE, Type.STRING, "", Importance.LOW, "")
        .define(WAIT_TO_HANG, Type.BOOLEAN, false, Importance.LOW, "")
        .define(FAIL_MESSAGE, Type.STRING, "", Importance.LOW, "")
        .define(FAIL_BELOW_SCN, Type.LONG, 0L, Importance.LOW, "")
        .define(REFUSE_MESSAGE, Type.STRING, "", Importance.LOW, "")
        .define(ACK, Type.STRING, "silent",
            ConfigDef.ValidString.in("silent", "ok", "rejected", "invalid", "unknown", "failed"), Importance.LOW, "");

    /** Whether the patterns capture a table: comma-separated, any case. */
    static boolean captures(Map<String, Object> config, String table) {
        return matches((String) config.get(INCLUDE), table) && !matches((String) config.get(EXCLUDE), table);
    }

    private static boolean matches(String patterns, String table) {
        return Arrays.stream(patterns.split(",")).map(String::trim)
            .anyMatch(pattern -> !pattern.isEmpty() && Pattern.compile(pattern, Pattern.CASE_INSENSITIVE).matcher(table).matches());
    }

    /** {@code cdc.stream.*} with the prefix taken off, for a consumer that commits nothing. */
    static Map<String, Object> client(Map<String, String> properties) {
        Map<String, Object> client = new HashMap<>();
        properties.forEach((name, value) -> {
            if (name.startsWith("cdc.stream.")) client.put(name.substring("cdc.stream.".length()), value);
        });
        client.put("auto.offset.reset", "earliest");
        client.put("enable.auto.commit", "false");
        client.put("isolation.level", "read_committed");
        client.put("allow.auto.create.topics", "false");
        return client;
    }

    /** A topic's name where it is set, with its {@code ${prefix}} put in; else the default one below the prefix. */
    static String topic(Map<String, Object> config, String setting, String otherwise) {
        String prefix = (String) config.get(PREFIX);
        String name = (String) config.get(setting);
        return name.isEmpty() ? prefix + otherwise : name.replace("${prefix}", prefix);
    }
}
