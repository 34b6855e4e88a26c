import { defineConfig } from 'vitest/config';
import config, { peerTests } from './vitest.config.ts';
import { TroubleReporter } from './test/support/troubleReporter.ts';

/** Two files at a time: each starts servers of its own, and some measure processes that are idle or busy. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: peerTests,
    exclude: [],
    maxWorkers: 2,
    reporters: [
      'default',
      ['json', { outputFile: 'test-results/peers.json' }],
      new TroubleReporter('test-results/peersTrouble.txt'),
    ],
  },
});
