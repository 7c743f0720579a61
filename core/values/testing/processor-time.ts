/** The processor time of this process, in milliseconds: what has to be quick is held by it, on a busy machine too. */
export function processorMillis(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
