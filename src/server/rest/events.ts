import type { RouterContext } from '@koa/router';
import { AppError, toAppError } from '../errors.ts';
import { authorize } from '../features/auth/authorize.ts';
import { buildCaller, copyHeaders } from '../http/caller.ts';
import type { Services } from '../services.ts';
import type { AppState } from '../tenant/tenant.ts';

/** How long a browser waits before it connects again, and after it had too many streams. */
const retryMs = 2_000;
const replacedRetryMs = 60_000;

/**
 * The stream of new leads for a signed-in dashboard, as server-sent events with ids only. It is no use of the session.
 * `Last-Event-ID` resumes. HEAD only checks access.
 */
export function createEvents(services: Services): (ctx: RouterContext<AppState>) => Promise<void> {
  return async (ctx) => {
    const asked = buildCaller(ctx, 'rest');
    const caller = { ...asked, credentials: { ...asked.credentials, isBackground: true } };
    const access = { role: 'viewer', scope: null, operation: 'events.read' } as const;
    const actor = await authorize({ services, caller }, access, 'query')
      .finally(() => copyHeaders(ctx, caller))
      .catch((error: unknown) => {
        if (toAppError(error).code === 'UNAUTHORIZED') ctx.set('WWW-Authenticate', 'Bearer');
        throw error;
      });
    if (actor.kind !== 'staff') throw new AppError('FORBIDDEN', 'Not allowed.');
    const { req, res } = ctx;
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Nginx would hold events back.
      'X-Accel-Buffering': 'no',
    });
    ctx.status = 200;
    if (ctx.method === 'HEAD') return;
    ctx.respond = false;
    const stop = services.newLeads.watch(
      {
        actor,
        send: (event, ids, position) => {
          const id = Number.isFinite(position) ? `id: ${position}\n` : '';
          res.write(`${id}event: ${event}\ndata: ${JSON.stringify({ ids })}\n\n`);
        },
        end: (cause) => {
          stop();
          res.end(cause === 'replaced' ? `retry: ${replacedRetryMs}\n\n` : '');
        },
      },
      readPosition(ctx.get('Last-Event-ID')),
    );
    res.write(`retry: ${retryMs}\n\n`);
    // The server keeps half-closed connections, as a browser that closes a stream leaves it.
    const close = (): void => void res.end();
    req.socket.once('end', close);
    res.once('close', () => {
      stop();
      req.socket.off('end', close);
    });
    // The client may have left while its access was checked.
    if (res.closed) stop();
    if (req.socket.readableEnded) close();
  };
}

function readPosition(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}
