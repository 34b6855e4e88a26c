import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createTRPCClient } from '@trpc/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { messages } from '#shared/brand/messages.ts';
import { meets } from '#test/support/meets.ts';
import { fetchProviders } from './providersApi.ts';
import { adminLink, ApiError, type AppRouter, apiLink, toApiError } from './trpc.ts';

async function createTestClient(
  answer: (...request: Parameters<RequestListener>) => unknown,
  linkTo = apiLink,
) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  return createTRPCClient<AppRouter>({ links: [linkTo(`http://127.0.0.1:${port}/trpc`)] });
}

async function findFault(call: Promise<unknown>): Promise<ApiError> {
  return call.then(
    () => expect.fail('the call should have failed'),
    (error: unknown) => toApiError(error),
  );
}

const lead = {
  first_name: 'Sam',
  last_name: 'Reed',
  email: 'sam@example.com',
  phone: '555 555 0123',
  zip_code: '80202',
  acceptance_consent: true,
} as const;

test('every request includes credentials, and calls send JSON', async () => {
  meets('P7.call.38 P7.call.39');
  const sent = vi.spyOn(globalThis, 'fetch');
  onTestFinished(() => sent.mockRestore());
  for (const link of [apiLink, adminLink]) {
    const client = await createTestClient((_, response) => response.writeHead(502).end(), link);
    await findFault(client.leads.create.mutate(lead));
  }
  sent.mockResolvedValueOnce(Response.json([]));
  await fetchProviders('active');
  expect(sent.mock.calls.map(([, init]) => init?.credentials)).toEqual(['include', 'include', 'include']);
  const contentTypes = sent.mock.calls.map(([, init]) => new Headers(init?.headers).get('content-type'));
  expect(contentTypes).toEqual(['application/json', 'application/json', null]);
});

test('a refusal keeps its status and body word for word, its sentence and its fields', async () => {
  meets('P7.call.41 D.errors.21');
  const body = JSON.stringify({
    error: {
      message: 'x',
      code: -32600,
      data: { httpStatus: 422, error: 'Email is required', errors: { email: 'Email is required' } },
    },
  });
  const client = await createTestClient((_, response) =>
    response.writeHead(422, { 'content-type': 'application/json' }).end(body),
  );
  const error = await findFault(client.leads.create.mutate(lead));
  expect(error.message).toBe(`422: ${body}`);
  expect(error).toMatchObject({
    status: 422,
    userMessage: 'Email is required',
    fields: { email: 'Email is required' },
  });
});

test('an answer without a body is named by its status text and has no sentence to show', async () => {
  meets('P7.call.42');
  const client = await createTestClient((_, response) => response.writeHead(502, 'Bad Gateway').end());
  const error = await findFault(client.leads.create.mutate(lead));
  expect(error).toMatchObject({ message: '502: Bad Gateway', userMessage: null });
});

test('an empty good answer is an error', async () => {
  meets('P7.call.25 P8.error.11');
  const client = await createTestClient((_, response) => response.writeHead(200).end());
  expect((await findFault(client.leads.create.mutate(lead))).message).toBe(messages.noData);
});

test('no answer at all is an error without a status', async () => {
  const client = await createTestClient((request) => request.socket.destroy());
  expect(await findFault(client.leads.create.mutate(lead))).toMatchObject({
    status: null,
    userMessage: null,
  });
});

test("a call's idempotency key is sent as the header", async () => {
  const keys: unknown[] = [];
  const client = await createTestClient((request, response) => {
    keys.push(request.headers['idempotency-key']);
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ result: { data: { id: 1 } } }));
  });
  await client.leads.create.mutate(lead, { context: { idempotencyKey: 'k-1' } });
  expect(keys).toEqual(['k-1']);
});

test('what staff ask for stands in the body, never in the address', async () => {
  meets('P7.call.38');
  const asked: unknown[] = [];
  const client = await createTestClient(async (request, response) => {
    asked.push(request.method, request.url, await text(request));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"result":{"data":null}}');
  }, adminLink);
  await client.admin.leads.list.query({ search: 'quentin' });
  expect(asked).toEqual(['POST', '/trpc/admin.leads.list', '{"search":"quentin"}']);
});

test('a process of 1.0.2, which knows only former names, is asked by these', async () => {
  const asked: unknown[] = [];
  const client = await createTestClient(async (request, response) => {
    asked.push(request.url, await text(request));
    const isFormer = request.url === '/trpc/adminLeads.total';
    const shape = { message: 'x', code: -32004, data: { httpStatus: 404, error: 'No such procedure.' } };
    response.writeHead(isFormer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isFormer ? { result: { data: { total: 3 } } } : { error: shape }));
  }, adminLink);
  expect(await client.admin.leads.total.query({})).toEqual({ total: 3 });
  expect(asked).toEqual(['/trpc/admin.leads.total', '{}', '/trpc/adminLeads.total', '{}']);
  expect(await findFault(client.leads.create.mutate(lead))).toMatchObject({ status: 404 });
  expect(asked).toHaveLength(6);
});

test('problem+json gives its error sentence, else its detail', () => {
  expect(new ApiError(409, '{"error":"Taken.","detail":"Other."}').userMessage).toBe('Taken.');
  expect(new ApiError(409, '{"detail":"Other."}').userMessage).toBe('Other.');
  expect(new ApiError(500, '<html>').userMessage).toBeNull();
});
