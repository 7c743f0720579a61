import { request } from "node:http";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { startConnect } from "./start-connect.ts";

/** Calls to Kafka Connect 3.9.2 and 4.3.1, and the answers of both, byte for byte. */
const observed = suite("sandbox Connect: the messages of real workers");

interface Row {
  readonly title: string;
  readonly call: string;
  readonly body?: string;
  readonly type?: string;
  readonly status: number;
  readonly answer: string;
}

const PATCH = "PATCH /connectors/cdc/offsets";
const GET = "GET /connectors/cdc/offsets";
const ALTERED = '{"message":"The offsets for this connector have been altered successfully"}';
const UNCHECKED =
  '{"message":"The Connect framework-managed offsets for this connector have been altered successfully. However, ' +
  "if this connector manages offsets externally, they will need to be manually altered in the system that the " +
  'connector uses."}';
const cdc = (offset: string): string => `{"offsets":[{"partition":{"server":"CDC"},"offset":${offset}}]}`;
const FULL =
  '{"v":1,"resume_scn":9007199254740993,"last_commit_scn":9223372036854775807,"negative":-9223372036854775808,' +
  '"small":7,"text":"é ' +
  "✓ 😀 " +
  '\\"q\\"","null":null,"true":true,"false":false,"real":1.5,"real2":1.0,"exp":1e3,"empty":"",' +
  '"snapshot":"{\\"v\\":1,\\"complete\\":false}"}';
const FULL_BACK =
  '{"small":7,"real2":1.0,"false":false,"real":1.5,"empty":"","negative":-9223372036854775808,' +
  '"null":null,"last_commit_scn":9223372036854775807,"v":1,"true":true,"text":"é ' +
  "✓ \\uD83D\\uDE00 " +
  '\\"q\\"","resume_scn":9007199254740993,"exp":1000.0,"snapshot":"{\\"v\\":1,\\"complete\\":false}"}';

