import { expect, test } from 'vitest';
import { load } from '#test/bench/load.ts';
import { freePort } from '#test/support/serverProcess.ts';

test('a load that cannot connect fails and leaves nothing running', async () => {
  const port = await freePort();
  const run = load({
    port,
    connections: 2,
    seconds: 1,
    expectedStatus: 200,
    request: () => Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  });
  await expect(run).rejects.toThrow('ECONNREFUSED');
  await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('Immediate');
});
