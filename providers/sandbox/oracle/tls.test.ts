import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startOracleServer } from "./server.ts";
import { failureOf, oracledb } from "./test-driver.ts";
import { testServerOptions } from "./test-statements.ts";

const tls = suite("the Oracle server over TLS");

const pem = (name: string) => readFile(new URL(`testdata/localhost-${name}.pem`, import.meta.url), "utf8");

tls("serves a client that trusts its certificate, and outlives one that does not", async () => {
  const [key, cert] = [await pem("key"), await pem("cert")];
  const server = await startOracleServer(testServerOptions({ tls: { key, cert } }));
  const where = { user: "c", password: "tiger", connectString: `tcps://localhost:${server.port}/ORCLPDB1` };
  const stranger = connect(server.port, "127.0.0.1"); // never begins the handshake
  assert.match((await failureOf(oracledb.getConnection(where))).message, /NJS-5|certificate/);
  const connection = await oracledb.getConnection({ ...where, walletContent: cert + key });
  assert.equal((await connection.execute("SELECT DUMMY FROM DUAL")).rows, [["X"]]);
  await connection.close();
  await server.close();
  stranger.destroy();
});

tls.run();
