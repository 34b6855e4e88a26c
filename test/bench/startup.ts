import type { Figure } from './figure.ts';
import { median } from './load.ts';
import { startServer } from '#test/support/serverProcess.ts';

/**
 * (f) From spawn to the first 200 of /readyz with an existing embedded database: what a second `npm start` waits for.
 */
export async function startup(dataDir: string): Promise<Figure> {
  const env = { DATA_DIR: dataDir, DATABASE_URL: '' };
  const args = ['scripts/start.ts'];
  await (await startServer(env, process.cwd(), args))[Symbol.asyncDispose]();
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    await using server = await startServer(env, process.cwd(), args);
    times.push(server.readyMs);
  }
  return {
    name: 'start to ready, existing database',
    measured: median(times) / 1000,
    baseline: null,
    unit: 's',
    against: 'embedded Postgres included',
    bar: { of: 'measured', sign: '<=', value: 3 },
  };
}
