// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a reference is written like this

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { CallFailed } from "../../core/errors.ts";
import type { ConnectPort } from "../../core/ports/connect.ts";
import { linesOf } from "../../core/values/remedy.ts";
import { secret } from "../../core/values/secret.ts";
import { type ConnectOptions, openConnect } from "./connect.ts";
import { quickClock } from "./testing/test-clock.ts";

const redaction = suite("answers that contain secrets");

const PASSWORD = "canary-database-9f1c";
const LOGIN = "canary-connect-4b7e";
const CONFIG = { "connector.class": "C", "cdc.database.password": PASSWORD };
const MOVE = [{ partition: { server: "CDC" }, offset: { resume_scn: 9n } }];
const SAYS =
  `no: ${PASSWORD}, ${LOGIN}, ${Buffer.from(`cdcctl:${LOGIN}`).toString("base64")}; ` +
  `${"so on, ".repeat(54)}${PASSWORD}`;

type Answer = readonly [status: number, text: string, headers?: Record<string, string>];

/**
 * Starts a worker with the same answer to every call except the one for the configuration. @param config undefined:
 * reading it is forbidden
 */
async function answering(
  answer: Answer,
  config: Readonly<Record<string, string>> | undefined,
  act: (connect: ConnectPort) => Promise<void>,
  options: Partial<ConnectOptions> = {},
): Promise<void> {
  const respond = ({ method, url }: IncomingMessage, response: ServerResponse) => {
    const [status, text, headers = {}] = answer;
    if (method === "GET" && url === "/connectors/orders" && config !== undefined)
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ name: "orders", config, tasks: [], type: "source" }));
    else response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  };
  const server = createServer((request, response) => {
    request.resume().on("end", () => respond(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connect = openConnect({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    auth: { kind: "basic", user: "cdcctl", password: secret(LOGIN) },
    clock: quickClock(),
    limits: { retryMillis: 50 },
    ...options,
  });
  try {
    await act(connect);
  } finally {
    await connect.close();
    server.closeAllConnections();
    server.close();
  }
}

/** Everything that a call returns or throws, as text. */
async function errorTextOf(call: Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await call) ?? "";
  } catch (failure) {
    assert.instance(failure, CallFailed);
    return `${(failure as CallFailed).message} ${linesOf((failure as CallFailed).remedies)} ${JSON.stringify(failure)}`;
  }
}

const CALLS: Readonly<Record<string, (connect: ConnectPort) => Promise<unknown>>> = {
  status: (connect) => connect.status("orders"),
  offsets: (connect) => connect.offsets("orders"),
  stop: (connect) => connect.stop("orders"),
  resume: (connect) => connect.resume("orders"),
  patchOffsets: (connect) => connect.patchOffsets("orders", MOVE),
  deleteOffsets: (connect) => connect.deleteOffsets("orders"),
  create: (connect) => connect.create("orders", CONFIG, "STOPPED"),
  validate: (connect) => connect.validate("C", CONFIG),
};

const own = (status: number): Answer => [status, JSON.stringify({ error_code: status, message: SAYS })];
const ANSWERS: Readonly<Record<string, Answer>> = {
  "Connect's 400": own(400),
  "Connect's 403": own(403),
  "Connect's 404": own(404),
  "Connect's 409": own(409),
  "Connect's 500": own(500),
  "a gateway's text": [403, SAYS, { "content-type": "text/plain" }],
  "a gateway's page": [502, `<html><title>${SAYS}</title></html>`, { "content-type": "text/html" }],
  "a redirect": [302, "", { location: `http://elsewhere/${PASSWORD}?${LOGIN}` }],
  "a success": [200, JSON.stringify({ message: SAYS })],
};

for (const [what, answer] of Object.entries(ANSWERS))
  redaction(`${what} is shown without them, for every call`, async () => {
    for (const seenBefore of [true, false])
      await answering(answer, CONFIG, async (connect) => {
        if (seenBefore) await connect.connector("orders");
        for (const [name, call] of Object.entries(CALLS)) {
          const text = await errorTextOf(call(connect));
          for (const canary of [PASSWORD, LOGIN, "canary", "Y2RjY3Rs"])
            assert.not.ok(text.includes(canary), `${name}: ${text}`);
        }
      });
  });

redaction("text without secrets is shown unchanged", async () => {
  const plain = { error_code: 400, message: "the offset has no field resume_scn" };
  await answering([400, JSON.stringify(plain)], CONFIG, async (connect) => {
    for (const call of [CALLS["patchOffsets"], CALLS["stop"], CALLS["create"]])
      assert.match(await errorTextOf(call?.(connect) ?? Promise.resolve()), plain.message);
  });
});

redaction("messages of connector code are not shown while its configuration is unreadable", async () => {
  await answering(own(500), undefined, async (connect) => {
    for (const call of [CALLS["patchOffsets"], CALLS["deleteOffsets"]]) {
      const text = await errorTextOf(call?.(connect) ?? Promise.resolve());
      assert.match(text, "which could not be read");
      assert.not.match(text, "canary");
    }
  });
});

redaction("problems of a configuration are shown without them", async () => {
  const value = { name: "cdc.database.user", errors: [SAYS, "it is too long"] };
  await answering(
    [200, JSON.stringify({ name: "C", error_count: 2, configs: [{ value }] })],
    CONFIG,
    async (connect) => {
      const [problem] = await connect.validate("C", CONFIG);
      assert.is(problem?.errors[1], "it is too long");
      assert.not.match(problem?.errors[0] ?? "", "canary");
    },
  );
});

redaction("the values behind references are known from elsewhere, and redacted too", async () => {
  const config = { ...CONFIG, "cdc.database.password": "${file:/etc/connect/orders.properties:password}" };
  const knows = (said: string) => said.replaceAll(PASSWORD, "********");
  await answering(
    own(400),
    config,
    async (connect) => assert.not.match(await errorTextOf(connect.patchOffsets("orders", MOVE)), PASSWORD),
    { redact: knows },
  );
});

redaction.run();
