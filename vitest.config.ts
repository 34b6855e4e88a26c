import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The `#` aliases come from package.json's imports. One process a worker (forks): tests start servers, browsers and databases.
export default defineConfig({
  plugins: [react()],
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/globalSetup.ts'],
    setupFiles: ['test/support/patientWaits.ts'],
    expect: { poll: { timeout: 15_000 } },
    environment: 'node',
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }]],
  },
});
