import { expect } from 'vitest';
import type { Received, Receiver } from '#test/support/receiver.ts';
import { numbered } from './goldenFiles.ts';

/** Waits for so many requests in all and returns the newest. */
export async function nthRequest({ received }: Receiver, count: number): Promise<Received> {
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(count);
  const request = received[count - 1];
  if (request === undefined) throw new Error('the request is gone');
  return request;
}

/** Headers of which a golden file shows the form only. */
const forms: Readonly<Record<string, [RegExp, string]>> = {
  'content-length': [/^\d+$/, '<length>'],
  traceparent: [/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/, '<trace>'],
  'webhook-timestamp': [/^\d{10}$/, '<seconds>'],
  'webhook-signature': [/^v1,[A-Za-z0-9+/]{43}=$/, 'v1,<signature>'],
};

function headerForm(name: string, value: string): string {
  const [pattern, form] = forms[name] ?? [null, ''];
  return pattern === null ? value : value.replace(pattern, form);
}

/** They are the connection's, not the request's. */
const omitted = ['connection', 'host'];

interface RequestForm {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: unknown;
}

/** The same value with sorted keys: a receiver of JSON depends on no order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/** What an integrator depends on of a request. */
export function requestForm({ method, path, headers, body }: Received): RequestForm {
  const names = Object.keys(headers)
    .filter((name) => !omitted.includes(name))
    .toSorted();
  return {
    method,
    path,
    headers: Object.fromEntries(names.map((name) => [name, headerForm(name, headers[name] ?? '')])),
    body: sorted(JSON.parse(body)),
  };
}

/** Requests by the name of the case, with ids and instants numbered. */
export function requestsText(requests: Readonly<Record<string, RequestForm>>): string {
  return numbered(`${JSON.stringify(requests, null, 2)}\n`);
}
