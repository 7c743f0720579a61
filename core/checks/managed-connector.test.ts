// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { MigrationIntent } from "../document/intent.ts";
import * as migration from "../kinds/migration/testing/build-readings.ts";
import { created } from "../kinds/migration/testing/story.ts";
import { effectOf, intent, reading } from "../kinds/offset-change/testing/build-facts.ts";
import * as resnapshot from "../kinds/resnapshot/testing/build-facts.ts";
import { lineOf } from "../values/remedy.ts";
import { findings } from "./finding.ts";
import { cutoverUndone, managedByOperator, retirementUndone, returnUndone } from "./managed-connector.ts";
import { worded } from "./testing/wording.ts";

const CON308 = suite("CON308 an operator manages the connector");

const on = (worker: string) => ({
  state: "RUNNING",
  worker,
  tasks: [{ id: 0n, state: "RUNNING", worker }],
});
const STRIMZI = on("my-connect-connect-0.my-connect-connect.kafka.svc:8083");
const CONFLUENT = on("connect-0.connect.confluent.svc.cluster.local:8083");

function findingText(verdict: ReturnType<typeof managedByOperator.run>): string {
  if (verdict.verdict === "pass") return "";
  return [verdict.seen, ...(verdict.remedies ?? []).map(lineOf)].join("\n");
}

CON308("passes on workers without signs of an operator", () => {
  assert.is(effectOf(managedByOperator, reading()), "none");
  assert.is(resnapshot.effectOf(managedByOperator, resnapshot.pastTheGap()), "none");
  assert.is(migration.effectOf(cutoverUndone, migration.cutover()), "none");
  assert.is(migration.effectOf(returnUndone, migration.goingBack()), "none");
  assert.is(migration.effectOf(retirementUndone, migration.retirement()), "none");
});

CON308("blocks a move until it is accepted, and only warns under admin, which cannot accept it", () => {
  const managed = reading({ connector: { status: STRIMZI } });
  assert.is(effectOf(managedByOperator, managed), "blocks");
  assert.is(effectOf(managedByOperator, managed, intent({ accept: ["CON308"] })), "accepted");
  assert.is(effectOf(managedByOperator, managed, intent({ by: "admin" })), "warns");
  assert.match(findingText(worded(managedByOperator).run(intent(), managed)), "spec.accept: [CON308]");
  assert.not.match(findingText(worded(managedByOperator).run(intent({ by: "admin" }), managed)), "spec.accept");
});

