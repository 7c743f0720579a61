import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import { startTaskJvm } from "../../providers/sandbox/jmx/task-jvm.ts";
import type { Host } from "../host.ts";
import { openWorld } from "./open-world.ts";

const world = suite("the world of a command");

const LOGIN = { user: "monitor", password: "jmx-secret" };
const silent = { write: () => undefined, colour: false, columns: undefined };
const HOST: Host = {
  argv: [],
  env: { HOME: "/nonexistent", CDCCTL_JMX_USER: LOGIN.user, CDCCTL_JMX_PASSWORD: LOGIN.password },
  stdout: silent,
  stderr: silent,
  interactive: false,
  ask: () => Promise.reject(new Error("nobody can be asked")),
  operator: "tester",
  interrupt: new AbortController().signal,
};

world("the JVM given on the command line gets the login, and one that is named elsewhere never does", async () => {
  const values = () => ({ lag: { Steps: 7n } });
  const [typed, other] = await Promise.all([
    startTaskJvm({ prefix: "orders", values, login: LOGIN }),
    startTaskJvm({ prefix: "orders", values, login: LOGIN }),
  ]);
  const target = { context: undefined, connectUrl: "http://127.0.0.1:1", connector: "orders-cdc" };
  const opened = await openWorld(target, { "jmx-url": typed.url }, HOST);
  try {
    assert.ok((await opened.jmx(typed.url).taskAttributes("orders", ["Steps"])).get("Steps")?.read);
    const failure = await opened
      .jmx(other.url)
      .taskAttributes("orders", ["Steps"])
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    assert.instance(failure, CallFailed);
    assert.is((failure as CallFailed).kind, "unauthorized");
    assert.not.match(other.received().toString("latin1"), LOGIN.password);
  } finally {
    await opened.close();
    await Promise.all([typed.stop(), other.stop()]);
  }
});

world.run();
