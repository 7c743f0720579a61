import { startStack } from "../stack.ts";

// Starts a broker, says its pid and folder, and ends badly: killed, interrupted or with an error that nobody catches.
const real = await startStack({ kafka: "4", workers: 0 });
process.stdout.write(`${JSON.stringify([real.broker.pid, real.folder])}\n`, () => {
  const end = process.argv[2];
  if (end === "throw") throw new Error("nobody catches this");
  process.kill(process.pid, end as NodeJS.Signals);
});
