import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { formToken } from '#test/support/formToken.ts';
import { testPassword, testPasswordHash } from '#test/support/staff.ts';
import { runToken } from '#scripts/token.ts';
import { goldenFile, openMatrix } from './matrixApp.ts';

const createdToken = z.object({
  result: z.object({ data: z.object({ token: z.string(), created: z.object({ id: z.number() }) }) }),
});
const plainForm = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

test('a provider’s application is received and decided', async () => {
  await using at = await openMatrix();
  const application = {
    practice_name: 'Sample Practice',
    contact_name: 'Pat Example',
    role: 'Owner',
    email: 'practice@example.com',
    phone: '(303) 555-0101',
    zip_code: '80202',
    acceptance_consent: true,
  };
  const path = '/api/provider-applications';
  const token = formToken('application');
  await at.record('by REST with a token', () => at.rest('POST', path, { ...application, token }, {}));
  await at.record('the same again', () => at.rest('POST', path, { ...application, token }, {}));
  await at.record('by REST without a token', () =>
    at.rest('POST', path, { ...application, practice_name: 'Another Practice' }, {}),
  );
  await at.record('with a forged token', () =>
    at.rest('POST', path, { ...application, practice_name: 'Forged Practice', token: 'forged' }, {}),
  );
  await at.record('by a plain form', async () => {
    const fields = { ...application, practice_name: 'Plain Practice', acceptance_consent: 'on', token };
    return (await at.app.post(path, new URLSearchParams(fields).toString(), plainForm)).status;
  });
  await at.record('invalid', () => at.rest('POST', path, { ...application, email: 'nobody' }, {}));
  const decide = (id: number, status: string) => at.call('admin.applications.setStatus', { id, status });
  await at.record('contacted', () => decide(1, 'contacted'));
  await at.record('accepted', () => decide(1, 'accepted'));
  await at.record('accepted again', () => decide(1, 'accepted'));
  await at.record('unknown', () => decide(1000, 'declined'));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('staff-applications'));
});

test('API tokens', async () => {
  await using at = await openMatrix();
  await at.record('creation by a manager', () =>
    at.call('admin.apiTokens.create', { name: 'Script', scopes: ['leads:read'] }),
  );
  const made = createdToken.parse(
    (
      await at.app.post('/trpc/admin.apiTokens.create', { name: 'First', scopes: ['leads:read'] }, at.owner)
    ).json(),
  ).result.data;
  await at.record('creation', () =>
    at.call('admin.apiTokens.create', { name: 'Script', scopes: ['leads:read', 'sync:run'] }, at.owner),
  );
  const authorization = { authorization: `Bearer ${made.token}` };
  await at.record('use', async () => (await at.app.get('/api/leads', authorization)).status);
  const revoke = () => at.call('admin.apiTokens.revoke', { id: made.created.id }, at.owner);
  await at.record('revocation', revoke);
  await at.record('revocation again', revoke);
  await at.record(
    'use of a revoked token',
    async () => (await at.app.get('/api/leads', authorization)).status,
  );
  using printed = vi.spyOn(console, 'log').mockReturnValue();
  const { url } = at.app.database;
  await at.record('creation by the command', () =>
    runToken(url, ['create', '--name', 'Console', '--scope', 'leads:read']),
  );
  await at.record('revocation by the command', () => runToken(url, ['revoke', '2']));
  expect(printed).toHaveBeenCalled();
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('staff-tokens'));
});

test('signing in and out, and accounts', async () => {
  await using at = await openMatrix({ env: { ADMIN_PASSWORD_HASH: testPasswordHash } });
  const { app, owner } = at;
  const page = { origin: app.url };
  const signIn = (input: object) => at.call('admin.session.signIn', input, page);
  const email = 'pat@staff.example';
  const password = 'a long and secret password';
  await at.record('the shared password', () => signIn({ password: testPassword }));
  await at.record('a wrong password', () => signIn({ password: 'wrong' }));
  const create = { name: 'Pat Staff', email, role: 'manager', password };
  await at.record('an account', () => at.call('admin.accounts.create', create, owner));
  await at.record('an account by a manager', () => at.call('admin.accounts.create', create));
  let cookie = '';
  await at.record('its sign-in', async () => {
    const answer = await app.post('/trpc/admin.session.signIn', { email, password }, page);
    cookie = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '').join('; ');
    return answer.status;
  });
  await at.record('its sign-in with a wrong password', () => signIn({ email, password: 'wrong' }));
  await at.record('its sign-out', () => at.call('admin.session.signOut', {}, { ...page, cookie }));
  await signIn({ email, password });
  await at.record('another role', () => at.call('admin.accounts.setRole', { id: 3, role: 'viewer' }, owner));
  await at.record('another password', () =>
    at.call('admin.accounts.setPassword', { id: 3, password: 'another long password' }, owner),
  );
  await at.record('the own role', () => at.call('admin.accounts.setRole', { id: 1, role: 'viewer' }, owner));
  await signIn({ email, password: 'another long password' });
  await at.record('removal', () => at.call('admin.accounts.remove', { id: 3 }, owner));
  await expect(await at.recordedText()).toMatchFileSnapshot(goldenFile('staff-accounts'));
});
