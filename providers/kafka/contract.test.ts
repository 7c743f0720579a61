import { startBroker } from "../sandbox/kafka/broker.ts";
import { kafkaContract } from "./contract.ts";

kafkaContract("the sandbox broker", async () => {
  const broker = await startBroker({ clusterId: "4L6g3nShT-eMCtK--X86sw" });
  return {
    brokers: broker.address,
    async reading(group, topic) {
      const committed = { [topic]: 1n };
      broker.state.groups.set(group, { state: "Stable", members: [[topic]], committed });
      return { end: async () => void broker.state.groups.set(group, { state: "Empty", committed }) };
    },
    close: () => broker.close(),
  };
});
