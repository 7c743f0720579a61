import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { readServiceUrl } from "./service-url.ts";

const urls = suite("a JMX service URL");

const registry = (host: string, port: number, name = "jmxrmi") => ({
  form: "registry",
  registry: { host, port },
  name,
});

const READ: readonly (readonly [string, ReturnType<typeof registry>])[] = [
  ["service:jmx:rmi:///jndi/rmi://worker-1.example.com:9999/jmxrmi", registry("worker-1.example.com", 9999)],
  ["service:jmx:rmi://worker-1:9998/jndi/rmi://worker-1:9999/jmxrmi", registry("worker-1", 9999)],
  ["service:jmx:rmi:///jndi/rmi://worker-1/jmxrmi", registry("worker-1", 1099)],
  ["service:jmx:rmi:///jndi/rmi://[2001:db8::1]:9999/jmxrmi", registry("2001:db8::1", 9999)],
  ["service:jmx:rmi:///jndi/rmi:///jmxrmi", registry("localhost", 1099)],
  ["service:jmx:rmi:///jndi/rmi://10.0.0.7:9999/karaf-root", registry("10.0.0.7", 9999, "karaf-root")],
];
for (const [url, expected] of READ)
  urls(`${url} is read`, () => {
    assert.equal(readServiceUrl(url), expected);
  });

urls("a stub in the URL is used unchanged", () => {
  const read = readServiceUrl("service:jmx:rmi://127.0.0.1/stub/rO0ABQ==");
  assert.equal(read, { form: "stub", stub: Buffer.from("aced0005", "hex") });
});

const REFUSED: readonly (readonly [string, RegExp, RegExp])[] = [
  ["worker-1:9999", /is not a JMX service URL/, /Write: {2}service:jmx:rmi:\/\/\/jndi\/rmi:\/\/worker-1:9999\/jmxrmi/],
  ["rmi://worker-1:9999/jmxrmi", /is not a JMX service URL/, /\/jndi\/rmi:\/\/worker-1:9999\/jmxrmi/],
  ["http://worker-1:8083", /is not a JMX service URL/, /Write it like this: {2}service:jmx:rmi/],
  ["", /is not a JMX service URL/, /Write it like this/],
  ["service:jmx:rmi://worker-1:9999", /neither \/jndi\/ nor \/stub\//, /./],
  ["service:jmx:rmi://worker-1:9999/", /neither \/jndi\/ nor \/stub\//, /rmi:\/\/worker-1:9999\/jmxrmi/],
  ["service:jmx:jmxmp://worker-1:9999", /is for JMXMP, which is not supported/, /JMX over RMI/],
  ["service:jmx:iiop:///jndi/iiop://h/x", /is for IIOP \(CORBA\)/, /JMX over RMI/],
  ["service:jmx:remote+http://h:9990", /is for JBoss remoting/, /JMX over RMI/],
  ["service:jmx:tarot://h", /is for the protocol tarot/, /JMX over RMI/],
  ["service:jmx:rmi:///ior/IOR:0001", /is for IIOP/, /./],
  ["service:jmx:rmi:///jndi/ldap://evil.example.com/x", /looks the server up over ldap/, /./],
  ["service:jmx:rmi:///jndi/rmi://h:0/jmxrmi", /address of the registry .* can't be read/, /./],
  ["service:jmx:rmi:///jndi/rmi://h:70000/jmxrmi", /address of the registry/, /./],
  ["service:jmx:rmi:///jndi/rmi://a b/jmxrmi", /address of the registry/, /./],
  ["service:jmx:rmi:///jndi/rmi://h:9999/", /the name after the registry/, /./],
  ["service:jmx:rmi:///jndi/rmi://h:9999/jmxrmi?x=1", /the name after the registry/, /./],
  ["service:jmx:rmi://a b/jndi/rmi://h:9999/jmxrmi", /the host before \/jndi\//, /./],
  ["service:jmx:rmi:///stub/not base64!", /is not valid Base64/, /./],
];
for (const [url, message, remedy] of REFUSED)
  urls(`"${url}" is rejected by name`, () => {
    assert.throws(
      () => readServiceUrl(url),
      (error: unknown) =>
        error instanceof UsageError &&
        message.test(error.message) &&
        remedy.test(lineOf(error.problems[0]?.remedy ?? "")),
    );
  });

urls("a login in the URL is refused and not shown", () => {
  for (const login of ["ops:hush@", "ops:hu/sh@", "hush@"])
    assert.throws(
      () => readServiceUrl(`service:jmx:rmi:///jndi/rmi://${login}h:9999/jmxrmi`),
      (error: unknown) =>
        error instanceof UsageError &&
        /contains a user or a password/.test(error.message) &&
        !/hush|hu\/sh/.test(JSON.stringify(error.problems)),
      login,
    );
});

urls("any text is read or refused", async () => {
  const parts = fc.constantFrom(
    "service:jmx:",
    "rmi:",
    "//",
    "/jndi/",
    "/stub/",
    "h",
    ":1",
    "/",
    "jmxrmi",
    "[::1]",
    "@",
    "\x1b",
  );
  await fc.assert(
    fc.property(fc.array(fc.oneof(parts, fc.string({ maxLength: 3 })), { maxLength: 10 }), (texts) => {
      try {
        readServiceUrl(texts.join(""));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        assert.not.match(error.message, "\x1b");
      }
    }),
  );
});

urls.run();
