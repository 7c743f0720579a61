package cdcctl.standin;

import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMIClientSocketFactory;
import java.rmi.server.RMIServerSocketFactory;
import java.security.KeyStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import javax.rmi.ssl.SslRMIClientSocketFactory;

/**
 * A JVM with the MBeans of tasks, and a JMX agent for each way in that its arguments name: {@code plain=PORT}, {@code login=PORT},
 * {@code tls=PORT}, {@code tls-registry=PORT}, {@code tls-client=PORT}. Each has registry and server on one port of 127.0.0.1, with the
 * socket factories and the authenticator that the JVM's own agent uses. Prints {@code url NAME URL} with a stub for each, then {@code ready}.
 *
 * <p>Settings: {@code task.folder} with {@code password}, {@code access}, {@code server.p12} and {@code ca.p12}.
 */
public final class TaskMBeanServer {
    private static final char[] STORE_PASSWORD = "test-only".toCharArray();

    private TaskMBeanServer() { }

    public static void main(String[] args) throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        for (String prefix : List.of("orders", "billing", "or,ders=\"*\"")) {
            String server = prefix.matches("[^,=:\"*?\\n]+") ? prefix : ObjectName.quote(prefix);
            beans.registerMBean(new StandardMBean(new Task(), TaskMetrics.class, true), new ObjectName("sh.oso.cdc:type=task,server=" + server));
        }
        beans.registerMBean(new StandardMBean(new Task(), TaskMetrics.class, true), new ObjectName("com.example:type=task,server=other"));
        beans.registerMBean(new Odd(), new ObjectName("sh.oso.cdc:type=task,server=odd"));
        for (String arg : args) {
            String[] parts = arg.split("=");
            System.out.println("url " + parts[0] + " " + open(parts[0], Integer.parseInt(parts[1]), beans));
        }
        System.out.println("ready");
        Thread.sleep(Long.MAX_VALUE);
    }

    private static JMXServiceURL open(String way, int port, MBeanServer beans) throws Exception {
        Path folder = Path.of(System.getProperty("task.folder"));
        RMIServerSocketFactory sockets = p -> new ServerSocket(p, 50, InetAddress.getByName("127.0.0.1"));
        RMIServerSocketFactory registrySockets = sockets;
        RMIClientSocketFactory clients = null;
        Map<String, Object> environment = new HashMap<>();
        if (way.startsWith("tls")) {
            sockets = tls(folder, way.equals("tls-client"));
            clients = new SslRMIClientSocketFactory();
            environment.put(RMIConnectorServer.RMI_CLIENT_SOCKET_FACTORY_ATTRIBUTE, clients);
            if (!way.equals("tls")) registrySockets = sockets;
        }
        environment.put(RMIConnectorServer.RMI_SERVER_SOCKET_FACTORY_ATTRIBUTE, sockets);
        if (!way.equals("plain")) {
            environment.put("jmx.remote.x.password.file", folder.resolve("password").toString());
            environment.put("jmx.remote.x.access.file", folder.resolve("access").toString());
        }
        // As the JVM's own agent does: the registry's TLS is a matter of its clients, so the stub is bound from inside.
        java.rmi.registry.Registry registry = LocateRegistry.createRegistry(port, registrySockets == sockets ? clients : null, registrySockets);
        // One TLS port can't serve what is exported without TLS as well.
        int own = registrySockets == sockets ? port : Integer.getInteger("task.second.port");
        JMXServiceURL url = new JMXServiceURL("rmi", "127.0.0.1", own);
        javax.management.remote.rmi.RMIJRMPServerImpl server =
            new javax.management.remote.rmi.RMIJRMPServerImpl(own, clients, sockets, environment);
        JMXConnectorServer connector = new RMIConnectorServer(url, environment, server, beans);
        connector.start();
        registry.bind("jmxrmi", server.toStub());
        return connector.getAddress();
    }

    private static RMIServerSocketFactory tls(Path folder, boolean clientCertificate) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store(folder.resolve("server.p12")), STORE_PASSWORD);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store(folder.resolve("ca.p12")));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return port -> {
            SSLServerSocket socket = (SSLServerSocket) context.getServerSocketFactory()
                .createServerSocket(port, 50, InetAddress.getByName("127.0.0.1"));
            socket.setNeedClientAuth(clientCertificate);
            return socket;
        };
    }

    private static KeyStore store(Path file) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, STORE_PASSWORD);
        }
        return store;
    }

    /** A task with values of every size. */
    static final class Task implements TaskMetrics {
        @Override public List<LargestTransaction> getLargestTransactions() {
            return List.of(new LargestTransaction(0), new LargestTransaction(1), new LargestTransaction(2));
        }
        @Override public long getMillisBehindSource() { return 1500L; }
        @Override public long getScnLag() { return 9_007_199_254_740_993L; }
        @Override public long getMinedToScn() { return Long.MAX_VALUE; }
        @Override public long getSafeEndScn() { return 2L; }
        @Override public long getOldestOpenScn() { return -1L; }
        @Override public long getLastStepMillis() { return 3L; }
        @Override public int getWindowLogs() { return Integer.MAX_VALUE; }
        @Override public long getSteps() { return 4L; }
        @Override public long getRowsMined() { return 5L; }
        @Override public long getStepTimeouts() { return 6L; }
        @Override public long getLagReplays() { return 7L; }
        @Override public int getQueueDepth() { return 8; }
        @Override public int getOpenTransactions() { return 9; }
        @Override public long getBufferedEvents() { return 10L; }
        @Override public long getBufferHeapBytes() { return 11L; }
        @Override public long getBufferMemoryMaxBytes() { return 12L; }
        @Override public long getSpilledBytes() { return 13L; }
        @Override public int getJournaledTransactions() { return 14; }
        @Override public long getTransactionsCommitted() { return 15L; }
        @Override public long getIdlePolls() { return 16L; }
        @Override public int getSnapshotTablesRemaining() { return 17; }
        @Override public long getSpillMaxBytes() { return 18L; }
    }

    /** What a task of another making might have: each attribute is trouble of its own kind. */
    public interface OddMBean {
        long getSteps();
        long getThrows();
        Object getUnserializable();
        Object getForeign();
        Object getEnormous();
        Map<String, List<Integer>> getMap();
        Object getInteger();
    }

    public static final class Odd implements OddMBean {
        @Override public long getSteps() { return 1L; }
        @Override public long getThrows() { throw new IllegalStateException("the session is closed"); }
        @Override public Object getUnserializable() { return new Object() { }; }
        @Override public Object getForeign() { return new java.util.concurrent.atomic.AtomicLong(1); }
        @Override public Object getEnormous() { return new long[10_000_000]; }
        @Override public Map<String, List<Integer>> getMap() { return Map.of("a", List.of(1, 2)); }
        @Override public Object getInteger() { return new java.math.BigInteger("-123456789012345678901234567890"); }
    }
}
