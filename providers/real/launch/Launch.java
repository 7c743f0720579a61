package cdcctl.launch;

import java.io.IOException;
import java.util.Arrays;

/**
 * Runs another main class in a JVM that does not outlive the test that started it: standard input is a pipe from the test, and
 * when it closes, however the test ended, the JVM halts. Opens JMX first when the property {@code loopback.jmx.port} is set.
 */
public final class Launch {
    private Launch() { }

    public static void main(String[] args) throws Exception {
        Thread watch = new Thread(Launch::haltWhenInputCloses, "test-watch");
        watch.setDaemon(true);
        watch.start();
        String port = System.getProperty("loopback.jmx.port");
        if (port != null) LoopbackJmx.open(Integer.parseInt(port));
        Class.forName(args[0]).getMethod("main", String[].class)
            .invoke(null, (Object) Arrays.copyOfRange(args, 1, args.length));
    }

    private static void haltWhenInputCloses() {
        try {
            while (System.in.read() >= 0) { /* nothing is said on this pipe */ }
        } catch (IOException ignored) { /* the same as its end */ }
        Runtime.getRuntime().halt(137);
    }
}
