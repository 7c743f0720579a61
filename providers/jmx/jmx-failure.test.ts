import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { secret } from "../../core/values/secret.ts";
import { noConnection } from "./jmx-failure.ts";
import { Broken, NotJrmp } from "./remote-call.ts";
import { tlsOptions } from "./session.ts";

const failures = suite("reasons for a failed connection to a JVM");

const AT = { host: "worker-1", port: 9999 };
const broken = (code: string, message = code, established = false) =>
  new Broken("error", established, Object.assign(new Error(message), { code }));
const openSsl = (text: string) => `00:error:0A000412:SSL routines:ssl3_read_bytes:${text}:../deps/openssl:1590:`;

const TABLE: readonly (readonly [string, Error, boolean, string, RegExp, RegExp])[] = [
  ["refused", broken("ECONNREFUSED"), false, "unreachable", /connection refused by worker-1:9999/, /JMX enabled/],
  [
    "an unknown name",
    broken("ENOTFOUND"),
    false,
    "unreachable",
    /host name worker-1 can't be resolved/,
    /host and port/,
  ],
  ["no route", broken("EHOSTUNREACH"), true, "unreachable", /no route to worker-1:9999/, /host and port/],
  ["silence", new Broken("timeout", true), false, "unreachable", /did not answer in time/, /firewalls/],
  ["closed", new Broken("close", true), false, "unreachable", /closed the connection/, /requires TLS/],
  ["TLS instead", new NotJrmp(Buffer.from([0x15, 3, 3])), false, "unreachable", /speaks TLS/, /registry\.ssl=true/],
  [
    "a certificate for another host",
    broken("ERR_TLS_CERT_ALTNAME_INVALID"),
    true,
    "unreachable",
    /certificate of worker-1:9999 is for another host name/,
    /java\.rmi\.server\.hostname/,
  ],
  [
    "an unknown authority",
    broken("UNABLE_TO_VERIFY_LEAF_SIGNATURE", "unable to verify the first certificate"),
    true,
    "unreachable",
    /is not accepted: unable to verify the first certificate/,
    /trust store/,
  ],
  [
    "an expired certificate",
    broken("CERT_HAS_EXPIRED", "certificate has expired"),
    true,
    "unreachable",
    /expired/,
    /./,
  ],
  [
    "a client certificate is required",
    broken("ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE", openSsl("sslv3 alert bad certificate"), true),
    true,
    "unauthorized",
    /refused the TLS handshake: sslv3 alert bad certificate$/,
    /key store/,
  ],
  [
    "no TLS there",
    broken("EPROTO", openSsl("wrong version number")),
    true,
    "unreachable",
    /no TLS session .*: wrong version number$/,
    /speaks TLS/,
  ],
];
for (const [what, error, tls, kind, message, remedy] of TABLE)
  failures(`${what} is reported, with a remedy`, () => {
    const why = noConnection(error, AT, tls);
    assert.is(why.kind, kind);
    assert.match(why.message, message);
    assert.match(`${why.remedy ?? ""}`, remedy);
  });

failures("a bug is rethrown", () => {
  assert.throws(
    () => noConnection(new TypeError("x is undefined"), AT, false),
    (error: unknown) => error instanceof TypeError,
  );
});

failures("stores are read as everywhere, and the host is checked unless disabled", async () => {
  const at = (name: string) => join(import.meta.dirname, "../tls/testdata", name);
  const password = secret("test-only");
  const trustStore = { path: at("trust.jks"), type: "JKS", password } as const;
  const keyStore = { path: at("client-keytool.p12"), type: "PKCS12", password } as const;
  const options = await tlsOptions({ trustStore, keyStore, registry: false, checkHost: true });
  assert.equal(Object.keys(options).sort(), ["ca", "cert", "key", "rejectUnauthorized"]);
  const { checkServerIdentity } = await tlsOptions({ registry: false, checkHost: false });
  assert.type(checkServerIdentity, "function");
  assert.equal(await tlsOptions(undefined), { rejectUnauthorized: true });
});

failures.run();
