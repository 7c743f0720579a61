import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import type { DatabaseSettings } from "../../core/facts/connector/settings.ts";
import { lineOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import { describeConnection, logsInWithoutPassword } from "./connect-descriptor.ts";

const NOTHING: DatabaseSettings = {
  host: undefined,
  port: undefined,
  service: undefined,
  sid: undefined,
  url: undefined,
  user: "cdc",
  password: secret("canary-1"),
  walletLocation: undefined,
  truststoreLocation: undefined,
  truststorePassword: undefined,
  truststoreType: undefined,
  connectionProperties: undefined,
};

const plain: DatabaseSettings = { ...NOTHING, host: "db", service: "ORCL" };

function reference(to: string): string {
  return `$\{${to}}`;
}

function tcp(host: string, port: string, data: string, protocol = "TCP"): string {
  const address = `(ADDRESS=(PROTOCOL=${protocol})(HOST=${host})(PORT=${port}))`;
  return `(DESCRIPTION=(ADDRESS_LIST=${address})(CONNECT_DATA=${data}))`;
}

const WRITTEN = "(DESCRIPTION=(ADDRESS=(PROTOCOL=tcps)(HOST=h)(PORT=2484))(CONNECT_DATA=(SERVICE_NAME=s)))";

const URLS: readonly (readonly [url: string, connectString: string, address: string])[] = [
  ["jdbc:oracle:thin:@//db:1522/svc", tcp("db", "1522", "(SERVICE_NAME=svc)"), "db:1522/svc"],
  ["jdbc:oracle:thin:@//db/svc", tcp("db", "1521", "(SERVICE_NAME=svc)"), "db:1521/svc"],
  [
    "jdbc:oracle:thin:@db:1522/svc.example.com",
    tcp("db", "1522", "(SERVICE_NAME=svc.example.com)"),
    "db:1522/svc.example.com",
  ],
  ["jdbc:oracle:thin:@db/svc", tcp("db", "1521", "(SERVICE_NAME=svc)"), "db:1521/svc"],
  ["jdbc:oracle:thin:@db:1521:ORCL", tcp("db", "1521", "(SID=ORCL)"), "db:1521/ORCL"],
  ["JDBC:Oracle:Thin:@tcp://db:1521/svc", tcp("db", "1521", "(SERVICE_NAME=svc)"), "db:1521/svc"],
  ["jdbc:oracle:thin:@tcps://db:2484/svc", tcp("db", "2484", "(SERVICE_NAME=svc)", "TCPS"), "db:2484/svc"],
  [
    "jdbc:oracle:thin:@//db:1521/svc:dedicated/inst1",
    tcp("db", "1521", "(SERVICE_NAME=svc)(SERVER=dedicated)(INSTANCE_NAME=inst1)"),
    "db:1521/svc",
  ],
  [
    "jdbc:oracle:thin:@//[2001:db8::1]:1521/svc",
    tcp("2001:db8::1", "1521", "(SERVICE_NAME=svc)"),
    "[2001:db8::1]:1521/svc",
  ],
  ["jdbc:oracle:thin:@[::1]:1521:ORCL", tcp("::1", "1521", "(SID=ORCL)"), "[::1]:1521/ORCL"],
  [
    "jdbc:oracle:thin:@//a:1521,b:1522/svc",
    "(DESCRIPTION=(ADDRESS_LIST=(ADDRESS=(PROTOCOL=TCP)(HOST=a)(PORT=1521))(ADDRESS=(PROTOCOL=TCP)" +
      "(HOST=b)(PORT=1522)))(CONNECT_DATA=(SERVICE_NAME=svc)))",
    "a:1521,b:1522/svc",
  ],
  [`jdbc:oracle:thin:@${WRITTEN}`, WRITTEN, "h:2484/s"],
  ["jdbc:oracle:thin:@mydb_high?TNS_ADMIN=/etc/tns", "mydb_high", "mydb_high"],
];

const REFUSED: readonly (readonly [why: string, settings: Partial<DatabaseSettings>, message: RegExp])[] = [
  ["a password in the URL", { url: "jdbc:oracle:thin:cdc/canary-1@//db/svc" }, /contains a login/],
  ["a password after the slashes", { url: "jdbc:oracle:thin:@//cdc:canary-1@db/svc" }, /contains a login/],
  ["a password in a descriptor", { url: "jdbc:oracle:thin:@(DESCRIPTION=(PASSWORD=canary-1))" }, /contains a login/],
  ["a name without tnsnames.ora", { url: "jdbc:oracle:thin:@mydb_high" }, /mydb_high.*tnsnames/],
  ["LDAP", { url: "jdbc:oracle:thin:@ldap://dir:389/svc,cn=OracleContext" }, /ldap:/],
  ["LDAP over TLS", { url: "jdbc:oracle:thin:@ldaps://dir:636/svc,cn=OracleContext" }, /ldaps:/],
  ["the OCI driver", { url: "jdbc:oracle:oci:@db" }, /jdbc:oracle:oci/],
  ["the server-side driver", { url: "jdbc:oracle:kprb:" }, /jdbc:oracle:kprb/],
  ["another database", { url: "jdbc:postgresql://db/canary-1" }, /not a supported JDBC URL/],
  ["IPC", { url: "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(PROTOCOL=ipc)(KEY=x)))" }, /PROTOCOL=ipc/],
  [
    "brackets that don't match",
    { url: "jdbc:oracle:thin:@(DESCRIPTION=(ADDRESS=(HOST=h))" },
    /not a supported JDBC URL/,
  ],
  ["a bracket in a service", { service: "x)(SERVER=y" }, /cdc\.database\.service/],
  ["a bracket in a host", { host: "db)(PORT=1" }, /cdc\.database\.host/],
  ["an invalid port", { port: "99999" }, /cdc\.database\.port/],
  ["Kerberos", { connectionProperties: "oracle.net.authentication_services=(KERBEROS5)" }, /Kerberos/],
  ["RADIUS", { connectionProperties: "oracle.net.authentication_services=(RADIUS)" }, /RADIUS/],
  [
    "a token of a cloud's own service",
    { url: "jdbc:oracle:thin:@tcps://db:2484/svc?oracle.jdbc.tokenAuthentication=AZURE_DEVICE_CODE" },
    /a token that is asked of a cloud's own service/,
  ],
  [
    "an OAuth token that does not exist",
    { url: "jdbc:oracle:thin:@tcps://db:2484/svc", connectionProperties: "oracle.jdbc.tokenAuthentication=OAUTH" },
    /is set without a token/,
  ],
  ["a token over TCP", { connectionProperties: "oracle.jdbc.accessToken=canary-1" }, /a login by token needs TCPS/],
  [
    "a client certificate over TCP",
    { connectionProperties: "oracle.net.authentication_services=(TCPS)" },
    /a login by client certificate needs TCPS/,
  ],
  ["a password in the properties", { connectionProperties: "password=canary-1" }, /contains a login/],
  ["no user", { user: undefined }, /cdc\.database\.user is not set/],
  ["no password", { password: undefined }, /cdc\.database\.password is not set/],
  ["no host", { host: undefined }, /cdc\.database\.host is not set/],
  ["neither service nor SID", { service: undefined }, /cdc\.database\.service is not set/],
  [
    "an unresolved password",
    { password: secret(reference("file:/run/canary-1:pw")) },
    /cdc\.database\.password is a reference/,
  ],
  [
    "an unresolved part of a URL",
    { url: `jdbc:oracle:thin:@//${reference("env:DB")}/svc` },
    /cdc\.database\.url is a reference/,
  ],
];

const descriptors = suite("the location of the database");

const TCPS_URL = "jdbc:oracle:thin:@tcps://db:2484/svc";
const NOBODY = { ...plain, user: undefined, password: undefined, url: TCPS_URL };
const CERTIFICATE = "oracle.net.authentication_services=(TCPS)";

const logins: readonly (readonly [what: string, settings: Partial<DatabaseSettings>, login: object])[] = [
  [
    "a client certificate, with a wallet",
    { connectionProperties: CERTIFICATE, walletLocation: "/w" },
    { by: "certificate", proxied: undefined },
  ],
  [
    "a client certificate of a proxy",
    { connectionProperties: CERTIFICATE, user: "[APP]" },
    { by: "certificate", proxied: "APP" },
  ],
  [
    "a client certificate, whatever the password",
    { connectionProperties: CERTIFICATE, user: "CDC", password: secret("p") },
    { by: "certificate", proxied: undefined },
  ],
  [
    "an OAuth token in a file",
    { connectionProperties: "oracle.jdbc.tokenAuthentication=OAUTH;oracle.jdbc.tokenLocation=/run/token" },
    { by: "token", kind: "OAUTH", location: "/run/token", token: undefined, proxied: undefined },
  ],
  [
    "a token of OCI, where its command line puts it",
    { url: `${TCPS_URL}?oracle.jdbc.tokenAuthentication=OCI_TOKEN` },
    { by: "token", kind: "OCI_TOKEN", location: undefined, token: undefined, proxied: undefined },
  ],
];
for (const [what, settings, login] of logins)
  descriptors(`logs in by ${what}, without user and password`, () => {
    assert.equal(describeConnection({ ...NOBODY, ...settings }).login, login);
    assert.ok(logsInWithoutPassword({ ...NOBODY, ...settings }));
  });

descriptors("a token in the settings stays a secret", () => {
  const described = describeConnection({ ...NOBODY, connectionProperties: "oracle.jdbc.accessToken=canary-1" });
  assert.is(described.login.by === "token" && described.login.token?.open(), "canary-1");
  assert.not.match(JSON.stringify(described), "canary-1");
});

descriptors("a service comes before a SID, a URL before both", () => {
  assert.is(describeConnection(plain).connectString, tcp("db", "1521", "(SERVICE_NAME=ORCL)"));
  assert.is(describeConnection({ ...plain, service: undefined, sid: "X" }).connectString, tcp("db", "1521", "(SID=X)"));
  assert.is(describeConnection({ ...plain, sid: "X" }).connectString, tcp("db", "1521", "(SERVICE_NAME=ORCL)"));
  const url = "jdbc:oracle:thin:@//other:1/svc";
  assert.is(describeConnection({ ...plain, url, host: reference("env:H") }).address, "other:1/svc");
});

for (const [url, connectString, address] of URLS)
  descriptors(`reads ${url}`, () => {
    const described = describeConnection({ ...NOTHING, url });
    assert.is(described.connectString, connectString);
    assert.is(described.address, address);
  });

for (const [why, changes, message] of REFUSED)
  descriptors(`refuses ${why}, with a remedy, without a secret`, () => {
    try {
      describeConnection({ ...plain, ...changes });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      assert.match(error.message, message);
      for (const { remedy } of error.problems) assert.ok(remedy);
      assert.not.match(JSON.stringify(error.problems), "canary-1");
      return;
    }
    assert.unreachable("it was taken");
  });

descriptors("names everything that is missing at once", () => {
  try {
    describeConnection({ ...NOTHING, user: undefined, password: undefined });
    assert.unreachable("it was taken");
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    assert.match(
      error.message,
      "cdc.database.user, cdc.database.password, cdc.database.host, cdc.database.service are not set",
    );
    assert.ok(error.problems.every(({ remedy }) => lineOf(remedy ?? "").includes("--config")));
  }
});

descriptors("honours the properties that thin mode has, in their own units", () => {
  const described = describeConnection({
    ...plain,
    connectionProperties:
      "oracle.net.CONNECT_TIMEOUT=5000; oracle.jdbc.ReadTimeout=30000;oracle.net.ssl_server_dn_match=false;" +
      "oracle.net.wallet_location=(SOURCE=(METHOD=FILE)(METHOD_DATA=(DIRECTORY=/wallet)))",
  });
  assert.is(described.connectMillis, 5000);
  assert.is(described.callMillis, 30_000);
  assert.is(described.matchServerName, false);
  assert.equal(described.trust, { kind: "wallet", directory: "/wallet", password: undefined });
  assert.equal(described.notes, []);
  assert.is(describeConnection({ ...NOTHING, url: "jdbc:oracle:thin:@//db/s?connect_timeout=3" }).connectMillis, 3000);
});

descriptors("names the properties that it does not apply, never their values", () => {
  const { notes, connectMillis } = describeConnection({
    ...plain,
    connectionProperties: "oracle.jdbc.defaultRowPrefetch=canary-1;oracle.net.CONNECT_TIMEOUT=canary-1",
  });
  assert.is(notes.length, 2);
  assert.match(notes[0] ?? "", "oracle.jdbc.defaultRowPrefetch");
  assert.match(notes[1] ?? "", "oracle.net.CONNECT_TIMEOUT");
  assert.not.match(notes.join(), "canary-1");
  assert.is(connectMillis, 10_000);
});

descriptors("a trust store or a wallet means TLS, unless the URL says otherwise", () => {
  const store = describeConnection({ ...plain, truststoreLocation: "/t.jks", truststorePassword: secret("p") });
  assert.match(store.connectString, "PROTOCOL=TCPS");
  assert.is(store.trust.kind, "store");
  assert.match(describeConnection({ ...plain, walletLocation: "/w" }).connectString, "PROTOCOL=TCPS");
});

descriptors.run();
