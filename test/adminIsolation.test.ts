import { ne } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiTokens, auditLog } from '#server/db/schema/index.ts';
import { sha256 } from '#server/features/auth/sessions.ts';
import { exportRoutes } from '#server/rest/exports.ts';
import { restRoutes } from '#server/rest/routes.ts';
import {
  eventsPath,
  includesRole,
  type StaffRole,
  staffRoles,
  type TokenScope,
  tokenScopes,
} from '#shared/admin/staff.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { everyProcedure } from '#test/support/procedures.ts';
import { insertAccount, getSession, signedIn, getToken, type StaffHeaders } from '#test/support/staff.ts';
import { type Answer, type Client, type TestApp, testApp } from '#test/support/testApp.ts';

/**
 * Who gets in where: every procedure, REST row and export that isn't public (test/isolation.test.ts lists those) is
 * tried by every kind of caller. A new one is tried by itself. The requests have no input: a caller who is let in
 * gets a validation error or "not found".
 */
interface Door {
  name: string;
  /** Null where no session will do. */
  role: StaffRole | null;
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

const byExport: Door[] = exportRoutes.map(({ access, path }) => ({
  name: `GET ${path}`,
  ...access,
  changes: false,
  knock: (client, headers) => client.get(path.replaceAll(/\{\w+\}/g, '999999999'), headers),
}));

/** A stream, so that HEAD answers those who are let in. */
const events: Door = {
  name: `GET ${eventsPath}`,
  role: 'viewer',
  scope: null,
  changes: false,
  knock: async (client, headers) => {
    const checked = await client.request('HEAD', eventsPath, { headers });
    return checked.status === 200 ? checked : client.get(eventsPath, headers);
  },
};

const doors = [...byTrpc, ...byRest, ...byExport, events];

type Caller = readonly [who: string, headers: Record<string, string>, client?: Client];

let app: TestApp;
let providerHost: string;
/** Who is refused at every door, so that one of each is enough. */
let strangers: readonly Caller[];
let owner: StaffHeaders;
let script: { authorization: string };
const dayMs = 86_400_000;
beforeAll(async () => {
  app = await testApp();
  providerHost = (await insertProvider(app.db)).domain ?? '';
  await app.knows(providerHost);
  strangers = await makeStrangers();
  owner = await signedIn(app, 'owner');
  script = await getToken(app, tokenScopes);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const signInFirst = '401 Sign in first.';
const notAllowed = '403 Not allowed.';
const notHere = '404 Not found.';
const letIn = 'let in';

/** What staff with a role hear at a door. */
function staffVerdict({ role, scope }: Door, of: StaffRole): string {
  if (role === null) return `403 Only an API token with the scope ${scope} may do this, not a staff session.`;
  return includesRole(of, role) ? letIn : notAllowed;
}

/**
 * What became of someone at a door: the refusal, or that they were let in: then they hear of their input, or of what
 * isn't there, in words of its own. A refusal that a cache might keep is none.
 */
function verdict({ status, text, headers }: Answer): string {
  const said = `${status} ${/"error":"([^"]*)"/.exec(text)?.[1] ?? ''}`;
  if (![401, 403, 415].includes(status) && said !== notHere) return status < 500 ? letIn : said;
  return headers['cache-control'] === 'no-store' ? said : `${said} (kept)`;
}

/** Everyone's verdict at one door. */
async function listVerdicts(door: Door, callers: readonly Caller[]): Promise<Record<string, string>> {
  const verdicts: Record<string, string> = {};
  for (const [who, headers, client = app] of callers)
    verdicts[who] = verdict(await door.knock(client, headers));
  return verdicts;
}

function everyone(verdicts: Record<string, string>, same: string): Record<string, string> {
  return Object.fromEntries(Object.keys(verdicts).map((who) => [who, same]));
}

function getValue({ cookie }: { cookie: string }): string {
  return cookie.slice(cookie.indexOf('=') + 1);
}

async function revokedToken(): Promise<{ authorization: string }> {
  const headers = await getToken(app, tokenScopes);
  await app.db.update(apiTokens).set({ revokedAt: new Date() });
  return headers;
}

async function makeStrangers(): Promise<Caller[]> {
  const account = await insertAccount(app, 'owner');
  const ended = await getSession(app, account, new Date(Date.now() - dayMs));
  const live = await getSession(app, account);
  const idle = await getSession(app, account);
  await app.sql`update staff_sessions set last_seen_at = now() - interval '2 hours 1 second'
    where token_sha256 = ${sha256(getValue(idle))}`;
  const revoked = await revokedToken();
  return [
    ['nobody', {}],
    ['a made-up cookie', { cookie: 'session=made-up; auth=true', origin: app.url }],
    ['a session of yesterday', ended],
    ['a session unused for two hours', idle],
    [
      'a session by the cookie’s other name',
      { ...live, cookie: live.cookie.replace('session', '__Host-session') },
    ],
    ['a made-up token', { authorization: `Bearer mpx_${'A'.repeat(43)}` }],
    ['a session’s value as a token', { authorization: `Bearer ${getValue(live)}` }],
    ['a revoked token', revoked],
    ['a revoked token beside a live session', { ...live, ...revoked }],
  ];
}

test('the list of operations contains every kind', () => {
  expect(byTrpc.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'admin.session.me',
      'admin.accounts.list',
      'admin.apiTokens.create',
      'admin.audit.list',
      'sync.run',
    ]),
  );
  expect(byRest.map(({ name }) => name)).toContain('POST /api/sync');
  expect(byExport.map(({ name }) => name)).toContain('GET /api/leads.csv');
});

describe.each(doors)('$name', (door) => {
  test('refuses callers without a session or token, or with an expired one', async () => {
    meets('P6.role.12 D.admin.20');
    const verdicts = await listVerdicts(door, strangers);
    expect(verdicts).toEqual(everyone(verdicts, signInFirst));
  });

  test('checks the role of staff and the scope of a token', async () => {
    meets('D.people.15 D.errors.08 D.admin.25');
    const staff = await listVerdicts(
      door,
      await Promise.all(staffRoles.map(async (role) => [role, await signedIn(app, role)] as const)),
    );
    expect(staff).toEqual(Object.fromEntries(staffRoles.map((role) => [role, staffVerdict(door, role)])));
    const scripts = await listVerdicts(
      door,
      await Promise.all(tokenScopes.map(async (scope) => [scope, await getToken(app, [scope])] as const)),
    );
    expect(scripts).toEqual(
      Object.fromEntries(tokenScopes.map((scope) => [scope, scope === door.scope ? letIn : notAllowed])),
    );
  });

  test('does not exist on a provider’s or an unknown host, even for an owner', async () => {
    meets('D.hosts.23');
    const { cookie } = owner;
    const verdicts = await listVerdicts(
      door,
      [providerHost, 'unknown.example'].flatMap((host) => [
        [`an owner on ${host}`, { cookie, origin: `http://${host}:${app.port}` }, app.as(host)] as const,
        [`a token on ${host}`, script, app.as(host)] as const,
      ]),
    );
    expect(verdicts).toEqual(everyone(verdicts, notHere));
  });

  test('lets no other site read its response', async () => {
    const { headers } = await door.knock(app, { cookie: owner.cookie, origin: 'https://evil.example' });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe.each(doors.filter(({ changes }) => changes))('$name', (door) => {
  test('changes nothing when another site’s page sends the cookie', async () => {
    meets('D.admin.28 D.admin.29');
    const { cookie, origin } = await signedIn(app, 'owner');
    const verdicts = await listVerdicts(door, [
      ['another site', { cookie, origin: 'https://evil.example' }],
      ['a clinic’s site', { cookie, origin: `http://${providerHost}:${app.port}` }],
      ['another port', { cookie, origin: `http://localhost:${app.port + 1}` }],
      ['an opaque origin', { cookie, origin: 'null' }],
      ['no origin', { cookie }],
      ['a form', { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' }],
      ['plain text', { cookie, origin, 'content-type': 'text/plain' }],
    ]);
    expect(Object.values(verdicts).filter((said) => !/^(403|415) [^(]+$/.test(said))).toEqual([]);
    expect(verdict(await door.knock(app, { cookie, origin }))).toBe(staffVerdict(door, 'owner'));
  });
});

test('a site served by https treats its own http origin as another site', async () => {
  const env = { TRUSTED_PROXIES: '1', TRUST_FORWARDED_HOST: 'on' };
  await using behind = await testApp({ env, database: app.database });
  const verdicts: string[][] = [];
  for (const door of doors.filter(({ changes, role }) => changes && role !== null)) {
    // One for each: a door signs out.
    const { cookie } = await signedIn(app, 'owner');
    const secure = {
      cookie: cookie.replace('session', '__Host-session'),
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'localhost',
    };
    const [byHttp, byHttps] = [
      await door.knock(behind, { ...secure, origin: 'http://localhost' }),
      await door.knock(behind, { ...secure, origin: 'https://localhost' }),
    ].map(verdict);
    verdicts.push([door.name, byHttp ?? '', byHttps ?? '']);
  }
  expect(
    verdicts.filter(([, byHttp, byHttps]) => !/^403 [^(]+$/.test(byHttp ?? '') || byHttps !== letIn),
  ).toEqual([]);
});

test('a refused caller leaves no audit entry but counts of refusals', async () => {
  const entries = () => app.db.$count(auditLog, ne(auditLog.action, 'access.denied'));
  const before = await entries();
  for (const door of doors) {
    await door.knock(app, {});
    if (door.role !== 'viewer') await door.knock(app, await signedIn(app, 'viewer'));
    if (door.changes)
      await door.knock(app, { ...(await signedIn(app, 'owner')), origin: 'https://evil.example' });
  }
  expect(await entries()).toBe(before);
});
