import { expect, test } from 'vitest';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { dnsServer } from '#test/support/dnsServer.ts';
import { parseConfig } from '#server/config/config.ts';
import { createFormTokens } from '../submissions/formToken.ts';
import { createDomainChecks } from './domainChecks.ts';
import { createNameLookup } from './nameLookup.ts';

const secretKey = productionEnvironment.SECRET_KEYS;
const provider = { id: 7, label: 'Amber Quay', domain: 'mute.example', isActive: true };

function checksAt(address: string, env: Record<string, string> = {}) {
  return createDomainChecks({
    config: parseConfig({ SITE_ADDRESSES: '203.0.113.1', ...env }),
    names: createNameLookup({ servers: [address], timeoutMs: 300 }),
    formTokens: createFormTokens({ keys: [secretKey], now: () => new Date() }),
  });
}

test('twelve checks queue, one more is refused and succeeds later', async () => {
  await using server = await dnsServer({ 'mute.example': 'silent' });
  const checks = checksAt(server.address);
  const waiting = Array.from({ length: 12 }, () => checks.check(provider));
  await expect(checks.check(provider)).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    message: 'Several domains are being checked already. Please try again in a few seconds.',
    retryAfterSeconds: 5,
  });
  // There is nothing to wait for.
  expect((await checks.check({ ...provider, domain: null })).domain).toBeNull();
  for (const { dns } of await Promise.all(waiting)) expect(dns.state).toBe('unknown');
  expect((await checks.check(provider)).dns.text).toBe('DNS didn’t respond in time. Try again in a minute.');
});

test('a page is not requested while its name resolves elsewhere', async () => {
  await using server = await dnsServer({ 'mute.example': { addresses: ['203.0.113.9'] } });
  expect(await checksAt(server.address).check(provider)).toMatchObject({
    domain: 'mute.example',
    dns: { state: 'wrong' },
    page: { state: 'unknown', text: 'Checked once the domain points here.' },
    records: [{ type: 'A', name: 'mute.example', value: '203.0.113.1' }],
  });
});

test('production requests no private address, even a configured one', async () => {
  await using server = await dnsServer({ 'mute.example': { addresses: ['127.0.0.1'] } });
  const configured = { ...productionEnvironment, SITE_ADDRESSES: '127.0.0.1' };
  const { dns, page } = await checksAt(server.address, configured).check(provider);
  expect(dns.state).toBe('ok');
  expect(page).toEqual({
    state: 'unknown',
    text: 'The domain points to a private address, so it wasn’t checked.',
  });
});
