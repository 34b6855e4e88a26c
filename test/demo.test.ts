import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { scratchRoot } from '#test/support/scratchRoot.ts';
import { freePort, launchServer } from '#test/support/serverProcess.ts';
import { client } from '#test/support/testApp.ts';
import { patienceMs } from '#test/support/waitFor.ts';
import { sampleProviders } from '#scripts/sampleData/sampleProviders.ts';

const patience = { timeout: patienceMs };
const json = { 'content-type': 'application/json' };

async function dataFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(scratchRoot(), 'demo-'));
  // As root the database runs as its own user, who must get in.
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}

const textAt = async (url: string): Promise<string> => (await fetch(url)).text();

test(
  'npm run demo delivers leads to its tools, and syncs from its WordPress',
  { timeout: 120_000 },
  async () => {
    meets('D.names.63');
    await using folder = await dataFolder();
    const [port, toolsPort] = [await freePort(), await freePort()];
    const options = ['--port', `${port}`, '--tools-port', `${toolsPort}`, '--data', folder.path];
    // A real setting of the shell doesn't count.
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/real', SMTP_URL: 'smtp://127.0.0.1:1' };
    await using demo = await launchServer(env, ['scripts/demo/demo.ts', ...options]);
    const [main, tools] = [`http://localhost:${port}`, `http://localhost:${toolsPort}`];
    await expect.poll(demo.output).toContain(`${tools}/wordpress`);
    const [, password = ''] = /password (\S+)/.exec(demo.output()) ?? [];

    const lead = leadInput({ zip_code: '80202' });
    const created = await fetch(`${main}/api/leads`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify(lead),
    });
    expect(created.status).toBe(201);
    await expect
      .poll(() => textAt(`${tools}/mail`), patience)
      .toMatch(/New lead from 80202.*larkspur-ridge@/s);
    expect(await textAt(`${tools}/mail/0/html`)).toContain(lead.last_name);
    await expect.poll(() => textAt(`${tools}/crm`), patience).toContain(lead.email);
    expect(await textAt(`${tools}/crm`)).toContain('answered 200 · Signature valid');

    // A foreign name that points to this machine reads and changes nothing.
    for (const [method, path] of [
      ['GET', '/'],
      ['GET', '/mail'],
      ['GET', '/crm'],
      ['POST', '/mail/0/reply'],
    ] as const) {
      const foreign = await client(toolsPort, 'evil.example').request(method, path);
      expect([path, foreign.status]).toEqual([path, 421]);
      expect(foreign.text).not.toContain(lead.email);
    }
    // Nor does another site's page that posts a form here.
    const crossSite = { 'sec-fetch-site': 'cross-site' };
    const posted = await client(toolsPort, 'localhost').post('/mail/0/reply', 'text=STOP', crossSite);
    expect(posted.status).toBe(403);

    const gate = { method: 'POST', headers: { ...json, origin: main }, body: JSON.stringify({ password }) };
    const session = (await fetch(`${main}/trpc/admin.session.signIn`, gate)).headers
      .getSetCookie()[0]
      ?.split(';')[0];
    const sync = async (): Promise<unknown> => {
      const headers = { ...json, origin: main, cookie: session ?? '' };
      return (await fetch(`${main}/api/sync`, { method: 'POST', headers, body: '{}' })).json();
    };
    expect(await sync()).toMatchObject({ success: true, run: { updated: 0, created: 0, deactivated: 0 } });

    const [first] = sampleProviders();
    const changes = {
      practice_name: 'Larkspur Moved',
      zip_code: '80202',
      email: 'moved@example.com',
      publish: 'on',
    };
    const body = new URLSearchParams(changes);
    const saved = await fetch(`${tools}/wordpress/providers/${first?.wordpressId}`, { method: 'POST', body });
    expect(saved.status).toBe(200);
    expect(await sync()).toMatchObject({ success: true, run: { updated: 1 } });
    await expect.poll(() => textAt(`${main}/api/providers`), patience).toContain('Larkspur Moved');
    const [, logo = ''] = /(\/media\/logo\/\d+)/.exec(await textAt(`${main}/microsite?providerId=1`)) ?? [];
    expect((await fetch(`${main}${logo}`)).headers.get('content-type')).toContain('image/png');

    const stop = await fetch(`${tools}/mail/0/reply`, {
      method: 'POST',
      body: new URLSearchParams({ text: 'STOP' }),
    });
    expect(stop.status).toBe(200);

    const exited = once(demo.child, 'exit');
    demo.child.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
  },
);