const rows: readonly Row[] = [
  {
    title: "health",
    call: "GET /health",
    status: 200,
    answer: '{"status":"healthy","message":"Worker has completed startup and is ready to handle requests."}',
  },
  {
    title: "PATCH {}",
    call: PATCH,
    body: "{}",
    status: 400,
    answer: '{"error_code":400,"message":"Partitions / offsets need to be provided for an alter offsets request"}',
  },
  {
    title: "PATCH no body",
    call: PATCH,
    status: 500,
    answer:
      '{"error_code":500,"message":"Cannot invoke ' +
      '\\"org.apache.kafka.connect.runtime.rest.entities.ConnectorOffsets.offsets()\\" because \\"offsets\\" is ' +
      'null"}',
  },
  {
    title: "PATCH without partition",
    call: PATCH,
    body: '{"offsets":[{"offset":{"resume_scn":1}}]}',
    status: 200,
    answer: ALTERED,
  },
  {
    title: "PATCH same partition twice",
    call: PATCH,
    body:
      '{"offsets":[{"partition":{"server":"CDC"},"offset":{"resume_scn":1}},{"partition":{"server":"CDC"}' +
      ',"offset":{"resume_scn":2}}]}',
    status: 200,
    answer: ALTERED,
  },
  {
    title: "PATCH nested object",
    call: PATCH,
    body: cdc('{"resume_scn":1,"snapshot":{"v":1}}'),
    status: 500,
    answer:
      '{"error_code":500,"message":"Offsets may only contain primitive types as values, but field snapshot ' +
      'contains MAP"}',
  },
  { title: "the last of two stays", call: GET, status: 200, answer: cdc('{"resume_scn":2}') },
  {
    title: "wrong content type",
    call: PATCH,
    body: cdc('{"resume_scn":1}'),
    type: "text/plain",
    status: 415,
    answer: '{"error_code":415,"message":"HTTP 415 Unsupported Media Type"}',
  },
  { title: "PATCH full offset", call: PATCH, body: cdc(FULL), status: 200, answer: ALTERED },
  { title: "offsets after full offset", call: GET, status: 200, answer: cdc(FULL_BACK) },
  {
    title: "PATCH int above int64",
    call: PATCH,
    body: cdc('{"resume_scn":9223372036854775808}'),
    status: 500,
    answer:
      '{"error_code":500,"message":"Offsets may only contain primitive types as values, but field resume_scn ' +
      'contains class java.math.BigInteger"}',
  },
  {
    title: "PATCH real with many digits",
    call: PATCH,
    body: cdc('{"resume_scn":5,"x":0.1234567890123456789,"y":12345678901234567890.5,"z":1e400}'),
    status: 200,
    answer: ALTERED,
  },
  {
    title: "offsets after real",
    call: GET,
    status: 200,
    answer: cdc('{"x":0.12345678901234568,"y":1.2345678901234567E19,"z":"Infinity","resume_scn":5}'),
  },
  {
    title: "PATCH the class does not check",
    call: PATCH,
    body: cdc('{"anything":"goes"}'),
    status: 200,
    answer: UNCHECKED,
  },
  { title: "offset null removes", call: PATCH, body: cdc("null"), status: 200, answer: ALTERED },
  { title: "offsets after removal", call: GET, status: 200, answer: '{"offsets":[]}' },
  {
    title: "PATCH unknown connector",
    call: "PATCH /connectors/none/offsets",
    body: cdc('{"resume_scn":1}'),
    status: 404,
    answer: '{"error_code":404,"message":"Connector none not found"}',
  },
  {
    title: "stop unknown connector",
    call: "PUT /connectors/none/stop",
    status: 404,
    answer: '{"error_code":404,"message":"Unknown connector none"}',
  },
  {
    title: "status unknown connector",
    call: "GET /connectors/none/status",
    status: 404,
    answer: '{"error_code":404,"message":"No status found for connector none"}',
  },
  {
    title: "unknown path",
    call: "GET /connectors/cdc/nothing",
    status: 404,
    answer: '{"error_code":404,"message":"HTTP 404 Not Found"}',
  },
  {
    title: "wrong method",
    call: "POST /connectors/cdc/offsets",
    body: "{}",
    status: 405,
    answer: '{"error_code":405,"message":"HTTP 405 Method Not Allowed"}',
  },
  {
    title: "create again",
    call: "POST /connectors",
    body:
      '{"name":"cdc","config":{"connector.class":"sh.oso.connect.oracle.OracleCdcSourceConnector",' +
      '"cdc.topic.prefix":"CDC"}}',
    status: 409,
    answer: '{"error_code":409,"message":"Connector cdc already exists"}',
  },
  {
    title: "DELETE offsets",
    call: "DELETE /connectors/cdc/offsets",
    status: 200,
    answer: '{"message":"The offsets for this connector have been reset successfully"}',
  },
  { title: "stop again", call: "PUT /connectors/cdc/stop", status: 204, answer: "" },
  { title: "resume", call: "PUT /connectors/cdc/resume", status: 202, answer: "" },
  {
    title: "PATCH while running",
    call: PATCH,
    body: cdc('{"resume_scn":5}'),
    status: 400,
    answer:
      '{"error_code":400,"message":"Connectors must be in the STOPPED state before their offsets can be ' +
      "modified. This can be done for the specified connector by issuing a 'PUT' request to the " +
      "'/connectors/cdc/stop' endpoint\"}",
  },
  { title: "DELETE connector", call: "DELETE /connectors/cdc", status: 204, answer: "" },
];

function ask(port: number, { call, body, type }: Row): Promise<{ status: number; text: string }> {
  const [method, path] = call.split(" ");
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": type ?? "application/json" };
    request({ host: "127.0.0.1", port, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on("error", reject)
      .end(body);
  });
}

for (const version of ["3.9.2", "4.3.1"])
  observed(`${version}: ${rows.length} calls in their order`, async () => {
    const sandbox = await startConnect({
      version,
      connectors: [{ name: "cdc", config: { "cdc.topic.prefix": "CDC" }, state: "STOPPED" }],
    });
    try {
      for (const row of rows) {
        const seen = await ask(sandbox.port, row);
        assert.is(seen.text, row.answer, row.title);
        assert.is(seen.status, row.status, row.title);
      }
    } finally {
      await sandbox.close();
    }
  });

observed.run();
