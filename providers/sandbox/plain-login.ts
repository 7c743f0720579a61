/** The value of `sasl.jaas.config` for a login with PLAIN. */
export const plainJaas = (user: string, password: string): string =>
  `org.apache.kafka.common.security.plain.PlainLoginModule required username="${user}" password="${password}";`;

/** A client's properties file for a login with PLAIN, without TLS. */
export const plainProperties = (user: string, password: string): string =>
  `security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config=${plainJaas(user, password)}\n`;
