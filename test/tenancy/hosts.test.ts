import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { meets } from '#test/support/meets.ts';
import { insertProvider } from '../support/factories.ts';
import { productionEnvironment } from '../support/productionEnvironment.ts';
import { testPasswordHash } from '../support/staff.ts';
import { testApp } from '../support/testApp.ts';

/** Sends bytes as they are: an HTTP client would refuse to send most of these hosts. */
function getRaw(port: number, hostLine: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => (text += chunk));
    socket.on('end', () => resolve({ status: Number(text.split(' ')[1]), text }));
    socket.on('error', reject);
    socket.write(`GET / HTTP/1.1\r\n${hostLine}Connection: close\r\n\r\n`, 'latin1');
  });
}

test('hostile Host headers get 400, never a provider or an error', async () => {
  meets('D.hosts.04');
  await using app = await testApp();
  await insertProvider(app.db, { domain: 'clinic.example' });
  const hostile = [
    'Host: clinic.example/\r\n',
    'Host: user@clinic.example\r\n',
    'Host: clinic..example\r\n',
    'Host: exa_mple.com\r\n',
    'Host: clinic.example:99999\r\n',
    'Host: clinic.example:80:80\r\n',
    'Host: clinic example\r\n',
    'Host: clinic.example\\path\r\n',
    'Host: http://clinic.example\r\n',
    'Host: clinic.example, other.example\r\n',
    'Host: <script>alert(1)</script>\r\n',
    'Host: ::1\r\n',
    'Host: [::1\r\n',
    'Host: 0x7f000001\r\n',
    'Host: \xff\xfe\r\n',
    'Host: \r\n',
    'Host: localhost\r\nHost: clinic.example\r\n',
    'Host: localhost\r\nhost: localhost\r\n',
    `Host: ${'a.'.repeat(2_000)}example\r\n`,
    '',
  ];
  const answers = await Promise.all(
    hostile.map(async (line) => [line, (await getRaw(app.port, line)).status]),
  );
  expect(answers).toEqual(hostile.map((line) => [line, 400]));
});

test('an international host is one provider in ASCII and in UTF-8 bytes', async () => {
  meets('D.hosts.02');
  await using app = await testApp();
  await insertProvider(app.db, { name: 'Munich Clinic', domain: 'xn--mnchen-3ya.example' });
  await app.knows('xn--mnchen-3ya.example');
  const utf8 = Buffer.from('münchen.example', 'utf8').toString('latin1');
  for (const host of ['xn--mnchen-3ya.example', utf8]) {
    const { status, text } = await getRaw(app.port, `Host: ${host}\r\n`);
    expect([status, text.includes('Munich Clinic')]).toEqual([200, true]);
  }
});

test('only the host chooses the tenant, not path, query, body or forwarded host', async () => {
  meets('D.hosts.01');
  await using app = await testApp();
  const provider = await insertProvider(app.db, { name: 'Picked Clinic', domain: 'picked.example' });
  await app.knows('picked.example');
  expect((await app.as(provider).get('/')).text).toContain('Picked Clinic');
  expect((await app.as('WWW.Picked.Example').get('/')).text).toContain('Picked Clinic');
  for (const path of [
    '/?x=http://picked.example',
    '/?host=picked.example',
    '//picked.example/',
    '/privacy#picked.example',
  ]) {
    expect((await app.get(path)).text).not.toContain('Picked Clinic');
  }
  for (const headers of [
    { 'x-forwarded-host': 'picked.example' },
    { forwarded: 'host=picked.example' },
    { referer: 'https://picked.example/' },
  ]) {
    expect((await app.get('/', headers)).text).not.toContain('Picked Clinic');
  }
  for (const host of [
    'picked.example.evil.example',
    'evil-picked.example',
    'sub.picked.example',
    'picked.example.localhost',
  ]) {
    expect((await app.as(host).get('/')).text).not.toContain('Picked Clinic');
  }
});

test('in development, a slug of the name is a host of any active provider', async () => {
  meets('D.hosts.14');
  await using app = await testApp();
  const first = await insertProvider(app.db, {
    name: 'Clínica Elm & Oak',
    practiceName: 'First Practice',
    domain: 'elm-oak.example',
  });
  await insertProvider(app.db, { name: 'Clinica Elm Oak', practiceName: 'Second Practice', domain: null });
  await insertProvider(app.db, { name: 'Gone Clinic', status: 'f', domain: null });
  await insertProvider(app.db, { name: 'Other', practiceName: 'Owner', domain: 'no-domain.localhost' });
  await insertProvider(app.db, { name: 'No Domain', domain: null });
  const shown = async (host: string) => (await app.as(host).get('/')).text;
  await expect.poll(() => shown('no-domain.localhost')).toContain('Owner');
  expect(await shown('clinica-elm-oak.localhost')).toContain('First Practice');
  expect(await shown('gone-clinic.localhost')).not.toContain('Gone Clinic');
  await app.sql`update providers set name = 'Renamed' where id = ${first.id}`;
  await expect.poll(() => shown('clinica-elm-oak.localhost')).toContain('Second Practice');
});

