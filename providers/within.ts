/**
 * Waits for work, but no longer than a time limit.
 *
 * @param late what to do at the limit: its result takes the place of the work's, which is dropped
 */
export async function within<T, Late>(millis: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, millis);
  });
  try {
    return await Promise.race([work, limit.then(late)]);
  } finally {
    clearTimeout(timer);
  }
}
