import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { configDefaults, defineConfig } from 'vitest/config';
import { measureSlowness } from './test/support/slowness.ts';
import { TroubleReporter } from './test/support/troubleReporter.ts';

/**
 * Through every screen, width and state: what fits, and what fingers reach. And the details of the maps, which are drawn
 * without a graphics card.
 */
const walks = [
  'test/browser/*Walk.test.ts',
  'test/browser/{screens,adminScreens,longNames,adminPhone,adminPerson,adminDeliveryStates}.test.ts',
  'test/browser/{adminProviderPage,adminProviderDetails,adminApplicationDrawer}.test.ts',
  'test/browser/{mapDetails,mapFailures,basemap,drawnPins,largeNetwork,recruitmentMap,adminProviderMap}.test.ts',
];

/**
 * The tests of `npm run test:peers`: with servers and programs of other products, with outages and under load, those
 * that start, kill and wait for many processes of ours, and the walks.
 */
export const peerTests = [
  ...walks,
  'test/peers/**/*.test.ts',
  'test/backup/**/*.test.ts',
  'test/db/{commands,connectionCount,databaseRestarts,lostConnection,postgres15,roles,composeRoles}.test.ts',
  'test/embeddedPostgres/**/*.test.ts',
  'test/outbox/{idleQueries,overLimit,refusalTable,workerProbes,workers}.test.ts',
  'test/golden/commands.test.ts',
  'test/ssr/{development,directory,siteFiles}.test.ts',
  'test/{consentVerify,demo,doctorDatabase,person,retentionPrune,secondBrand,secretsRotate,serverProcess}.test.ts',
  'test/browser/{adminNewLeads,adminOffline}.test.ts',
  'test/rest/restoredAccess.test.ts',
  'test/staff/recoverOwner.test.ts',
  'src/server/db/severalHosts.test.ts',
  'test/{faults,load}/**/*.test.ts',
  'test/sync/{files,oneAtATime,pushProviders,realWordPress,realSync}.test.ts',
  'test/deploy/{caddy,image,pinImages,severalProcesses,monitoring,fullInstall}.test.ts',
];

/**
 * The limits of this run grow with it. Only failures reach them: a slow or busy machine takes longer and stays green.
 */
const slowness = measureSlowness();
const testTimeout = 360_000 * slowness;

// The `#` aliases come from package.json's imports. One process a worker (forks): tests start servers, browsers and
// databases. A worker loads each module once for all of its files; nothing keeps state in a module that another test
// could see, as little as requests do.
export default defineConfig({
  plugins: [react()],
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, ...peerTests],
    globalSetup: ['test/support/globalSetup.ts'],
    expect: { poll: { timeout: 60_000 * slowness } },
    environment: 'node',
    // Workers and the commands that tests start compile each file once.
    env: {
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled'),
      TEST_SLOWNESS: String(slowness),
    },
    pool: 'forks',
    isolate: false,
    // A worker makes and drops whole applications. With room for young objects, garbage collection takes half the time.
    // One thread does it: the other processors are busy with the other workers.
    execArgv: ['--max-semi-space-size=64', '--single-threaded-gc'],
    // More than the two processors of a small machine: much of a browser's or a process's time is waiting.
    maxWorkers: 3,
    testTimeout,
    hookTimeout: testTimeout,
    teardownTimeout: testTimeout,
    // CI retries a failed test once; the last lines of the output name each test that needed it.
    retry: process.env.CI === undefined ? 0 : 1,
    reporters: ['default', ['json', { outputFile: 'test-results/vitest.json' }], new TroubleReporter()],
  },
});
