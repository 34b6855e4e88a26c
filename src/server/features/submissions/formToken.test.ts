import { Buffer } from 'node:buffer';
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

  test('a token that a script fetched says so, also after a key rotation', () => {
    const clock = { ms: start };
    const fetched = tokensAt(clock).issueFetched('quiz');
    clock.ms += 10_000;
    for (const tokens of [tokensAt(clock), tokensAt(clock, [keyB, keyA])]) {
      expect(tokens.check(fetched, 'quiz')).toEqual({ ok: true, ageMs: 10_000, isFetched: true });
      expect(tokens.check(fetched, 'landing')).toEqual({ ok: false, reason: 'token-forged' });
    }
    expect(tokensAt(clock).check(tokensAt({ ms: start }).issue('quiz'), 'quiz')).toEqual({
      ok: true,
      ageMs: 10_000,
    });
  });

  test('a mark of another token or form, or a changed one, makes a token forged', () => {
    const clock = { ms: start };
    const tokens = tokensAt(clock);
    const [base = '', mark = ''] = tokens.issueFetched('landing').split('=');
    const [, markOfQuiz = ''] = tokens.issueFetched('quiz').split('=');
    clock.ms += 1;
    const later = tokens.issue('landing');
    clock.ms += 10_000;
    const changed = `${mark.slice(0, 9)}${mark[9] === 'A' ? 'B' : 'A'}${mark.slice(10)}`;
    for (const token of [
      `${base}=${markOfQuiz}`,
      `${later}=${mark}`,
      `${base}=${changed}`,
      `${base}=${mark.slice(0, -4)}`,
    ])
      expect(tokens.check(token, 'landing')).toEqual({ ok: false, reason: 'token-forged' });
  });

  test('a process of 1.0.0 reads a fetched token as a page’s, and a later version’s mark says nothing', () => {
    const clock = { ms: start };
    const tokens = tokensAt(clock);
    const fetched = tokens.issueFetched('landing');
    const page = tokens.issue('landing');
    clock.ms += 10_000;
    // 1.0.0 decodes the whole text and requires 38 bytes.
    expect(Buffer.from(fetched, 'base64url')).toEqual(Buffer.from(page, 'base64url'));
    const laterMark = Buffer.concat([Buffer.from([2]), Buffer.alloc(60, 7)]).toString('base64url');
    for (const token of [page, `${page}=`, `${page}=${laterMark}`])
      expect(tokens.check(token, 'landing')).toEqual({ ok: true, ageMs: 10_000 });
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
