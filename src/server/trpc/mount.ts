import { once } from 'node:events';
import { fetchRequestHandler } from '@trpc/server/adapters/fetch';
import { nodeHTTPRequestHandler } from '@trpc/server/adapters/node-http';
import { TRPCError } from '@trpc/server';
import type { TRPCRequestInfo } from '@trpc/server/http';
import { z } from 'zod';
import { uploadBodyMax } from '#shared/admin/sync.ts';
import { asksForAll, providerListInput } from '#shared/providers/providerList.ts';
import { AppError } from '../errors.ts';
import type { PreparedJson } from '../cache/preparedJson.ts';
import { buildCaller } from '../http/caller.ts';
import { getOrigin } from '../http/requestHeaders.ts';
import { sendPrepared, setCompressed } from '../http/sendJson.ts';
import type { AppContext, AppMiddleware } from '../tenant/tenant.ts';
import type { InnerContext, Services } from '../services.ts';
import { fromTrpcError } from '../procedures.ts';
import { logFailure } from '../http/errorBoundary.ts';
import { appRouter } from './root.ts';
import { toOperationId } from '#shared/operationId.ts';

const prefix = '/trpc/';
const listPath = `${prefix}providers.list`;
const bodyBytesMax = 32 * 1024;
/** Procedures with a file in their input. Only staff may call them, and bodies are read after that is known. */
const largeBodies: ReadonlyMap<string, number> = new Map([['admin.ownProviders.upload', uploadBodyMax]]);
/** The total cost of the calls in one batch, so that one request is not worth many. */
const batchCostMax = 10;
/** Longer batches are rejected before their procedures are looked up. */
const batchSizeMax = 100;
const costOption = z
  .object({
    cost: z.union([z.number(), z.custom<(input: unknown) => number>((cost) => typeof cost === 'function')]),
  })
  .transform(({ cost }) => cost)
  .catch(1);

/** What a call of a batch costs. Input that can't be read is refused later. */
async function readCost({ procedure, getRawInput }: TRPCRequestInfo['calls'][number]): Promise<number> {
  const cost = costOption.parse(procedure?.meta);
  if (typeof cost === 'number') return cost;
  return cost(await getRawInput().catch(() => undefined));
}

/** Throws BAD_REQUEST for a batch above the limit. */
async function limitBatch({ isBatchCall, calls }: TRPCRequestInfo): Promise<void> {
  if (!isBatchCall) return;
  const costs = await Promise.all(calls.map((call) => readCost(call)));
  const cost = costs.reduce((sum, one) => sum + one, 0);
  if (cost <= batchCostMax) return;
  const message = `The batch costs ${cost} of at most ${batchCostMax}. Send fewer calls in one request.`;
  throw new TRPCError({
    code: 'BAD_REQUEST',
    message,
    cause: new AppError('BAD_REQUEST', message),
  });
}

/** The one query with a response in memory; null for any other request, and if the list is too long for that. */
async function preparedAnswer(ctx: AppContext, { providers }: Services): Promise<PreparedJson | null> {
  if (ctx.method !== 'GET' || ctx.path !== listPath) return null;
  const query = new URLSearchParams(ctx.querystring);
  if (query.get('batch') === '1') return null;
  const input = jsonQuery.pipe(providerListInput).safeParse(query.get('input') ?? '{}');
  return input.data?.status === 'active' && asksForAll(input.data)
    ? providers.activeList.getEnvelope()
    : null;
}

const jsonQuery = z.string().transform((text, issues): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    issues.addIssue('not JSON');
    return z.NEVER;
  }
});

/** tRPC decodes the path itself and treats a malformed one as its own failure. */
function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Mutations use POST with JSON from the same origin. Queries use GET, or POST to keep their input out of URLs. A form
 * or a foreign page can send no POST.
 */
