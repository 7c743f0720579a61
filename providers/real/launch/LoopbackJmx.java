package cdcctl.launch;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.rmi.registry.LocateRegistry;
import java.rmi.server.RMIServerSocketFactory;
import java.util.Map;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import javax.management.remote.rmi.RMIConnectorServer;

/**
 * JMX over RMI, registry and objects on one port of 127.0.0.1. The JVM's own agent (com.sun.management.jmxremote.port) speaks the
 * same but opens a second port on every address, whatever jmxremote.host says.
 */
final class LoopbackJmx {
    private LoopbackJmx() { }

    static void open(int port) throws IOException {
        RMIServerSocketFactory loopback = p -> new ServerSocket(p, 50, InetAddress.getByName("127.0.0.1"));
        LocateRegistry.createRegistry(port, null, loopback);
        String at = "127.0.0.1:" + port;
        JMXServiceURL url = new JMXServiceURL("service:jmx:rmi://" + at + "/jndi/rmi://" + at + "/jmxrmi");
        Map<String, ?> environment = Map.of(RMIConnectorServer.RMI_SERVER_SOCKET_FACTORY_ATTRIBUTE, loopback);
        JMXConnectorServerFactory
            .newJMXConnectorServer(url, environment, ManagementFactory.getPlatformMBeanServer())
            .start();
    }
}
