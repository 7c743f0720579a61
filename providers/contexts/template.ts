// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
/** A commented contexts file to start from: valid as it is, and with every line uncommented. */
export const CONTEXTS_TEMPLATE = `\
# Contexts: which host gets which credentials. It belongs to the operator and stays out of every repository, with
# mode 0600. Paths are relative to it. Check it with: cdcctl contexts test
#
# References, for what is not to stand here:
#   \${env:NAME}             an environment variable
#   \${file:path:key}        a key of a Java properties file
#   \${directory:path:key}   the content of a file in a folder
apiVersion: cdcctl/v1
kind: Contexts
contexts:
  # The name that --context and target.context of a plan file use.
  prod:
    connect:
      # REST URL of a worker, or of the gateway before it ("urls: [http://…, http://…]" for several workers).
      url: http://localhost:8083
      # The authorities that sign the worker's certificate; left out: the system's.
      # ca: tls/ca.pem
      # Basic authentication ("bearer: {token: …}" for a token).
      # auth:
      #   basic:
      #     user: cdcctl
      #     password: \${env:CONNECT_PASSWORD}
    # Brokers of the ops, signals and journal topics; left out: cdc.stream.bootstrap.servers of the connector. The login
    # in commandConfig, a Java client properties file, goes to these brokers and no other.
    # brokers:
    #   bootstrapServers: kafka-1.example.com:9093,kafka-2.example.com:9093
    #   commandConfig: client.properties
    # JMX of the workers, for doctor explain-lag and admin transactions (--jmx-url).
    # jmx:
    #   hosts: [connect-1.example.com:9010]
    #   login:
    #     user: cdcctl
    #     password: \${env:JMX_PASSWORD}
    # A connector whose copy at the worker holds references that only the worker resolves, such as its password: the
    # same settings in a file of yours.
    # connectors:
    #   orders-cdc:
    #     config: orders-cdc.json
`;
