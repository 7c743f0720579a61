/** For records of a test's own, in which nothing is secret. */
export const asSaid = (said: string): string => said;
