/**
 * The name of a worker that is a pod of the KafkaConnect `my-connect` in namespace `kafka` (reference: connectors
 * managed by an operator).
 */
export function strimziPod(worker: number): string {
  return `my-connect-connect-${worker}.my-connect-connect.kafka.svc:8083`;
}
