import { TestRunner } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** The requirements of test/conformity/requirements.txt that the test proves. */
    requirements?: string[];
  }
}

/** States at the start of a test which requirements it proves. `npm run conformity` reads them from the reports. */
export function meets(ids: string): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error('meets belongs into a test');
  test.meta.requirements = ids.trim().split(/\s+/);
}
