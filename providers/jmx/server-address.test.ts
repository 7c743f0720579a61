import { suite } from "uvu";
import * as assert from "uvu/assert";
import { classOf, objectOf, stub } from "../sandbox/jmx/build-graph.ts";
import { methodOf } from "./remote-call.ts";
import { remoteReference } from "./remote-reference.ts";
import { serverPlaces } from "./session.ts";

const addresses = suite("the address of the JMX server");

addresses("is the one that the JVM gives, and then the registry's host", () => {
  assert.equal(serverPlaces("worker-1", "10.0.0.7"), { hosts: ["worker-1", "10.0.0.7"], useless: false });
  assert.equal(serverPlaces("WORKER-1", "worker-1"), { hosts: ["worker-1"], useless: false });
});

addresses("is never the loopback address of another machine, which would be this one, and get the login", () => {
  for (const own of ["127.0.1.1", "127.0.0.1", "localhost", "0.0.0.0", "::1", "::ffff:127.0.0.1"])
    assert.equal(serverPlaces(own, "worker-1"), { hosts: ["worker-1"], useless: true });
  assert.equal(serverPlaces("127.0.1.1", "localhost"), { hosts: ["127.0.1.1", "localhost"], useless: false });
});

addresses("a stub contains host, port and whether TLS is used", () => {
  const plain = remoteReference(stub({ host: "worker-1", port: 9998 }));
  assert.equal([plain.host, plain.port, plain.tls, plain.id], ["worker-1", 9998, false, Buffer.alloc(22, 7)]);
  const factory = objectOf("javax.rmi.ssl.SslRMIClientSocketFactory");
  assert.ok(remoteReference(stub({ factory })).tls);
});

addresses("a proxy contains it in its handler", () => {
  const proxy = { ...objectOf("proxy", { Lh: stub({ host: "worker-1" }) }), class: classOf("proxy") };
  assert.is(remoteReference(proxy).host, "worker-1");
});

addresses("another kind of reference is named", () => {
  assert.throws(() => remoteReference(stub({ kind: "ActivatableRef" })), /of the kind "ActivatableRef"/);
});

addresses("methods are identified by the numbers in Java's own stubs", () => {
  // The methods are those of javax.management.remote.rmi.RMIServerImpl_Stub and RMIConnectionImpl_Stub.
  const hash = (signature: string) => methodOf(signature).hash;
  assert.is(hash("newClient(Ljava/lang/Object;)Ljavax/management/remote/rmi/RMIConnection;"), -1089742558549201240n);
  assert.is(hash("getVersion()Ljava/lang/String;"), -8081107751519807347n);
  assert.is(hash("close()V"), -4742752445160157748n);
});

addresses.run();
