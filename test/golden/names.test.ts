import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { environment, requiredInProduction } from '#server/config/environment.ts';
import { registry } from '#server/metrics.ts';
import { auditActions, auditSubjectKinds } from '#shared/admin/audit.ts';
import {
  deliveryChannels,
  deliveryOutcomes,
  deliveryStates,
  deliveryTemplates,
} from '#shared/admin/deliveries.ts';
import { errorStatuses, errorTitles } from '#shared/errorCodes.ts';
import { disabledReasons, eventPayloads, eventTypes, testType } from '#shared/admin/webhooks.ts';
import { insightFigures } from '#shared/admin/insights.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import { quarantineReasons } from '#shared/leads/quarantine.ts';
import { staffRoles, tokenScopes } from '#shared/admin/staff.ts';
import { staffTaskKinds } from '#shared/admin/adminLeads.ts';
import { taskDecisions } from '#shared/admin/staffTasks.ts';
import { leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn, testPassword, testPasswordHash, getToken } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { goldenFile, jsonText } from './goldenFiles.ts';

const operations = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

async function restOperations(app: TestApp): Promise<string[]> {
  const { paths } = operations.parse((await app.get('/api/openapi.json')).json());
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

interface Problem {
  request: string;
  status: number;
  contentType: string | undefined;
  fields: string[];
  type: unknown;
  title: unknown;
}

function toProblem(request: string, { status, headers, json }: Answer): Problem {
  const body = z.record(z.string(), z.unknown()).parse(json());
  const { type, title } = body;
  return { request, status, contentType: headers['content-type'], fields: Object.keys(body), type, title };
}

/** One refused request for each error that a client can cause by itself. */
async function restProblems(app: TestApp): Promise<Problem[]> {
  const reading = await getToken(app, ['leads:read']);
  const requests: [string, Promise<Answer>][] = [
    ['a body that is no JSON', app.post('/api/leads', '{')],
    ['no token', app.get('/api/tasks')],
    ['a token without the scope', app.post('/api/sync', {}, reading)],
    ['an unknown provider', app.get('/api/providers/999')],
    ['a method that the path lacks', app.request('PUT', '/api/leads')],
    ['a body that is too large', app.post('/api/leads', `"${'x'.repeat(40_000)}"`)],
    ['a body of another type', app.post('/api/leads', 'x', { 'content-type': 'text/plain' })],
    ['a wrong field', app.post('/api/leads', leadInput({ email: 'none' }))],
  ];
  return Promise.all(requests.map(async ([request, answer]) => toProblem(request, await answer)));
}

/** The product's own metrics as served, with the labels they are registered with. Node's are not ours to freeze. */
async function metrics(app: TestApp): Promise<Record<string, { type: string; labels: unknown }>> {
  const { text } = await app.get('/metrics');
  const served = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type = '']) =>
    /^(?:nodejs|process)_/.test(name) ? [] : ([[name, type]] as const),
  );
  expect(served.length).toBeGreaterThan(5);
  return Object.fromEntries(
    served
      .toSorted(([a], [b]) => a.localeCompare(b))
      .map(([name, type]) => [
        name,
        { type, labels: Reflect.get(Object(registry.getSingleMetric(name)), 'labelNames') },
      ]),
  );
}

/** The cookies of an answer without their values. */
function cookieForms({ headers }: Answer): string[] {
  return (headers['set-cookie'] ?? []).map((cookie) => cookie.replace(/^([^=]+)=[^;]+/, '$1=<value>'));
}

async function cookies(): Promise<Record<string, string[]>> {
  await using app = await testApp({ env: { ADMIN_PASSWORD_HASH: testPasswordHash, TRUSTED_PROXIES: '1' } });
  const secure = { 'x-forwarded-proto': 'https' };
  const signIn = (headers: Record<string, string>): Promise<Answer> =>
    app.post('/trpc/admin.session.signIn', { password: testPassword }, headers);
  const [http, https] = [await signIn({}), await signIn(secure)];
  const staff = await signedIn(app);
  const visitor = await app.get('/');
  return {
    'sign-in over http': cookieForms(http),
    'sign-in over https': cookieForms(https),
    'sign-out over http': cookieForms(await app.post('/trpc/admin.session.signOut', {}, staff)),
    'a page for a visitor': cookieForms(visitor),
  };
}

