import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTRPCClient } from '@trpc/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { messages } from '#shared/brand/messages.ts';
import { apiLink, type AppRouter } from '#client/api/trpc.ts';
import { sendForm } from './sendForm.ts';

const lead = {
  first_name: 'Ada',
  last_name: 'Vale',
  email: 'ada@example.com',
  phone: '(303) 555-0142',
  zip_code: '80202',
  acceptance_consent: true,
} as const;

/** Sends a form to a server that answers so. Returns the outcome and what the visitor's console has afterwards. */
async function send(answer: RequestListener): Promise<{ outcome: unknown; logged: string[] }> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const logged: string[] = [];
  vi.stubGlobal('window', { console: { error: (line: string) => logged.push(line) } });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    server.closeAllConnections();
    server.close();
  });
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  const client = createTRPCClient<AppRouter>({ links: [apiLink(`http://127.0.0.1:${port}/trpc`)] });
  const outcome = await sendForm('key-1', (options) => client.leads.create.mutate(lead, options));
  return { outcome, logged };
}

function answerWith(status: number, body: string): RequestListener {
  return (_, response) => response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

test('a stored form returns the response and sends its idempotency key', async () => {
  const keys: unknown[] = [];
  const { outcome, logged } = await send((request, response) => {
    keys.push(request.headers['idempotency-key']);
    answerWith(200, JSON.stringify({ result: { data: { id: 5, providerId: 7 } } }))(request, response);
  });
  expect(outcome).toEqual({ kind: 'created', created: { id: 5, providerId: 7 } });
  expect(keys).toEqual(['key-1']);
  expect(logged).toEqual([]);
});

test('a refused form has the sentence and the fields, and logs only the status', async () => {
  const body = JSON.stringify({ error: 'Enter an email address.', errors: { email: 'ada@ is incomplete' } });
  const { outcome, logged } = await send(answerWith(422, body));
  expect(outcome).toEqual({
    kind: 'refused',
    message: 'Enter an email address.',
    errorMessage: `422: ${body}`,
    fields: { email: 'ada@ is incomplete' },
  });
  expect(logged).toEqual([expect.stringMatching(/: 422$/)]);
});

test('a lost connection is offline, because the form may be stored', async () => {
  const { outcome, logged } = await send((request) => request.socket.destroy());
  expect(outcome).toEqual({ kind: 'offline' });
  expect(logged).toEqual([expect.stringMatching(/: no response$/)]);
});

test('an empty response is refused with a message of its own', async () => {
  const { outcome, logged } = await send(answerWith(200, ''));
  expect(outcome).toEqual({ kind: 'refused', message: null, errorMessage: messages.noData, fields: {} });
  expect(logged).toEqual([expect.stringMatching(/: unusable response$/)]);
});

test('an unreadable response is refused without a technical message', async () => {
  const { outcome } = await send(answerWith(200, '<html>Sign in to the hotel network</html>'));
  expect(outcome).toEqual({ kind: 'refused', message: null, errorMessage: null, fields: {} });
});

test('an error page in place of a sentence is cut after 200 characters', async () => {
  const page = `<html>${'Bad_gateway.'.repeat(30)}</html>`;
  const { outcome } = await send(answerWith(502, page));
  const errorMessage = `${`502: ${page}`.slice(0, 199)}…`;
  expect(outcome).toEqual({ kind: 'refused', message: null, errorMessage, fields: {} });
  const long = await send(answerWith(503, JSON.stringify({ error: 'x'.repeat(201) })));
  expect(long.outcome).toMatchObject({ message: `${'x'.repeat(199)}…` });
});
