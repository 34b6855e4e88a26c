import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { toRecord } from '#server/tenant/providerRecord.ts';
import { providerView } from '#test/support/tenantView.ts';
import { meets } from '#test/support/meets.ts';
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
    meets('D.leads.75 D.leads.76');
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
    meets('D.leads.80');
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

  test('1.0.0 reads a fetched token as a page’s, and a later version’s mark says nothing', () => {
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

  const brand = { tenant: null };
  const clinic = (id: number) => ({ tenant: toRecord(providerView({ id, name: 'Clinic' })) });

  test('a page’s token is valid for each network on its site, and names another site', () => {
    const clock = { ms: start };
    const tokens = tokensAt(clock);
    const at = new Date(start);
    const given = [brand, clinic(7)].map((site) => ({
      site,
      token: tokens.issue('microsite', { site, at }),
    }));
    expect(new Set(given.map(({ token }) => token)).size).toBe(2);
    clock.ms += 10_000;
    for (const { site, token } of given) {
      expect(token).toMatch(/^[\w=-]{88}$/);
      for (const ip of ['203.0.113.9', '2001:db8::1', 'unknown'])
        expect(tokens.check(token, 'microsite', { site, ip })).toEqual({ ok: true, ageMs: 10_000 });
      for (const other of [brand, clinic(7), clinic(8)].filter(
        ({ tenant }) => tenant?.id !== site.tenant?.id,
      ))
        expect(tokens.check(token, 'microsite', { site: other, ip: '203.0.113.9' })).toEqual({
          ...{ ok: true, ageMs: 10_000, isElsewhere: true },
        });
    }
    expect(tokens.issue('microsite', { site: brand, at })).toBe(given[0]?.token);
  });

  test.each([
    ['203.0.113.9', '203.0.113.250', '203.0.112.9'],
    ['2001:db8:5:1::1', '2001:db8:5:ffff::2', '2001:db8:6:1::1'],
    ['::ffff:203.0.113.9', '203.0.113.1', '2001:db8::1'],
  ])('a token fetched from %s is valid from %s, and elsewhere from %s', (own, near, far) => {
    const clock = { ms: start };
    const tokens = tokensAt(clock);
    const token = tokens.issueFetched('landing', { site: brand, ip: own });
    const another = tokens.issueFetched('landing', { site: brand, ip: own });
    clock.ms += 10_000;
    // What the form's schema keeps of a token.
    expect(token.length).toBeLessThanOrEqual(200);
    const fetched = { ok: true, ageMs: 10_000, isFetched: true, nonce: expect.any(String) };
    const here = tokens.check(token, 'landing', { site: brand, ip: near });
    expect(here).toEqual(fetched);
    expect(tokens.check(token, 'landing', { site: brand, ip: far })).toEqual({
      ...fetched,
      isElsewhere: true,
    });
    expect(tokens.check(token, 'landing', { site: clinic(7), ip: own })).toEqual({
      ...fetched,
      isElsewhere: true,
    });
    expect(tokens.check(another, 'landing', { site: brand, ip: own })).not.toEqual(here);
    expect(tokensAt(clock, [keyB, keyA]).check(token, 'landing', { site: brand, ip: near })).toEqual(here);
  });

  test('a changed or borrowed mark of a place makes a token forged', () => {
    const clock = { ms: start };
    const tokens = tokensAt(clock);
    const place = { site: brand, ip: '203.0.113.9' };
    const token = tokens.issueFetched('landing', place);
    const page = tokens.issue('landing', { site: brand, at: new Date(start) });
    clock.ms += 1;
    const later = tokens.issueFetched('landing', place);
    const [base = '', fetched = ''] = later.split('=');
    clock.ms += 10_000;
    for (const genuine of [token, page]) {
      // The first two characters of a mark have its kind, which a later version may know.
      const signed = [...genuine.matchAll(/(?<=.{52})(?<!=.?)[\w-]/g)].map(({ index }) => index);
      expect(signed.length).toBeGreaterThan(30);
      for (const at of signed) {
        const changed = `${genuine.slice(0, at)}${genuine[at] === 'A' ? 'B' : 'A'}${genuine.slice(at + 1)}`;
        const checked = tokens.check(changed, 'landing', place);
        expect([at, checked]).toEqual([at, { ok: false, reason: 'token-forged' }]);
      }
      const mark = genuine.split('=').at(-1) ?? '';
      for (const borrowed of [`${base}=${mark}`, `${base}=${fetched}=${mark}`])
        expect(tokens.check(borrowed, 'landing', place)).toEqual({ ok: false, reason: 'token-forged' });
    }
  });

  test('a token with its place cut off is from elsewhere, unless it may be of 1.0.1', () => {
    const clock = { ms: start };
    const tokens = tokensAt(clock);
    const place = { site: brand, ip: '203.0.113.9' };
    const laterMark = Buffer.concat([Buffer.from([2]), Buffer.alloc(60, 7)]).toString('base64url');
    const checked = (): unknown[] => {
      const token = tokens.issueFetched('landing', place);
      const page = tokens.issue('landing', { site: brand, at: new Date(clock.ms) });
      const [base = '', fetched = ''] = token.split('=');
      clock.ms += 10_000;
      const cut = [base, `${base}=`, `${base}=${fetched}`, `${base}=${laterMark}`, page.split('=')[0] ?? ''];
      return [token, page, ...cut].map((given) => {
        const check = tokens.check(given, 'landing', place);
        return check.ok && check.isElsewhere === true;
      });
    };
    expect(checked()).toEqual([false, false, false, false, false, false, false]);
    // A page that 1.0.1 served just before this process started.
    clock.ms = start + 86_400_000 - 11_000;
    expect(checked()).toEqual([false, false, false, false, false, false, false]);
    clock.ms = start + 86_400_001;
    expect(checked()).toEqual([false, false, true, true, true, true, true]);
  });

  test('processes of 1.0.0 and 1.0.1 accept tokens with a place', () => {
    const tokens = tokensAt({ ms: start });
    const plain = tokens.issue('landing');
    const [, fetchedOf101] = tokens.issueFetched('landing').split('=');
    const page = tokens.issue('landing', { site: brand, at: new Date(start) });
    const fetched = tokens.issueFetched('landing', { site: brand, ip: '203.0.113.9' });
    for (const token of [page, fetched])
      expect(Buffer.from(token, 'base64url')).toEqual(Buffer.from(plain, 'base64url'));
    // 1.0.1 reads the first mark; one that begins with another byte says nothing to it.
    expect(fetched.split('=')[1]).toBe(fetchedOf101);
    expect(Buffer.from(page.split('=')[1] ?? '', 'base64url')[0]).not.toBe(1);
  });

  test('after a rotation old tokens still verify, and the first key signs new ones', () => {
    meets('D.names.16');
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
