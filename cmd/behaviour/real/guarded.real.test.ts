import { BROKER_LOGIN } from "../../../providers/real/broker.ts";
import { CONNECT_LOGIN, guardedBehaviour } from "./guarded.behaviour.ts";
import { startRealWorld } from "./real-world.ts";

for (const kafka of ["3", "4"] as const)
  guardedBehaviour(`on real Kafka ${kafka}`, async () => {
    const basicAuth = `${CONNECT_LOGIN.user}:${CONNECT_LOGIN.password}`;
    const world = await startRealWorld({ kafka, security: true, https: "mutual", basicAuth });
    const { certificates, listeners } = world.real;
    if (certificates === undefined || listeners.SASL_SSL === undefined) throw new Error("the stack is not guarded");
    return {
      ...world,
      guardedBootstrap: listeners.SASL_SSL,
      brokerLogin: BROKER_LOGIN,
      authority: certificates.authority.pem,
      clientCertificate: certificates.client.certificate,
      clientKey: certificates.client.key,
    };
  }).run();
