import { defineConfig } from 'vitest/config';
import config, { peerTests } from './vitest.config.ts';
import { TroubleReporter } from './test/support/troubleReporter.ts';

export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: peerTests,
    exclude: [],
    reporters: [
      'default',
      ['json', { outputFile: 'test-results/peers.json' }],
      new TroubleReporter('test-results/peersTrouble.txt'),
    ],
  },
});
