// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are written like this
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { redactProblems } from "./observe.ts";

const redacted = suite("a worker's problems, without secrets");

const CONFIG = {
  "cdc.database.password": "hunter2",
  "cdc.stream.sasl.jaas.config": "${file:/etc/x:jaas}",
  "cdc.lob.mode": "sometimes",
};
const of = (setting: string, error: string) =>
  redactProblems([{ setting, errors: [error] }], CONFIG)[0]?.errors[0] ?? "";

redacted("are unchanged if they contain no secret", () => {
  assert.is(of("cdc.lob.mode", "Invalid value sometimes"), "Invalid value sometimes");
  assert.is(of("cdc.database.password", "ORA-01017"), "ORA-01017");
});

redacted("a secret is not repeated, whichever setting the problem is about", () => {
  for (const setting of ["cdc.database.password", "cdc.lob.mode"])
    assert.not.match(of(setting, "can't log in with hunter2 at x"), "hunter2");
});

redacted("no problem of a secret that is a reference is repeated, since its value is unknown here", () => {
  assert.is(
    of("cdc.stream.sasl.jaas.config", "Invalid value tiger"),
    "redacted, because the worker's message may contain the secret: see its log",
  );
});

redacted("a problem of a secret that is not set is repeated: there is no value that it could contain", () => {
  assert.is(of("cdc.database.keystore.password", "Missing required configuration"), "Missing required configuration");
});

redacted.run();
