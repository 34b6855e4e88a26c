import { expect, test } from 'vitest';
import { createLocalLimiter } from './localLimiter.ts';

test('a network is refused above its limit with the seconds to wait; others are not', async () => {
  const limiter = createLocalLimiter({ points: 2, windowSeconds: 60 });
  expect([await limiter.take('192.0.2.1'), await limiter.take('192.0.2.1')]).toEqual([null, null]);
  const wait = await limiter.take('192.0.2.1');
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect(await limiter.take('198.51.100.1')).toBe(null);
});

test('the addresses of one IPv6 network are counted together', async () => {
  const limiter = createLocalLimiter({ points: 1, windowSeconds: 60 });
  expect(await limiter.take('2001:db8::1')).toBe(null);
  expect(await limiter.take('2001:db8::2')).not.toBe(null);
});

test('the total limit counts all networks but no refused call', async () => {
  const limiter = createLocalLimiter({ points: 1, windowSeconds: 60, totalPoints: 2 });
  expect(await limiter.take('192.0.2.1')).toBe(null);
  for (let call = 0; call < 5; call++) expect(await limiter.take('192.0.2.1')).not.toBe(null);
  expect(await limiter.take('198.51.100.1')).toBe(null);
  expect(await limiter.take('203.0.113.1')).not.toBe(null);
});

test('no more networks are remembered than the maximum', async () => {
  const limiter = createLocalLimiter({ points: 1, windowSeconds: 60, networksMax: 4 });
  for (const ip of ['192.0.2.1', '198.51.100.1', '203.0.113.1']) expect(await limiter.take(ip)).toBe(null);
  expect(await limiter.take('203.0.113.1')).not.toBe(null);
  expect(await limiter.take('192.0.2.1')).toBe(null);
});

test('the addresses of a neighborhood share a multiple of one network’s allowance', async () => {
  const limiter = createLocalLimiter({ points: 1, windowSeconds: 60 });
  const waits: (number | null)[] = [];
  for (let at = 1; at <= 12; at += 1) waits.push(await limiter.take(`192.0.2.${at}`));
  expect(waits.filter((wait) => wait === null)).toHaveLength(8);
  expect(await limiter.take('198.51.100.1')).toBe(null);
});
