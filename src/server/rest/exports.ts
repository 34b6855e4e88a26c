import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { RouterContext } from '@koa/router';
import { z } from 'zod';
import { leadFilter } from '#shared/admin/adminLeads.ts';
import { providerGroups } from '#shared/admin/adminProviders.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { personFileInput } from '#shared/admin/erasure.ts';
import { exportsBusyHeader } from '#shared/admin/staff.ts';
import { insightsExportInput } from '#shared/admin/insights.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { AppError, toAppError } from '../errors.ts';
import type { ExportFile } from '../features/exports/csv.ts';
import { exportsRouter } from '../features/exports/exportsRouter.ts';
import type { Actor } from '../features/auth/actor.ts';
import { authorize, type StaffAccess } from '../features/auth/authorize.ts';
import { buildCaller, copyHeaders } from '../http/caller.ts';
import type { AppContext, AppState } from '../tenant/tenant.ts';
import type { Caller } from '../caller.ts';
import type { Services } from '../services.ts';
import { callProcedure } from '../procedures.ts';
import { getId, paramsSchema, inputReader, type RestRequest } from './requestInput.ts';
import type { ServerResponse } from 'node:http';

/** A file that staff and scripts may download. */
export interface ExportRoute {
  access: StaffAccess;
  path: string;
  procedure: keyof typeof exportsRouter._def.record;
  type: 'text/csv' | 'application/json';
  /** The procedure's input, if it is not the query's fields. */
  input?: (request: Pick<RestRequest, 'query' | 'params'>) => unknown;
  summary: string;
  description: string;
  params?: z.ZodObject | undefined;
  query: z.ZodObject;
  errors: readonly number[];
}

const personPath = '/api/persons/{id}.json';

const personQuery = searchParams(personFileInput.pick({ samePhone: true, sameMailbox: true }));

const listErrors = [401, 403, 422, 429, 503] as const;

export const exportRoutes: readonly ExportRoute[] = [
  {
    access: { role: 'viewer', scope: 'leads:read' },
    path: '/api/leads.csv',
    procedure: 'leads',
    type: 'text/csv',
    errors: listErrors,
    summary: 'Export leads as CSV',
    description:
      'Every lead that matches the filters of the list, newest first. Cells that a spreadsheet would take for formulas are escaped.',
    query: leadFilter,
  },
  {
    access: { role: 'viewer', scope: 'providers:read' },
    path: '/api/providers.csv',
    procedure: 'providers',
    type: 'text/csv',
    errors: listErrors,
    summary: 'Export providers as CSV',
    description: 'Every active or inactive provider, with its number of leads.',
    query: z.object({
      status: z.enum(providerGroups).optional().meta({ description: 'Which providers' }),
    }),
  },
  {
    access: { role: 'viewer', scope: 'leads:read' },
    path: '/api/insights.csv',
    procedure: 'insights',
    type: 'text/csv',
    errors: listErrors,
    summary: 'Export a chart as CSV',
    description: 'The figures of one chart of the Insights tab, for up to 366 days.',
    query: insightsExportInput,
  },
  {
    access: { role: 'owner', scope: null },
    path: personPath,
    procedure: 'person',
    type: 'application/json',
    errors: [401, 403, 404, 409, 422, 429, 503],
    input: ({ params, query }) => ({
      leadId: getId(personPath, params),
      ...personQuery.input(query),
    }),
    summary: 'Export a person',
    description: 'All data stored about a lead’s person, by table. For owners, for requests by persons.',
    params: paramsSchema(personPath),
    query: z.object({
      samePhone: z.string().optional().meta({
        description:
          'Ids of leads that match by phone only and are this person’s; the file leaves out other leads with that phone',
        example: '13,14',
      }),
      sameMailbox: z.string().optional().meta({
        description:
          'Ids of leads with another spelling of the mailbox, such as a plus tag, or that had the address before staff corrected it, that are this person’s; the file leaves out others',
        example: '15',
      }),
    }),
  },
];

/** The limit for one account or token. */
const atOncePerActorMax = 2;
/** A client that reads nothing for this long is gone, whatever the socket's state. */
const idleMs = 60_000;
/**
 * A cursor keeps its snapshot while it is read. A million leads, about 200 MB, take a quarter of an hour at 2 Mbit/s.
 */
const exportPace: DownloadLimits = {
  waitMsMax: 60_000,
  bytesPerSecondMin: 64 * 1024,
  totalMsMax: 30 * minuteMs,
  checkEveryMs: 1_000,
};

/**
 * Streams a file at the client's pace. Ends the query if the client disconnects, stops or takes too long. A failure
 * before the first rows is an ordinary error; a later one closes the connection, so no partial file looks complete.
 */
