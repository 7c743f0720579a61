// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { managerOf } from "./manager.ts";

const managers = suite("who manages a connector");

function shown(worker: string, config: Readonly<Record<string, string>> = {}, task = worker): string {
  const status = { worker, tasks: [{ id: 0n, state: "RUNNING", worker: task }] };
  const manager = managerOf([{ status, config }]);
  if (manager === undefined) return "nobody";
  const { is, cluster, certain } = manager;
  return [is, cluster && `${cluster.namespace}/${cluster.name}`, certain ? "certain" : "hint"]
    .filter(Boolean)
    .join(" ");
}

const WORKERS: readonly (readonly [worker: string, manager: string])[] = [
  ["my-connect-connect-0.my-connect-connect.kafka.svc:8083", "Strimzi kafka/my-connect certain"],
  ["my-connect-connect-12.my-connect-connect.kafka.svc:8083", "Strimzi kafka/my-connect certain"],
  ["c-connect-0.c-connect.team-a-1.svc", "Strimzi team-a-1/c certain"],
  ["a-connect-1-connect-0.a-connect-1-connect.kafka.svc:8083", "Strimzi kafka/a-connect-1 certain"],
  // The pod is another one than the service's.
  ["my-connect-connect-0.other-connect.kafka.svc:8083", "nobody"],
  // Pods of a Deployment, as older versions had them.
  ["my-connect-connect-6f8b9c7d4-x2x7k:8083", "nobody"],
  ["connect-0.connect.confluent.svc.cluster.local:8083", "Confluent for Kubernetes confluent/connect hint"],
  ["my-connect-2.my-connect.prod.svc.cluster.local", "Confluent for Kubernetes prod/my-connect hint"],
  ["connect-0.headless.confluent.svc.cluster.local:8083", "nobody"],
  ["connect.confluent.svc.cluster.local:8083", "nobody"],
  ["10.42.0.17:8083", "nobody"],
  ["[fd00::17]:8083", "nobody"],
  ["connect-1.example.com:8083", "nobody"],
  ["worker-2:8083", "nobody"],
  ["localhost:8083", "nobody"],
  ["", "nobody"],
];
for (const [worker, manager] of WORKERS)
  managers(`worker ${worker === "" ? "without a name" : worker}: ${manager}`, () => {
    assert.is(shown(worker), manager);
  });

const REFERENCES: readonly (readonly [value: string, manager: string])[] = [
  ["${strimzisecrets:kafka/orders:password}", "Strimzi certain"],
  ["${strimziconfigmaps:kafka/orders:user}", "Strimzi certain"],
  ["jdbc:${strimzienv:HOST}:1521", "Strimzi certain"],
  ["${secrets:kafka/orders:password}", "Strimzi hint"],
  ["${secrets:password}", "nobody"],
  ["${file:/opt/secrets/orders.properties:password}", "nobody"],
  ["${env:DB_PASSWORD}", "nobody"],
  ["secrets:kafka/orders:password", "nobody"],
];
for (const [value, manager] of REFERENCES)
  managers(`reference ${value}: ${manager}`, () => {
    assert.is(shown("10.42.0.17:8083", { "cdc.database.password": value }), manager);
  });

managers("the worker of a task counts, and any connector of several", () => {
  const pod = "my-connect-connect-0.my-connect-connect.kafka.svc:8083";
  assert.is(shown("10.42.0.17:8083", {}, pod), "Strimzi kafka/my-connect certain");
  const plain = { status: { worker: "worker-2:8083", tasks: [] }, config: {} };
  assert.is(managerOf([plain, { status: { worker: pod, tasks: [] }, config: {} }])?.by, `worker id ${pod}`);
  assert.is(managerOf([]), undefined);
});

managers("certain evidence has precedence over a hint", () => {
  const stateful = "connect-0.connect.confluent.svc.cluster.local:8083";
  assert.is(shown(stateful, { "cdc.database.password": "${strimzisecrets:kafka/orders:p}" }), "Strimzi certain");
  assert.match(shown(stateful, { "cdc.database.password": "${secrets:kafka/orders:p}" }), "Confluent for Kubernetes");
});

managers.run();