function guard(ctx: AppContext): void {
  if (ctx.method !== 'GET' && ctx.method !== 'POST') {
    ctx.set('Allow', 'GET, POST');
    throw new AppError('METHOD_NOT_SUPPORTED', 'Use GET or POST for queries and POST for mutations.');
  }
  if (!isDecodable(ctx.path)) throw new AppError('BAD_REQUEST', 'The path is not valid.');
  if (ctx.method !== 'POST') return;
  if (getOrigin(ctx) === 'foreign')
    throw new AppError('FORBIDDEN', 'Requests from other sites are not accepted.');
  if (ctx.is('application/json') === false)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send application/json.');
  if (ctx.req.readableEnded) throw new AppError('BAD_REQUEST', 'The body is not valid JSON.');
  const bytesMax = getBodyMax(ctx);
  if ((ctx.length ?? 0) > bytesMax)
    throw new AppError(
      'PAYLOAD_TOO_LARGE',
      `The body must be at most ${Math.floor(bytesMax / 1024).toLocaleString('en-US')} KiB.`,
    );
}

function getBodyMax({ path }: AppContext): number {
  return largeBodies.get(path.slice(prefix.length)) ?? bodyBytesMax;
}

/** The only bridge from Koa to tRPC. Its own errors go to the error boundary, procedures' errors to procedures.ts. */
export function createTrpc({ services }: { services: Services }): AppMiddleware {
  const { log } = services;

  /** What both adapters need. */
  function getOptions(ctx: AppContext) {
    const context: InnerContext = { services, caller: buildCaller(ctx, 'trpc') };
    return {
      router: appRouter,
      async createContext({ info }: { info: TRPCRequestInfo }) {
        await limitBatch(info);
        return context;
      },
      allowMethodOverride: true,
      maxBatchSize: batchSizeMax,
      responseMeta({ errors }: { errors: TRPCError[] }) {
        const headers = new Headers([...context.caller.responseHeaders]);
        for (const cookie of context.caller.responseCookies) headers.append('Set-Cookie', cookie);
        headers.set('Cache-Control', 'no-store');
        const waits = errors.map((error) => fromTrpcError(error).retryAfterSeconds ?? 0);
        if (Math.max(0, ...waits) > 0) headers.set('Retry-After', String(Math.ceil(Math.max(...waits))));
        return { headers };
      },
      onError: ({ error, path }: { error: TRPCError; path: string | undefined }) =>
        logFailure(log, fromTrpcError(error), { requestId: context.caller.requestId, procedure: path }),
    };
  }

  async function answer(ctx: AppContext): Promise<void> {
    guard(ctx);
    const options = getOptions(ctx);
    // tRPC writes the response itself, and a status only if it is still 200. Koa's default is 404.
    ctx.respond = false;
    ctx.res.statusCode = 200;
    // tRPC's promise never settles if the client disconnects before the response is sent; `close` always fires.
    const closed = once(ctx.res, 'close');
    const path = toCurrentPath(ctx.path.slice(prefix.length));
    await Promise.race([
      nodeHTTPRequestHandler({ ...options, req: ctx.req, res: ctx.res, path, maxBodySize: getBodyMax(ctx) }),
      closed,
    ]);
  }

  /** The parts of the list of providers are large, and tRPC's own response isn't compressed. */
  async function answerList(ctx: AppContext): Promise<void> {
    const req = new Request(`http://localhost${ctx.path}?${ctx.querystring}`);
    const response = await fetchRequestHandler({ ...getOptions(ctx), endpoint: prefix.slice(0, -1), req });
    ctx.status = response.status;
    ctx.set(Object.fromEntries(response.headers));
    await setCompressed(ctx, await response.text());
  }

  return async (ctx, next) => {
    if (!ctx.path.startsWith(prefix)) return next();
    const prepared = await preparedAnswer(ctx, services);
    if (prepared !== null) return sendPrepared(ctx, prepared);
    return ctx.method === 'GET' && ctx.path === listPath ? answerList(ctx) : answer(ctx);
  };
}

const procedures = Object.keys(Reflect.get(Reflect.get(appRouter, '_def'), 'procedures'));
const byFormerName = new Map(procedures.map((procedure) => [toOperationId(procedure), procedure]));

/**
 * The path of a tRPC call or batch with today's names: 1.0.x's dashboards, open in a browser since before an upgrade,
 * call `adminLeads.list` for `admin.leads.list`. May go with 2.0.0, as may the reverse in client/api/trpc.ts.
 */
function toCurrentPath(path: string): string {
  const names = decodeURIComponent(path).split(',');
  return names.map((name) => encodeURIComponent(byFormerName.get(name) ?? name)).join(',');
}
