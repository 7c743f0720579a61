/** A file name as a shell takes it. Not escaped. */
export function shellWord(name: string): string {
  return /^[\w./@%+=:,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
}
