import { startBroker } from "../sandbox/kafka/broker.ts";
import { kafkaContract } from "./contract.ts";

kafkaContract("the sandbox broker", async () => {
  const broker = await startBroker({ clusterId: "4L6g3nShT-eMCtK--X86sw" });
  return { brokers: broker.address, close: () => broker.close() };
});
