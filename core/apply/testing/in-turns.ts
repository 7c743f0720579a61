import type { MemoryWorld } from "./memory-world.ts";

type Ports = Pick<MemoryWorld, "connect" | "kafka">;

/** The same world, each of whose answers comes when `turn` says. */
export function inTurns(world: MemoryWorld, turn: () => Promise<unknown>): MemoryWorld {
  const slow = <P extends object>(port: P): P =>
    new Proxy(port, {
      get(target, name: keyof P & string) {
        const member = target[name];
        if (typeof member !== "function" || name === "time") return member;
        return async (...args: unknown[]) => {
          await turn();
          return member.apply(target, args);
        };
      },
    });
  const ports: Ports = { connect: slow(world.connect), kafka: slow(world.kafka) };
  return new Proxy(world, {
    get: (target, name) => (name in ports ? ports[name as keyof Ports] : Reflect.get(target, name)),
  });
}
