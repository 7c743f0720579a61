import java.util.Map;
import java.util.TreeSet;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads the task's MBean as any Java program does. Arguments: URL, attributes (comma-separated), then user and password where there are. */
public final class JmxClient {
  public static void main(String[] args) throws Exception {
    JMXServiceURL url = new JMXServiceURL(args[0]);
    String[] names = args[1].split(",");
    if (args.length > 2) {
      try {
        JMXConnectorFactory.connect(url, login(args[2], "wrong")).close();
        System.out.println("let in by a wrong password");
      } catch (SecurityException refused) {
        System.out.println("refused: " + refused.getMessage());
      }
    }
    Map<String, ?> environment = args.length > 2 ? login(args[2], args[3]) : Map.of();
    try (JMXConnector connector = JMXConnectorFactory.connect(url, environment)) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      for (ObjectName bean : new TreeSet<>(server.queryNames(new ObjectName("sh.oso.cdc:*"), null))) {
        System.out.println("bean " + bean);
        for (Attribute one : server.getAttributes(bean, names).asList()) print(one.getName(), one.getValue());
        print("alone " + names[0], server.getAttribute(bean, names[0]));
        try {
          server.getAttribute(bean, "NoSuchThing");
        } catch (AttributeNotFoundException missing) {
          System.out.println("missing: " + missing.getMessage());
        }
      }
      try {
        server.getAttribute(new ObjectName("sh.oso.cdc:type=task,server=other"), names[0]);
      } catch (InstanceNotFoundException missing) {
        System.out.println("no bean: " + missing.getMessage());
      }
    }
    System.out.println("closed");
  }

  private static Map<String, ?> login(String user, String password) {
    return Map.of(JMXConnector.CREDENTIALS, new String[] {user, password});
  }

  private static void print(String name, Object value) {
    if (value instanceof CompositeData[] rows) {
      for (CompositeData row : rows) {
        StringBuilder line = new StringBuilder(name);
        for (String key : new TreeSet<>(row.getCompositeType().keySet()))
          line.append(' ').append(key).append('=').append(row.get(key));
        System.out.println(line);
      }
    } else System.out.println(name + " " + value);
  }
}
