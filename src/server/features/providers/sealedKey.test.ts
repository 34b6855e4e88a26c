import { expect, test } from 'vitest';
import { openKey, sealKey } from './sealedKey.ts';

const [oldSecret, newSecret] = ['old-secret-old-secret-old-secret-1', 'new-secret-new-secret-new-secret-1'];

test('a sealed key opens with its secret, anywhere in the list', () => {
  const sealed = sealKey([oldSecret], 7, 'key-é-1');
  expect(sealed).toMatch(/^v1\.[\w-]+$/);
  expect(sealed).not.toContain('key');
  expect(openKey([oldSecret], 7, sealed)).toBe('key-é-1');
  expect(openKey([newSecret, oldSecret], 7, sealed)).toBe('key-é-1');
  expect(openKey([newSecret, oldSecret], 7, sealKey([newSecret, oldSecret], 7, 'two'))).toBe('two');
});

test('it opens for no other provider, with no other secret, and not after a change', () => {
  const sealed = sealKey([oldSecret], 7, 'key');
  expect(openKey([oldSecret], 8, sealed)).toBeNull();
  expect(openKey([newSecret], 7, sealed)).toBeNull();
  const at = sealed.length - 4;
  const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
  for (const other of [changed, 'v1.', 'v1.AAAA', 'key', '', sealed.slice(3)])
    expect([other, openKey([oldSecret], 7, other)]).toEqual([other, null]);
});

test('the same key is sealed differently each time', () => {
  expect(sealKey([oldSecret], 7, 'key')).not.toBe(sealKey([oldSecret], 7, 'key'));
});
