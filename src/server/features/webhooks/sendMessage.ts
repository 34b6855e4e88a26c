import type { Services } from '#server/services.ts';
import { eventBody } from './eventBody.ts';
import { secretsOf } from './endpointSecret.ts';
import type { TakenMessage } from './messageQueue.ts';
import { type Attempt, postMessage } from './postMessage.ts';
import { signedHeaders } from './signedHeaders.ts';

export type EventServices = Pick<Services, 'config' | 'dataKeys' | 'db' | 'log' | 'now'>;

export interface SendOptions {
  signal: AbortSignal;
  /** For one try; less in tests. */
  limitMs?: number;
}

/** The `webhook-id` of an event's messages. */
export function webhookIdOf(eventId: string): string {
  return `msg_${eventId}`;
}

/** Sends a message once, signed anew. What it finds wrong itself is told like a failure of the far side. */
export async function sendMessage(
  services: EventServices,
  { event, endpoint }: TakenMessage,
  { signal, limitMs }: SendOptions,
): Promise<Attempt> {
  const { config, now } = services;
  const at = now();
  const secrets = secretsOf(config.secretKeys, endpoint, at);
  if (secrets.length === 0)
    return unsent('The signing secret can’t be read since SECRET_KEYS was changed: rotate it.');
  if (config.production && !endpoint.url.startsWith('https:'))
    return unsent('Only https addresses are sent to.');
  const body = await eventBody(services, event, endpoint.payload);
  return postMessage({
    url: endpoint.url,
    body,
    headers: signedHeaders({ id: webhookIdOf(event.id), body, secrets, now: at }),
    allowLoopback: !config.production,
    signal,
    now: at,
    ...(limitMs === undefined ? {} : { limitMs }),
  });
}

function unsent(reason: string): Attempt {
  return {
    ...{ delivered: false, reason, permanent: true, gone: false, retryAfterSeconds: null },
    ...{ status: null, answer: null, durationMs: 0, late: false },
  };
}
