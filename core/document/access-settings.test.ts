// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in the notation of Connect
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../errors.ts";
import { keptFromPlanFile } from "./access-settings.ts";

type Config = Readonly<Record<string, string>>;

const beside = suite("what a plan file sets beside the operator's file");

function problems(own: Config, config: Config, topicPrefix?: string): readonly string[] {
  try {
    keptFromPlanFile(own, { name: "orders-cdc", topicPrefix, config }, "orders-cdc.json");
    return [];
  } catch (error) {
    assert.instance(error, UsageError);
    assert.not.match(JSON.stringify((error as UsageError).problems), /hunter2|evil/);
    return (error as UsageError).problems.map(({ message }) => message);
  }
}

beside("is never a name that the file sets, even with the same value", () => {
  const [problem = "", ...more] = problems(
    { "cdc.lob.mode": "skip" },
    { "cdc.lob.mode": "skip", "cdc.key.missing": "none" },
  );
  assert.match(problem, "cdc.lob.mode is set by spec.to.config, and by the operator's file");
  assert.is(more.length, 0);
});

beside("is nothing in a scope in which the file has a secret or an address", () => {
  const enable = { "value.converter.schemas.enable": "true" };
  for (const own of [
    { "value.converter.registryAuth.password": "hunter2" },
    { "value.converter.registryUrl": "evil:8081" },
    { "value.converter.registry": "http://evil" },
    { "value.converter.x": "${vault:evil:password}" },
    { "value.converter.basic.auth.user.info": "u:hunter2" },
    { "value.converter.x": "password=hunter2" },
  ])
    assert.match(problems(own, enable).join(), "a secret or an address of value.converter", JSON.stringify(own));
  assert.match(
    problems({ "errors.deadletterqueue.producer.sasl.jaas.config": "hunter2" }, { "errors.tolerance": "all" }).join(),
    "a secret or an address of errors",
  );
});

beside("may be in a scope of which the file has neither, and beside the logins of database and brokers", () => {
  const own = {
    ...{ "cdc.database.password": "hunter2", "cdc.stream.bootstrap.servers": "evil:9092" },
    ...{ "key.converter.registryUrl": "evil:8081", "value.converter": "org.example.Json" },
  };
  assert.equal(problems(own, { "value.converter.schemas.enable": "true", "cdc.lob.mode": "skip" }), []);
});

beside("may say how topics are created, whatever the file says of it", () => {
  const own = { "topic.creation.big.include": "orders/.*", "topic.creation.x.password": "hunter2" };
  assert.equal(problems(own, { "topic.creation.default.partitions": "6" }), []);
  assert.match(problems(own, { "topic.creation.big.include": "x" }).join(), "and by the operator's file");
});

beside("has no other prefix than the file", () => {
  assert.match(problems({ "cdc.topic.prefix": "orders" }, {}, "billing").join(), "cdc.topic.prefix is billing");
  for (const prefix of ["orders", " orders ", "orders\t"])
    assert.equal(problems({ "cdc.topic.prefix": prefix }, {}, "orders"), [], JSON.stringify(prefix));
  assert.equal(problems({ "cdc.topic.prefix": "orders" }, {}), []);
  assert.equal(problems({}, {}, "orders"), []);
});

beside.run();
