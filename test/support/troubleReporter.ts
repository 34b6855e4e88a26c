import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

/**
 * Names the tests that failed and those that passed only when retried (CI retries once), at the end of the output and
 * in a file, which CI prints last: so that the end of a long log says what to mend.
 */
export class TroubleReporter implements Reporter {
  private readonly file: string;

  constructor(file = 'test-results/trouble.txt') {
    this.file = file;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const failed = unhandledErrors.map(({ message }) => `an error outside of any test: ${message}`);
    const flaky: string[] = [];
    for (const module of modules) {
      if (module.errors().length > 0) failed.push(module.relativeModuleId);
      for (const suite of module.children.allSuites())
        if (suite.errors().length > 0) failed.push(`${module.relativeModuleId} › ${suite.fullName}`);
      for (const test of module.children.allTests()) {
        if (test.result().state === 'failed') failed.push(title(module, test));
        else if (test.diagnostic()?.flaky === true) flaky.push(title(module, test));
      }
    }
    const text = list('Failed:', failed) + list('Passed only when retried:', flaky);
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, text);
    process.stdout.write(text);
  }
}

function title(module: TestModule, test: TestCase): string {
  return `${module.relativeModuleId} › ${test.fullName}`;
}

function list(heading: string, titles: readonly string[]): string {
  return titles.length === 0 ? '' : `${[heading, ...titles.map((each) => `  ${each}`)].join('\n')}\n`;
}
