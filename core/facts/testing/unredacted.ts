/** Leaves the records of a test as they are: nothing in them is secret. */
export const unredacted = (text: string): string => text;
