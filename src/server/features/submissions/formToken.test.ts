import { describe, expect, test } from 'vitest';
import { createFormTokens, tokenMaxAgeMs, tokenMinAgeMs } from './formToken.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const keyA = 'a'.repeat(32);
const keyB = 'b'.repeat(32);

function tokensAt(clock: { ms: number }, keys = [keyA]) {
  return createFormTokens({ keys, now: () => new Date(clock.ms) });
}

describe('render tokens', () => {
  test.each([
    [0, { ok: false, reason: 'token-early' }],
    [tokenMinAgeMs - 1, { ok: false, reason: 'token-early' }],
    [tokenMinAgeMs, { ok: true, ageMs: tokenMinAgeMs }],
    [tokenMaxAgeMs, { ok: true, ageMs: tokenMaxAgeMs }],
    [86_400_000, { ok: true, ageMs: 86_400_000 }],
    [86_400_001, { ok: false, reason: 'token-expired' }],
    [tokenMaxAgeMs + 1, { ok: false, reason: 'token-expired' }],
    // A clock that was set back must not make a token look old enough.
    [-60_000, { ok: false, reason: 'token-early' }],
  ])('a token %i ms old is judged by its age', (ageMs, expected) => {
    const clock = { ms: start };
    const tokens = tokensAt(clock);
    const token = tokens.issue('landing');
    clock.ms += ageMs;
    expect(tokens.check(token, 'landing')).toEqual(expected);
  });

  test('a token of one form is forged on another', () => {
    const clock = { ms: start };
    const tokens = tokensAt(clock);
    const token = tokens.issue('landing');
    clock.ms += 10_000;
    expect(tokens.check(token, 'quiz')).toEqual({ ok: false, reason: 'token-forged' });
  });

  test('every changed character makes it forged', () => {
    const clock = { ms: start };
    const tokens = tokensAt(clock);
    const token = tokens.issue('landing');
    clock.ms += 10_000;
    for (let at = 0; at < token.length - 1; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      expect(tokens.check(changed, 'landing')).toEqual({ ok: false, reason: 'token-forged' });
    }
  });

  test.each(['', 'x', 'a'.repeat(200), '💥', '../../etc/passwd'])('%j is forged, never an error', (token) => {
    expect(tokensAt({ ms: start }).check(token, 'landing')).toEqual({ ok: false, reason: 'token-forged' });
  });

  test('after a key rotation old tokens still verify and new ones are signed by the first key', () => {
    const clock = { ms: start };
    const old = tokensAt(clock, [keyA]).issue('find');
    const rotated = tokensAt(clock, [keyB, keyA]);
    const fresh = rotated.issue('find');
    clock.ms += 10_000;
    expect(rotated.check(old, 'find').ok).toBe(true);
    expect(tokensAt(clock, [keyB]).check(fresh, 'find').ok).toBe(true);
    expect(tokensAt(clock, [keyB]).check(old, 'find')).toEqual({ ok: false, reason: 'token-forged' });
  });
});
