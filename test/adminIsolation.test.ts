import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { apiTokens, auditLog } from '#server/db/schema/index.ts';
import { sha256 } from '#server/features/staff/secretText.ts';
import { restRoutes } from '#server/rest/routes.ts';
import { includesRole, type StaffRole, staffRoles, type TokenScope, tokenScopes } from '#shared/staff.ts';
import { insertClinic } from '#test/support/factories.ts';
import { everyProcedure } from '#test/support/procedures.ts';
import { insertAccount, sessionOf, signedIn, tokenOf } from '#test/support/staff.ts';
import { type Answer, type Client, type TestApp, testApp } from '#test/support/testApp.ts';

/**
 * Who gets in where: every procedure and REST row that isn't public (test/isolation.test.ts lists those) is tried by everyone there could
 * be. A new one is tried by itself. What is sent along is nothing at all: whoever gets in is told what is wrong with it, or that it isn't
 * there.
 */
interface Door {
  name: string;
  role: StaffRole;
  /** Null where no token will do. */
  scope: TokenScope | null;
  changes: boolean;
  knock: (client: Client, headers: Record<string, string>) => Promise<Answer>;
}

const byTrpc: Door[] = everyProcedure.flatMap(({ path, type, access }) =>
  access === null
    ? []
    : [
        {
          name: path,
          ...access,
          changes: type === 'mutation',
          knock: (client, headers) =>
            type === 'query'
              ? client.get(`/trpc/${path}`, headers)
              : client.post(`/trpc/${path}`, {}, headers),
        },
      ],
);

const byRest: Door[] = restRoutes.flatMap((route) => {
  if (typeof route.access === 'string') return [];
  const { method, access, type } = route;
  const path = route.path.replaceAll(/\{\w+\}/g, '999999999');
  return [
    {
      name: `${method} ${route.path}`,
      ...access,
      changes: type === 'mutation',
      knock: (client, headers) =>
        client.request(method, path, {
          headers: method === 'GET' ? headers : { 'content-type': 'application/json', ...headers },
          body: method === 'GET' ? '' : '{}',
        }),
    },
  ];
});

const doors = [...byTrpc, ...byRest];
const refusals = [401, 403];

let app: TestApp;
let clinicHost: string;
const dayMs = 86_400_000;
beforeAll(async () => {
  app = await testApp();
  clinicHost = (await insertClinic(app.db)).domain ?? '';
  await vi.waitUntil(() => app.services.tenants.hasHost(clinicHost));
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

/** Whoever is let in hears of the input or of what isn't there, in words of its own; never of who they are. */
function expectIn(door: Door, who: string, { status, text }: Answer): void {
  expect([door.name, who, refusals.includes(status), status < 500, text.includes('"Not found."')]).toEqual([
    door.name,
    who,
    false,
    true,
    false,
  ]);
}

function expectOut(door: Door, who: string, answer: Answer, status: number, sentence?: string): void {
  expect([door.name, who, answer.status]).toEqual([door.name, who, status]);
  if (sentence !== undefined)
    expect([door.name, who, answer.text]).toEqual([door.name, who, expect.stringContaining(sentence)]);
  expect(answer.headers['cache-control']).toBe('no-store');
}

function valueOf({ cookie }: { cookie: string }): string {
  return cookie.slice(cookie.indexOf('=') + 1);
}

async function revokedToken(): Promise<{ authorization: string }> {
  const headers = await tokenOf(app, tokenScopes);
  await app.db.update(apiTokens).set({ revokedAt: new Date() });
  return headers;
}

test('there are doors of both kinds to try', () => {
  expect(byTrpc.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['staff.me', 'staffAccounts.list', 'apiTokens.create', 'audit.list', 'sync.run']),
  );
  expect(byRest.map(({ name }) => name)).toContain('POST /api/sync');
});

describe.each(doors)('$name', (door) => {
  test('is closed to strangers and to whoever’s session or token is over', async () => {
    const owner = await insertAccount(app, 'owner');
    const ended = await sessionOf(app, owner, new Date(Date.now() - dayMs));
    const live = await sessionOf(app, owner);
    const idle = await sessionOf(app, owner);
    await app.sql`update staff_sessions set last_seen_at = now() - interval '2 hours 1 second'
      where token_sha256 = ${sha256(valueOf(idle))}`;
    for (const [who, headers] of [
      ['nobody', {}],
      ['a made-up cookie', { cookie: 'session=made-up; auth=true', origin: app.url }],
      ['a session of yesterday', ended],
      ['a session unused for two hours', idle],
      [
        'a session by the cookie’s other name',
        { ...live, cookie: live.cookie.replace('session', '__Host-session') },
      ],
      ['a made-up token', { authorization: `Bearer mpx_${'A'.repeat(43)}` }],
      ['a session’s value as a token', { authorization: `Bearer ${valueOf(live)}` }],
      ['a revoked token', await revokedToken()],
      ['a revoked token beside a live session', { ...live, ...(await revokedToken()) }],
    ] as const) {
      expectOut(door, who, await door.knock(app, headers), 401, 'Sign in first.');
    }
  });

  test.each(staffRoles)('judges the role %s by the one it needs', async (role) => {
    const answer = await door.knock(app, await signedIn(app, role));
    if (includesRole(role, door.role)) expectIn(door, role, answer);
    else expectOut(door, role, answer, 403, 'Not allowed.');
  });

  test('judges a token by its scope alone', async () => {
    for (const scope of tokenScopes) {
      const answer = await door.knock(app, await tokenOf(app, [scope]));
      if (scope === door.scope) expectIn(door, scope, answer);
      else expectOut(door, scope, answer, 403, 'Not allowed.');
    }
  });

  test('is not there on a clinic’s host and on an unknown one, even for an owner', async () => {
    const token = await tokenOf(app, tokenScopes);
    for (const host of [clinicHost, 'unknown.example']) {
      const owner = { ...(await signedIn(app, 'owner')), origin: `http://${host}:${app.port}` };
      expectOut(door, `an owner on ${host}`, await door.knock(app.as(host), owner), 404);
      expectOut(door, `a token on ${host}`, await door.knock(app.as(host), token), 404);
    }
  });

  test('changes nothing for a cookie that another site’s page sent along', async () => {
    const { cookie, origin } = await signedIn(app, 'owner');
    const strangers = [
      ['another site', { cookie, origin: 'https://evil.example' }],
      ['a clinic’s site', { cookie, origin: `http://${clinicHost}:${app.port}` }],
      ['another port', { cookie, origin: `http://localhost:${app.port + 1}` }],
      ['an opaque origin', { cookie, origin: 'null' }],
      ['no origin', { cookie }],
    ] as const;
    for (const [who, headers] of strangers) {
      const answer = await door.knock(app, headers);
      // A page elsewhere can't read what a query answers: no header allows it to.
      if (door.changes) expectOut(door, who, answer, 403);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    if (!door.changes) return;
    const form = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
    expect([403, 415]).toContain((await door.knock(app, form)).status);
    expectIn(door, 'the same session from its own page', await door.knock(app, { cookie, origin }));
  });
});

test('whoever is refused leaves no trace of having done something', async () => {
  const before = await app.db.$count(auditLog);
  for (const door of doors) {
    await door.knock(app, {});
    if (door.role !== 'viewer') await door.knock(app, await signedIn(app, 'viewer'));
    if (door.changes)
      await door.knock(app, { ...(await signedIn(app, 'owner')), origin: 'https://evil.example' });
  }
  expect(await app.db.$count(auditLog)).toBe(before);
});