/** What `RateLimit-Policy` says of a script's lead and of a form's. */
async function rateLimitPolicies(): Promise<Record<string, unknown>> {
  await using app = await testApp({ env: { RATE_LIMIT_LEADS: '5/1m,20/1h' } });
  const buildPolicy = async (input: object): Promise<unknown> =>
    (await app.post('/api/leads', input)).headers['ratelimit-policy'];
  return {
    script: await buildPolicy(leadInput()),
    form: await buildPolicy(leadInput({ form: 'landing', token: formToken('landing') })),
    'form without a token': await buildPolicy(leadInput({ form: 'landing' })),
  };
}

/** Every variable of .env.example with its value there. */
async function exampleVariables(): Promise<[string, string][]> {
  const text = await readFile('.env.example', 'utf8');
  return [...text.matchAll(/^([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]);
}

test('.env.example has every variable of the configuration and no other', async () => {
  meets(`
    D.names.01 D.names.03 D.names.06 D.names.08 D.names.09 D.names.11 D.names.14 D.names.17
    D.names.19 D.names.22 D.names.25 D.names.26 D.names.27 D.names.29 D.names.30 D.names.31
    D.names.32 D.names.33 D.names.34 D.names.35 D.names.36 D.names.37 D.names.38 D.names.39
    D.names.40 D.names.41 D.names.42 D.names.43
  `);
  const names = (await exampleVariables()).map(([name]) => name);
  expect(names.length).toBeGreaterThan(30);
  expect(names.toSorted()).toEqual(Object.keys(environment.shape).toSorted());
});

test('public names are unchanged', async () => {
  meets(`
    D.people.14 D.leads.55 D.errors.01 D.errors.07 D.errors.08 D.admin.11 D.admin.22 D.admin.24
    D.deliveries.08 D.names.01 D.names.02 D.names.03 D.names.06 D.names.07 D.names.08 D.names.09
    D.names.11 D.names.14 D.names.17 D.names.18 D.names.19 D.names.20 D.names.22 D.names.25
    D.names.26 D.names.27 D.names.28 D.names.29 D.names.30 D.names.31 D.names.32 D.names.33
    D.names.34 D.names.35 D.names.36 D.names.37 D.names.38 D.names.39 D.names.40 D.names.41
    D.names.42 D.names.43
  `);
  await using app = await testApp();
  await app.post('/api/leads', leadInput());
  const names = {
    restOperations: await restOperations(app),
    restProblems: await restProblems(app),
    errorCodes: Object.entries(errorStatuses)
      .map(([code, status]) => ({ code, status, title: Reflect.get(errorTitles, code) as unknown }))
      .toSorted((a, b) => a.status - b.status),
    webhooks: {
      eventTypes: eventTypes.toSorted(),
      testType,
      payloads: eventPayloads.toSorted(),
      disabledReasons: disabledReasons.toSorted(),
    },
    metrics: await metrics(app),
    cookies: await cookies(),
    authorization: (await getToken(app, ['leads:read'])).authorization.replace(
      /[\w-]{43}$/,
      '<43 characters>',
    ),
    rateLimitPolicies: await rateLimitPolicies(),
    environment: Object.fromEntries(await exampleVariables()),
    environmentDefaults: environment.parse({}),
    requiredInProduction: requiredInProduction.toSorted(),
    audit: { actions: auditActions.toSorted(), subjectKinds: auditSubjectKinds.toSorted() },
    staff: {
      roles: staffRoles.toSorted(),
      tokenScopes: tokenScopes.toSorted(),
      taskKinds: staffTaskKinds.toSorted(),
      taskDecisions: taskDecisions.toSorted(),
    },
    deliveries: {
      channels: deliveryChannels.toSorted(),
      states: deliveryStates.toSorted(),
      templates: deliveryTemplates.toSorted(),
      outcomes: deliveryOutcomes.toSorted(),
    },
    leads: { outcomes: leadOutcomes.toSorted(), quarantineReasons: quarantineReasons.toSorted() },
    insightFigures: insightFigures.toSorted(),
  };
  await expect(jsonText(names)).toMatchFileSnapshot(goldenFile('names.json'));
});
