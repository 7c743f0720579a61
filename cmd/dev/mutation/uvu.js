/** Stands in for uvu while mutants are judged: what is registered is kept, and run by `worker.ts`. */
globalThis.__suites__ ??= [];

export function suite(name = "", state = {}) {
  const one = {
    file: globalThis.__file__,
    name,
    state,
    tests: [],
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
  };
  const test = (title, handler) => void one.tests.push({ title, handler });
  test.before = (hook) => void one.before.push(hook);
  test.before.each = (hook) => void one.beforeEach.push(hook);
  test.after = (hook) => void one.after.push(hook);
  test.after.each = (hook) => void one.afterEach.push(hook);
  test.only = test;
  test.skip = () => undefined;
  test.run = () => void globalThis.__suites__.push(one);
  return test;
}

export const test = suite();
