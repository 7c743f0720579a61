import { suite } from "uvu";
import * as assert from "uvu/assert";
import { reroutings } from "./plugins.ts";

const rerouting = suite("a transformation that may change a record's topic");

const KAFKA = "org.apache.kafka.connect.transforms";

rerouting("is none of Kafka's that change only key, value or headers", () => {
  assert.equal(reroutings({}), []);
  assert.equal(reroutings({ transforms: " " }), []);
  assert.equal(
    reroutings({
      transforms: "mask, cast",
      "transforms.mask.type": `${KAFKA}.MaskField$Value`,
      "transforms.cast.type": `${KAFKA}.Cast$Key`,
    }),
    [],
  );
});

rerouting("is one that names topics, an unknown one, and one without a type", () => {
  const config = {
    transforms: "mask,route,own,untold",
    "transforms.mask.type": `${KAFKA}.MaskField$Value`,
    "transforms.route.type": `${KAFKA}.RegexRouter`,
    "transforms.own.type": "com.example.Cast",
  };
  assert.equal(reroutings(config), [
    { name: "route", type: `${KAFKA}.RegexRouter` },
    { name: "own", type: "com.example.Cast" },
    { name: "untold", type: undefined },
  ]);
});

rerouting.run();