test('in production, a slug is no host of a provider', async () => {
  await using app = await testApp({ env: productionEnvironment });
  await insertProvider(app.db, { name: 'Elm', practiceName: 'Elm Practice', domain: 'elm.example' });
  await app.knows('elm.example');
  expect((await app.as('elm.example').get('/')).text).toContain('Elm Practice');
  expect((await app.as('elm.localhost').get('/')).text).not.toContain('Elm Practice');
});

test('in production, a loopback name in Host reaches the probes and not the dashboard', async () => {
  const env = { ...productionEnvironment, ADMIN_PASSWORD_HASH: testPasswordHash };
  await using app = await testApp({ env });
  const listStatuses = async (host: string): Promise<number[]> => {
    const paths = ['/healthz', '/readyz', '/admin', '/api/docs'];
    return Promise.all(paths.map(async (path) => (await app.as(host).get(path)).status));
  };
  expect(await listStatuses('brand.example')).toEqual([200, 200, 200, 200]);
  for (const host of ['localhost', 'www.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])
    expect([host, ...(await listStatuses(host))]).toEqual([host, 200, 200, 404, 404]);
});

/** The names of the clinics shown for X-Forwarded-Host headers, on a site with these settings. */
async function shownFor(env: Record<string, string>, headers: readonly string[]): Promise<string[]> {
  await using app = await testApp({ env });
  await insertProvider(app.db, { name: 'Picked Clinic', domain: 'picked.example' });
  await app.knows('picked.example');
  const shown: string[] = [];
  for (const header of headers) {
    const { status, text } = await app.get('/', { 'x-forwarded-host': header });
    shown.push(status !== 200 ? String(status) : text.includes('Picked Clinic') ? 'clinic' : 'brand');
  }
  return shown;
}

test('a forwarded host is ignored behind a trusted proxy unless it is switched on', async () => {
  meets('D.hosts.07');
  expect(await shownFor({ TRUSTED_PROXIES: '1' }, ['picked.example', 'picked..example'])).toEqual([
    'brand',
    'brand',
  ]);
});

test('if enabled, the entry of the outermost trusted proxy counts', async () => {
  const env = { TRUSTED_PROXIES: '1', TRUST_FORWARDED_HOST: 'on' };
  const headers = [
    'picked.example',
    'localhost, picked.example',
    'picked.example, localhost',
    'picked..example',
  ];
  expect(await shownFor(env, headers)).toEqual(['clinic', 'clinic', 'brand', '400']);
});

test('behind two proxies, a single forwarded host is ignored', async () => {
  meets('D.hosts.07');
  const env = { TRUSTED_PROXIES: '2', TRUST_FORWARDED_HOST: 'on' };
  expect(await shownFor(env, ['picked.example', 'picked.example, localhost'])).toEqual(['brand', 'clinic']);
});

test('a renamed provider and a new host appear in every process', async () => {
  meets('D.hosts.36');
  await using first = await testApp();
  await using second = await testApp({ database: first.database });
  const provider = await insertProvider(first.db, { name: 'Old Name', domain: 'old-host.example' });
  const shown = async (host: string): Promise<boolean[]> =>
    Promise.all([first, second].map(async (app) => (await app.as(host).get('/')).text.includes('New Name')));
  await first.as(provider).get('/');
  await second.as(provider).get('/');
  await first.sql`update providers set name = 'New Name', practice_name = null, domain = 'new-host.example' where id = ${provider.id}`;
  // A busy machine may take longer, but never so long as a host that was unknown stays so (5 s).
  await expect.poll(() => shown('new-host.example'), { interval: 20 }).toEqual([true, true]);
  expect(await shown('old-host.example')).toEqual([false, false]);
});

test('certificates are allowed only for hosts of active providers', async () => {
  meets('D.hosts.41 D.hosts.42');
  await using app = await testApp({ env: { MAIN_DOMAINS: 'brand.example' } });
  await insertProvider(app.db, { domain: 'active.example' });
  await insertProvider(app.db, { domain: 'inactive.example', status: 'f' });
  await app.knows('active.example');
  const ask = async (domain: string): Promise<number> =>
    (await app.get(`/api/domains/verify?domain=${encodeURIComponent(domain)}`)).status;
  expect(await Promise.all(['active.example', 'ACTIVE.example.', 'www.active.example'].map(ask))).toEqual([
    200, 200, 200,
  ]);
  for (const domain of [
    'inactive.example',
    'brand.example',
    'localhost',
    'nobody.example',
    'sub.active.example',
    '',
    'a b',
    '..',
  ]) {
    expect([domain, await ask(domain)]).toEqual([domain, 404]);
  }
});
