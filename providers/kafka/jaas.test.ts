import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { parseJaas } from "./client-properties.ts";

const jaas = suite("sasl.jaas.config");

const PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule";

jaas("names a login module and its options", () => {
  assert.equal(parseJaas(`${PLAIN} required username="alice" password="alice-secret";`), {
    module: PLAIN,
    options: { username: "alice", password: "alice-secret" },
  });
});

jaas("accepts quotes, escapes, blanks and line breaks as Java does", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['password="a b;=\'c"', "a b;='c"],
    ["password='a\"b'", 'a"b'],
    ['password="a\\"b\\\\c\\td"', 'a"b\\c\td'],
    ["password=bare", "bare"],
    ["password = 'spaced'", "spaced"],
    ['password=""', ""],
  ];
  for (const [option, password] of cases)
    assert.equal(parseJaas(` ${PLAIN}\n  REQUIRED\n\tusername=alice ${option} ;\n`).options, {
      username: "alice",
      password,
    });
});

jaas("reads back any quoted password", () => {
  void fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (password) => {
      const quoted = `"${password.replace(/["\\]/g, "\\$&")}"`;
      assert.is(parseJaas(`${PLAIN} required password=${quoted};`).options["password"], password);
    }),
  );
});

jaas("is refused, without showing it, if it is unreadable", () => {
  for (const text of [
    "",
    ";",
    `${PLAIN}`,
    `${PLAIN} username="hush";`,
    `${PLAIN} required username="u" password="hush"`,
    `${PLAIN} required username="u" password="hush;`,
    `${PLAIN} required username="u" password;`,
    `${PLAIN} required username="u" "hush";`,
    `${PLAIN} required username="u" password="hush"; ${PLAIN} required;`,
  ]) {
    try {
      parseJaas(text);
      assert.unreachable(text);
    } catch (error) {
      assert.instance(error, UsageError, text);
      assert.not.match(JSON.stringify((error as UsageError).problems), "hush");
    }
  }
});

jaas.run();
