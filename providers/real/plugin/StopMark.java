package cdcctl.standin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Tells a task in poll() that its connector was stopped. Connect itself tells a task only after its poll() has returned; and the two
 * may live in different workers, which share the folder they were started in.
 */
final class StopMark {
    private StopMark() { }

    static void set(String prefix) {
        try {
            Files.writeString(path(prefix), "");
        } catch (IOException e) {
            throw new ConnectException(e);
        }
    }

    static void clear(String prefix) {
        try {
            Files.deleteIfExists(path(prefix));
        } catch (IOException e) {
            throw new ConnectException(e);
        }
    }

    static boolean isSet(String prefix) {
        return Files.exists(path(prefix));
    }

    private static Path path(String prefix) {
        byte[] name = prefix.getBytes(StandardCharsets.UTF_8);
        return Path.of("stopped-" + Base64.getUrlEncoder().withoutPadding().encodeToString(name));
    }
}
