import { startStack } from "../stack.ts";

// Starts a broker, prints its pid and folder, and ends abnormally: killed, interrupted or with an uncaught error.
const real = await startStack({ kafka: "4", workers: 0 });
process.stdout.write(`${JSON.stringify([real.broker.pid, real.folder])}\n`, () => {
  const end = process.argv[2];
  if (end === "throw") throw new Error("nobody catches this");
  process.kill(process.pid, end as NodeJS.Signals);
});
