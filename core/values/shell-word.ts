/** A file name, or any other word, as a shell takes it. Not escaped. */
export function shellWord(name: string): string {
  return /^[\w./@%+=:,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
