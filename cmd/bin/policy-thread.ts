/** A thread that evaluates the rules of policies (`providers/policies/judge-in-thread.ts`). */
import { parentPort } from "node:worker_threads";
import { judge } from "../../core/policies/judge.ts";
import type { FromJudge, ToJudge } from "../../providers/policies/judge-in-thread.ts";

const send = (message: FromJudge): void => parentPort?.postMessage(message);
parentPort?.on("message", ({ rules, ...scope }: ToJudge) => {
  for (const rule of rules) send(judge(rule, scope));
});
send("started");
