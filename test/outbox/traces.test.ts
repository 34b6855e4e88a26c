import { expect, test } from 'vitest';
import { testEndpoint } from '#server/features/webhooks/endpoints.ts';
import { continueTrace } from '#server/log.ts';
import { hourMs } from '#shared/formats/time.ts';
import { buildLines } from '#test/support/logLines.ts';
import { deliverOne, setUpDeliveries } from '#test/support/outboxSetup.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';
import { testDb } from '#test/support/testDb.ts';
import { eventSetup } from '#test/support/webhookSetup.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

function getTraceId(traceparent = ''): string | undefined {
  return /^00-([0-9a-f]{32})-[0-9a-f]{16}-01$/.exec(traceparent)?.[1];
}

test('each attempt is sent with a trace of its own, which its log line names', async () => {
  await using given = await setUpDeliveries(answers(503));
  const { log, lines } = buildLines();
  const { id, lead } = await given.queue();
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await deliverOne({ ...given.services, log }, id);
    given.clock.ms += hourMs;
  }
  const sent = given.receiver.received.map(({ headers }) => getTraceId(headers['traceparent']));
  expect(new Set(sent).size).toBe(2);
  expect(sent).not.toContain(undefined);
  const attempts = lines().filter(({ event }) => event === 'delivery.attempted');
  expect(attempts).toEqual(
    sent.map((sentId) =>
      expect.objectContaining({
        traceId: sentId,
        deliveryId: id,
        channel: 'crm',
        outcome: 'failed',
        status: 'HTTP 503',
      }),
    ),
  );
  expect(JSON.stringify(attempts)).not.toContain(lead.email);
});

test('an attempt that staff request belongs to the trace of their request', async () => {
  await using database = await testDb();
  await using receiver = await startReceiver();
  const { addEndpoint, staffAction } = eventSetup(database);
  const { endpoint } = await addEndpoint(receiver.url);
  await continueTrace(`00-${traceId}-00f067aa0ba902b7-01`, () => testEndpoint(staffAction, endpoint.id));
  expect(receiver.received.map(({ headers }) => getTraceId(headers['traceparent']))).toEqual([traceId]);
});
