import { expect, test } from 'vitest';
import { load } from '#test/bench/load.ts';
import { freePort } from '#test/support/serverProcess.ts';

test('a load that cannot connect fails', async () => {
  const port = await freePort();
  const run = load({
    port,
    connections: 2,
    seconds: 1,
    expectedStatus: 200,
    request: () => ({ method: 'GET', path: '/', headers: {} }),
  });
  await expect(run).rejects.toThrow('requests failed');
});
