import { suite } from "uvu";
import * as assert from "uvu/assert";
import { containerDataStatement, grantStatement, NEEDED_GRANTS } from "./needed-grants.ts";

const grants = suite("the grants that the capture user needs");

grants("are each listed once, with a reason", () => {
  const names = NEEDED_GRANTS.map(({ name }) => name);
  assert.is(new Set(names).size, names.length);
  for (const { name, why } of NEEDED_GRANTS) assert.match(why, /^to [a-z].+[^.]$/, name);
});

grants("are granted by independent statements", () => {
  const statements = NEEDED_GRANTS.map((grant) => grantStatement(grant, "C##CDC", true));
  for (const statement of statements)
    assert.match(
      statement,
      /^GRANT (?:[A-Z_ ]+|SELECT ON SYS\.G?V_\$\w+|EXECUTE ON SYS\.\w+) TO C##CDC CONTAINER=ALL;$/,
    );
  assert.ok(statements.includes("GRANT EXECUTE ON SYS.DBMS_LOGMNR TO C##CDC CONTAINER=ALL;"));
  assert.ok(statements.includes("GRANT SELECT ON SYS.GV_$TRANSACTION TO C##CDC CONTAINER=ALL;"));
});

grants("cannot be extended by a user's name", () => {
  const hostile = 'X; GRANT DBA TO "Y';
  for (const grant of NEEDED_GRANTS) assert.match(grantStatement(grant, hostile, false), ' TO "X; GRANT DBA TO ""Y";');
  assert.is(
    containerDataStatement(hostile),
    'ALTER USER "X; GRANT DBA TO ""Y" SET CONTAINER_DATA=ALL CONTAINER=CURRENT;',
  );
});

grants.run();
