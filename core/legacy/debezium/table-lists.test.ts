// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this

import { suite } from "uvu";
import * as assert from "uvu/assert";
import { listedBy } from "./table-lists.ts";
import filters from "./testdata/filters.json" with { type: "json" };

const lists = suite("Debezium's table lists");

for (const [written, included] of Object.entries(filters.included))
  lists(`include what its own filter includes: ${written}`, () => {
    const [version = "", settings = ""] = written.startsWith("1.9.7: ") ? written.split(": ") : ["3.6.1", written];
    const config = Object.fromEntries(
      settings === "(none)" ? [] : settings.split(" & ").map((setting) => setting.split(/=(.*)/s).slice(0, 2)),
    );
    const isListed = listedBy(config, version);
    const found = filters.tables.filter((name) => {
      const [, schema = "", table = ""] = name.split(".");
      return isListed(schema, table) === "yes";
    });
    assert.equal(found, included);
  });

lists("are those of the version: an old one counts where the version is known to be older", () => {
  const config = { "table.whitelist": "APP.ORDERS" };
  assert.equal(
    ["1.9.7", "2.7.3", undefined].map((version) => listedBy(config, version)("APP", "ITEMS")),
    ["no", "yes", "yes"],
  );
});

lists("with a reference or a pattern that can't be evaluated leave it open", () => {
  for (const list of ["${file:/etc/x:tables}", "APP.(ORDERS"])
    assert.is(listedBy({ "table.include.list": list }, "3.6.1")("APP", "ORDERS"), "unknown", list);
});

lists("match a name as it stands in a topic, where _ may be another character", () => {
  const config = { "table.include.list": "APP\\.MY\\$TABLE" };
  assert.equal(
    [listedBy(config, "2.7", true)("APP", "MY_TABLE"), listedBy(config, "2.7")("APP", "MY_TABLE")],
    ["yes", "no"],
  );
  assert.is(listedBy({ "table.exclude.list": "APP\\.MY\\$TABLE" }, "2.7", true)("APP", "MY_TABLE"), "yes");
});

lists.run();
