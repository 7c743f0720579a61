/**
 * The loopback world for reading the journal, in a separate process: Connect with the connector's offset. Prints its
 * address; ends when its input ends.
 *
 *   sandbox.js BROKERS
 */
import { healthyWorld } from "../../providers/sandbox/oracle/world.ts";
import { startSandbox, storedOffset } from "../../providers/sandbox/sandbox.ts";
import { RESUME_SCN } from "./records.ts";

const [brokers = ""] = process.argv.slice(2);
const { resume_rs_id: _address, resume_ssn: _ssn, ...offset } = storedOffset(healthyWorld());

const sandbox = await startSandbox({
  offset: { ...offset, resume_scn: RESUME_SCN, journal_generation: 7n },
  state: "STOPPED",
  config: { "cdc.stream.bootstrap.servers": brokers },
});
process.stdout.write(`${JSON.stringify({ connectUrl: sandbox.connect.url })}\n`);
process.stdin.resume();
await new Promise((resolve) => process.stdin.once("end", resolve));
await sandbox.close();