CON308("warns for a move that resumes that the stop may be undone, with the commands for that resource", () => {
  const reported = findingText(
    worded(managedByOperator).run(intent({ resume: true }), reading({ connector: { status: STRIMZI } })),
  );
  assert.match(reported, /^Strimzi runs these workers, Connect cluster my-connect in namespace kafka \(worker id /);
  assert.match(reported, "may resume orders-cdc between the stop and the patch, and apply then fails with APL804");
  const pause = "kubectl -n kafka annotate kafkaconnector orders-cdc strimzi.io/pause-reconciliation";
  assert.match(reported, `${pause}=true\n`);
  assert.match(reported, "kubectl -n kafka wait kafkaconnector/orders-cdc --for=condition=ReconciliationPaused");
  assert.ok(reported.endsWith(`${pause}-`), reported);
  assert.not.match(reported, "stopped");
});

CON308("has the command that ends the pause after the run, for that resource", () => {
  const after = (status: typeof STRIMZI) =>
    findings([managedByOperator], intent({ accept: ["CON308"] }), reading({ connector: { status } }))[0]?.afterwards;
  assert.is(
    after(STRIMZI),
    "kubectl -n kafka annotate kafkaconnector orders-cdc strimzi.io/pause-reconciliation-" +
      "     # so that Strimzi manages it again",
  );
  assert.is(
    after(CONFLUENT),
    "kubectl -n confluent annotate connectors.platform.confluent.io orders-cdc " +
      "platform.confluent.io/block-reconcile-     # so that Confluent for Kubernetes manages it again",
  );
  assert.is(after(on("worker-1:8083")), undefined);
});

CON308("has it after a phase too under Confluent; under Strimzi the phase is carried out in another way", () => {
  const wanted = migration.intent({ accept: ["CON308"] });
  const after = (status: typeof STRIMZI) =>
    findings([cutoverUndone], wanted, migration.cutover({ legacy: { status } }, wanted))[0]?.afterwards;
  assert.is(
    after(CONFLUENT),
    "kubectl -n confluent annotate connectors.platform.confluent.io orders-cdc " +
      "platform.confluent.io/block-reconcile-     # so that Confluent for Kubernetes manages it again",
  );
  assert.is(after(STRIMZI), undefined);
});

CON308("warns for a move that leaves it stopped that it will run, and says how it stays stopped", () => {
  const reported = findingText(
    worded(managedByOperator).run(intent({ resume: false }), reading({ connector: { status: STRIMZI } })),
  );
  assert.match(reported, "Strimzi resumes orders-cdc within two minutes, from the new offset");
  assert.match(
    reported,
    `kubectl -n kafka patch kafkaconnector orders-cdc --type=merge -p '{"spec":{"state":"stopped"}}'`,
  );
});

CON308("does not apply to a signal alone: nothing is stopped", () => {
  const parts = { connector: { status: STRIMZI } };
  assert.is(resnapshot.effectOf(managedByOperator, resnapshot.reading(parts)), "none");
  assert.is(resnapshot.effectOf(managedByOperator, resnapshot.pastTheGap(parts)), "blocks");
});

CON308(
  "detected by a reference alone, lists the resources of every namespace and leaves a placeholder for the namespace",
  () => {
    const config = {
      "cdc.database.user": "C##CDC",
      "cdc.database.password": "${strimzisecrets:kafka/orders:password}",
    };
    const reported = findingText(worded(managedByOperator).run(intent(), reading({ connector: { config } })));
    assert.match(reported, "(configuration reference ${strimzisecrets:kafka/orders:password})");
    assert.match(reported, "kubectl get kafkaconnectors --all-namespaces");
    assert.match(reported, "kubectl -n NAMESPACE annotate kafkaconnector orders-cdc");
  },
);

CON308("is a hint for Confluent for Kubernetes, with its own resource and annotation", () => {
  const reported = findingText(worded(managedByOperator).run(intent(), reading({ connector: { status: CONFLUENT } })));
  assert.match(
    reported,
    /^Confluent for Kubernetes may run these workers, Connect cluster connect in namespace confluent/,
  );
  assert.match(reported, "kubectl -n confluent get connectors.platform.confluent.io");
  assert.match(
    reported,
    "annotate connectors.platform.confluent.io orders-cdc platform.confluent.io/block-reconcile=true",
  );
});

const PHASES: readonly (readonly [
  phase: MigrationIntent["phase"],
  run: (status: typeof STRIMZI, accept?: readonly string[]) => { readonly effect: string; readonly text: string },
  undone: RegExp,
  commands: readonly string[],
])[] = [
  [
    "cutover",
    (status, accept = []) => {
      const wanted = migration.intent({ accept });
      const seen = migration.cutover({ legacy: { status } }, wanted);
      return {
        effect: migration.effectOf(cutoverUndone, seen, wanted),
        text: migration.resultOf(cutoverUndone, seen, wanted),
      };
    },
    /resumes orders-legacy and deletes orders-cdc, which has no resource, within two minutes/,
    [
      "| cdcctl migrate translate --input - --name orders-cdc --output orders-cdc.json",
      `kubectl -n kafka patch kafkaconnector orders-legacy --type=merge -p '{"spec":{"state":"stopped"}}'`,
      "--connector orders-legacy --target-config orders-cdc.json --output orders-cdc-takeover.json",
      "kubectl -n kafka apply -f orders-cdc.yaml   label strimzi.io/cluster: my-connect",
    ],
  ],
  [
    "rollback",
    (status, accept = []) => {
      const wanted = migration.intent({ phase: "rollback", accept });
      const seen = migration.goingBack({ next: { ...created(), status } }, wanted);
      return {
        effect: migration.effectOf(returnUndone, seen, wanted),
        text: migration.resultOf(returnUndone, seen, wanted),
      };
    },
    /creates orders-cdc again within two minutes of its deletion/,
    [
      "/connectors/orders-cdc/offsets",
      "kubectl -n kafka delete kafkaconnector orders-cdc",
      `kubectl -n kafka patch kafkaconnector orders-legacy --type=merge -p '{"spec":{"state":"running"}}'`,
    ],
  ],
  [
    "retire",
    (status, accept = []) => {
      const wanted = migration.intent({ phase: "retire", accept });
      const seen = migration.retirement({ next: { ...created(), status } }, wanted);
      return {
        effect: migration.effectOf(retirementUndone, seen, wanted),
        text: migration.resultOf(retirementUndone, seen, wanted),
      };
    },
    /creates orders-legacy again within two minutes of its deletion, and it continues from the offsets that are left/,
    ["kubectl -n kafka delete kafkaconnector orders-legacy"],
  ],
];
for (const [phase, run, undone, commands] of PHASES) {
  CON308(`refuses the ${phase} of Strimzi's connectors, whatever is accepted, and shows the alternative`, () => {
    assert.is(run(STRIMZI).effect, "blocks");
    assert.is(run(STRIMZI, ["CON308"]).effect, "blocks");
    assert.match(run(STRIMZI).text, undone);
    for (const command of commands) assert.ok(run(STRIMZI).text.includes(command), command);
    assert.not.match(run(STRIMZI).text, "spec.accept");
  });

  CON308(`blocks the ${phase} for a hint, until the user states that nothing manages the connectors`, () => {
    assert.is(run(CONFLUENT).effect, "blocks");
    assert.match(run(CONFLUENT).text, "If it manages none of them:  spec.accept: [CON308]");
    assert.is(run(CONFLUENT, ["CON308"]).effect, "accepted");
  });
}

CON308(
  "lets a retirement finish once the legacy connector's resource is deleted: nothing would create it again",
  () => {
    const wanted = migration.intent({ phase: "retire" });
    const gone = migration.retirement({ legacy: null, next: { ...created(), status: STRIMZI } }, wanted);
    assert.is(migration.effectOf(retirementUndone, gone, wanted), "none");
  },
);

CON308.run();