async function sendFile(ctx: AppContext, { type }: ExportRoute, { name, chunks }: ExportFile): Promise<void> {
  const { res } = ctx;
  let failure: unknown = null;
  async function* after(first: IteratorResult<string | Buffer, void>): AsyncGenerator<string | Buffer> {
    try {
      if (first.done !== true) yield first.value;
      yield* chunks;
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  try {
    const first = await chunks.next();
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Type': `${type}; charset=utf-8`,
      'Content-Disposition': `attachment; filename="${name}"`,
    });
    ctx.respond = false;
    res.statusCode = 200;
    res.setTimeout(idleMs, () => res.destroy());
    disconnectSlowClient(res, exportPace);
    await pipeline(Readable.from(after(first), { highWaterMark: 1 }), res).catch((error: unknown) => {
      // A client that disconnected is no failure.
      if (failure !== null) throw error;
    });
  } finally {
    await chunks.return();
  }
}

async function open(
  ctx: RouterContext<AppState>,
  { services, caller }: { services: Services; caller: Caller },
  route: ExportRoute,
): Promise<ExportFile> {
  const { params, querystring } = ctx;
  const query = new URLSearchParams(querystring);
  const input =
    route.input?.({ params, query }) ?? inputReader({ ...route, method: 'GET' })({ params, query, body: {} });
  const call = { path: route.procedure, type: 'query', input, ctx: { services, caller } } as const;
  return exportFile.parse(await callProcedure(exportsRouter, call));
}

function isChunks(value: unknown): value is ExportFile['chunks'] {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

const exportFile = z.object({ name: z.string(), chunks: z.custom<ExportFile['chunks']>(isChunks) });

/** The owner of an export. The shared password has no account, so each of its sessions counts separately. */
function actorKey(actor: Actor): string {
  return actor.kind === 'token' ? `token ${actor.tokenId}` : `staff ${actor.accountId ?? actor.sessionId}`;
}

/**
 * Creates the handlers of exports. Access is checked first. Throws SERVICE_UNAVAILABLE above `services.limits.exports`,
 * which leaves connections for others, or above two of one account or token. HEAD only checks this.
 */
export function createExports(
  services: Services,
): (route: ExportRoute) => (ctx: RouterContext<AppState>) => Promise<void> {
  const underWay = new Map<string, number>();

  async function answer(ctx: RouterContext<AppState>, route: ExportRoute): Promise<void> {
    const caller = buildCaller(ctx, 'rest');
    const access = { ...route.access, operation: `exports.${route.procedure}` };
    const allowed = authorize({ services, caller }, access, 'query');
    const actor = actorKey(await allowed.finally(() => copyHeaders(ctx, caller)));
    const own = underWay.get(actor) ?? 0;
    const all = underWay.values().reduce((sum, count) => sum + count, 0);
    if (all >= services.limits.exports || own >= atOncePerActorMax) {
      ctx.set(exportsBusyHeader, '1');
      throw new AppError('SERVICE_UNAVAILABLE', adminMessages.exportFile.busy, { retryAfterSeconds: 60 });
    }
    if (ctx.method === 'HEAD') {
      ctx.set({ 'Cache-Control': 'no-store', 'Content-Type': `${route.type}; charset=utf-8` });
      ctx.status = 200;
      return;
    }
    underWay.set(actor, own + 1);
    try {
      await sendFile(ctx, route, await open(ctx, { services, caller }, route));
    } finally {
      const left = (underWay.get(actor) ?? 1) - 1;
      if (left === 0) underWay.delete(actor);
      else underWay.set(actor, left);
    }
  }

  return (route) => (ctx) =>
    answer(ctx, route).catch((error: unknown) => {
      if (toAppError(error).code === 'UNAUTHORIZED') ctx.set('WWW-Authenticate', 'Bearer');
      throw error;
    });
}

export interface DownloadLimits {
  /**
   * Total milliseconds for which a client may keep us waiting, beyond the time that its bytes take at the minimum pace.
   */
  waitMsMax: number;
  bytesPerSecondMin: number;
  /** Milliseconds from the first byte to the last, at any pace. */
  totalMsMax: number;
  checkEveryMs: number;
}

/**
 * Disconnects a client that stops, reads only a few bytes now and then, or exceeds the total time. Time in which it
 * waits for us doesn't count. Ends with the response or when the returned function is called.
 */
export function disconnectSlowClient(response: ServerResponse, pace: DownloadLimits): () => void {
  const { socket } = response;
  const startedAtMs = performance.now();
  const startBytes = taken(response);
  let checkedAtMs = startedAtMs;
  let waitedMs = 0;

  const timer = setInterval(() => {
    const nowMs = performance.now();
    // Bytes that were just written count as read immediately; otherwise, a fast client would be charged for the moment
    // of the check.
    if (response.writableLength > 0 || (socket?.writableLength ?? 0) > 0) waitedMs += nowMs - checkedAtMs;
    checkedAtMs = nowMs;
    const earnedMs = ((taken(response) - startBytes) / pace.bytesPerSecondMin) * 1000;
    if (waitedMs > pace.waitMsMax + earnedMs || nowMs - startedAtMs > pace.totalMsMax) response.destroy();
  }, pace.checkEveryMs).unref();
  const stop = (): void => clearInterval(timer);
  response.once('close', stop);
  return stop;
}

/** Bytes that the client has received. Node counts buffered bytes as written. */
function taken({ socket }: ServerResponse): number {
  return socket === null ? 0 : socket.bytesWritten - socket.writableLength;
}
