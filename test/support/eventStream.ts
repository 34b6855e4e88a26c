import { type IncomingHttpHeaders, request } from 'node:http';
import { liveIds } from '#shared/admin/staff.ts';
import { waitUntil } from './waitFor.ts';

interface StreamEvent {
  id: string | undefined;
  event: string;
  ids: number[];
}

/** What a browser's EventSource makes of `GET /api/events`, without its reconnecting. */
export interface EventStream {
  status: number;
  headers: IncomingHttpHeaders;
  /** The body so far. */
  text: () => string;
  events: () => StreamEvent[];
  /** The ids of leads so far. */
  ids: () => number[];
  hasEnded: () => boolean;
  close: () => void;
}

/** Opens a stream as staff with these headers. Of a refusal, the whole body has arrived. */
export function openStream(
  port: number,
  headers: Record<string, string>,
  host = 'localhost',
): Promise<EventStream> {
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ host: '127.0.0.1', port, path: '/api/events', agent: false },
      headers: { host: `${host}:${port}`, ...headers },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      let body = '';
      let hasEnded = false;
      response.setEncoding('utf8');
      response.on('data', (text: string) => (body += text));
      // A cut connection is an end.
      response.on('error', () => undefined);
      response.on('close', () => (hasEnded = true));
      const events = (): StreamEvent[] => body.split('\n\n').slice(0, -1).flatMap(readEvent);
      const status = response.statusCode ?? 0;
      const stream = {
        status,
        headers: response.headers,
        text: () => body,
        events,
        ids: () => events().flatMap(({ ids }) => ids),
        hasEnded: () => hasEnded,
        close: () => asked.destroy(),
      };
      if (status === 200) resolve(stream);
      else waitUntil(() => hasEnded).then(() => resolve(stream), reject);
    });
    asked.end();
  });
}

function readEvent(block: string): StreamEvent[] {
  const fields = new Map(
    block.split('\n').map((line) => [line.split(': ', 1)[0], line.replace(/^\w+: /, '')]),
  );
  const event = fields.get('event');
  if (event === undefined) return [];
  return [{ id: fields.get('id'), event, ...liveIds.parse(JSON.parse(fields.get('data') ?? '')) }];
}
