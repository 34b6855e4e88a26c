import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';
import { TroubleReporter } from './test/support/troubleReporter.ts';

/** The tests of `npm run test:peers`, one file after the other: each starts servers of other products. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: ['test/peers/**/*.test.ts'],
    exclude: [],
    maxWorkers: 1,
    reporters: [
      'default',
      ['json', { outputFile: 'test-results/peers.json' }],
      new TroubleReporter('test-results/peersTrouble.txt'),
    ],
  },
});
