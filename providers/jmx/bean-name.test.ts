import * as fc from "fast-check";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { UsageError } from "../../core/errors.ts";
import { checkDomain, taskBeanName, taskOf } from "./open-jmx.ts";

const names = suite("the name of a task's MBean");

names("holds domain and topic prefix", () => {
  assert.is(taskBeanName("sh.oso.cdc", "orders"), "sh.oso.cdc:type=task,server=orders");
});

names("quotes a prefix as Java does", () => {
  assert.is(taskBeanName("d", 'a,b="*?\\\n'), 'd:type=task,server="a,b=\\"\\*\\?\\\\\\n"');
});

names("returns any prefix, wherever its property is", async () => {
  await fc.assert(
    fc.property(fc.string({ minLength: 1 }), (prefix) => {
      const name = taskBeanName("d", prefix);
      assert.equal(taskOf(name), { domain: "d", prefix });
      const server = name.slice("d:type=task,".length);
      assert.equal(taskOf(`d:${server},type=task`), { domain: "d", prefix });
    }),
  );
});

names("of something else is not a task's", () => {
  for (const other of ["java.lang:type=Memory", "no name", "d:type=task,myserver=x"])
    assert.is(taskOf(other), undefined);
});

names("takes a domain, and nothing that would be more", () => {
  assert.is(checkDomain("sh.oso.cdc"), "sh.oso.cdc");
  for (const bad of ["", "a:b", "*", "a?", "a\nb", "x".repeat(300)])
    assert.throws(
      () => checkDomain(bad),
      (error: unknown) => error instanceof UsageError,
    );
});

names.run();
