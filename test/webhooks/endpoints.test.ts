import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { endpointSecretOutput, endpointsMax, webhookEndpoint } from '#shared/admin/webhooks.ts';
import { signedIn, type StaffHeaders } from '#test/support/staff.ts';
import { type Answer, type TestApp, testApp } from '#test/support/testApp.ts';

let app: TestApp;
let owner: StaffHeaders;
beforeAll(async () => {
  app = await testApp();
  owner = await signedIn(app, 'owner');
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const call = (name: string, input: object): Promise<Answer> =>
  app.post(`/trpc/admin.webhooks.${name}`, input, owner);

function toData<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.output<Schema> {
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const envelope = z.object({ result: z.object({ data: z.unknown() }) });
  return schema.parse(envelope.parse(answer.json()).result.data);
}

const input = {
  url: 'https://integrator.example/hook/path-secret',
  description: 'Our CRM',
  types: ['lead.deleted', 'lead.created'],
  payload: 'thin',
};
const listAnswer = z.object({ endpoints: z.array(webhookEndpoint) });
const list = async () => toData(listAnswer, await app.get('/trpc/admin.webhooks.list', owner)).endpoints;

describe('endpoints', () => {
  test('are created with a secret shown once, changed and removed, with audit entries', async () => {
    const made = toData(endpointSecretOutput, await call('create', input));
    expect(Buffer.from(made.secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    const { id } = made.endpoint;
    expect(made.endpoint).toMatchObject({
      url: input.url,
      types: ['lead.created', 'lead.deleted'],
      state: 'on',
      created_by: 'Test owner',
      both_secrets_until: null,
    });
    const changed = { ...input, id, types: [], payload: 'full', url: 'https://integrator.example/new' };
    expect(toData(webhookEndpoint, await call('update', changed))).toMatchObject({
      types: [],
      payload: 'full',
    });
    expect(toData(webhookEndpoint, await call('switch', { id, on: false })).state).toBe('off');
    expect(toData(webhookEndpoint, await call('switch', { id, on: true })).state).toBe('on');
    const rotated = toData(endpointSecretOutput, await call('rotate', { id }));
    expect(rotated.secret).not.toBe(made.secret);
    expect(rotated.endpoint.both_secrets_until).not.toBeNull();
    const listed = JSON.stringify(await list());
    for (const { secret } of [made, rotated]) expect(listed).not.toContain(secret);
    expect((await call('remove', { id })).status).toBe(200);
    expect(await list()).toEqual([]);
    const lines = await app.sql<{ action: string; detail: object | null }[]>`
      select action, detail from audit_log where subject_id = ${id} order by id`;
    expect(lines.map(({ action }) => action)).toEqual(
      ['create', 'update', 'disable', 'enable', 'rotate', 'remove'].map(
        (staffAction) => `endpoint.${staffAction}`,
      ),
    );
    expect(lines[0]?.detail).toEqual({
      host: 'integrator.example',
      types: ['lead.created', 'lead.deleted'],
      payload: 'thin',
    });
    expect(JSON.stringify(lines)).not.toContain('path-secret');
  });

  test.each([
    [{ url: '' }, 'url', 'URL is required'],
    [{ url: 'integrator.example/hook' }, 'url', 'Enter a URL that starts with https://'],
    [{ url: 'ftp://integrator.example/' }, 'url', 'Enter a URL that starts with https://'],
    [
      { url: 'https://user:key@integrator.example/' },
      'url',
      'Leave out user name, password and anything after #',
    ],
    [{ description: 'x'.repeat(201) }, 'description', 'Use at most 200 characters'],
  ])('with %o are refused with the field’s message', async (wrong, field, message) => {
    const answer = await call('create', { ...input, ...wrong });
    expect(answer.status).toBe(422);
    const { error } = z
      .object({ error: z.object({ data: z.object({ errors: z.record(z.string(), z.string()) }) }) })
      .parse(answer.json());
    expect(error.data.errors).toEqual({ [field]: message });
  });

  test('that do not exist are not found, and their number is limited', async () => {
    const id = crypto.randomUUID();
    for (const name of ['rotate', 'test', 'remove']) expect((await call(name, { id })).status).toBe(404);
    const answers = await Promise.all(Array.from({ length: endpointsMax + 3 }, () => call('create', input)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(endpointsMax);
    expect(await list()).toHaveLength(endpointsMax);
  });
});
