import { createTRPCClient, httpLink, type Operation, TRPCClientError } from '@trpc/client';
import type { AppRouter } from '#server/trpc/root.ts';
import { accountHeader, backgroundHeader } from '#shared/admin/staff.ts';
import type { ErrorReason } from '#shared/errorCodes.ts';
import { toOperationId } from '#shared/operationId.ts';
import { ApiError, noDataMessage } from './apiError.ts';

export { ApiError } from './apiError.ts';
export type { AppRouter } from '#server/trpc/root.ts';

/**
 * tRPC without hooks. Load it with `await import('#client/api/trpc.ts')` for the first request. A call's `context:
 * { idempotencyKey }` becomes the Idempotency-Key header; `isBackground: true` marks a request without a user's action.
 */
export const trpcClient = createTRPCClient<AppRouter>({ links: [apiLink()] });

/** The link of the plain client. It sends calls one by one, because in a batch the slowest delays the others. */
export function apiLink(url = '/trpc') {
  return httpLink<AppRouter>(linkOptions(url));
}

interface AdminLinkOptions {
  /** Of the page. */
  account?: string | null;
  /** Asks who is signed in to prove it again. False: they didn't. */
  confirm?: () => Promise<boolean>;
}

const recentSignIn: ErrorReason = 'recent-sign-in';

/** The link of the staff's hooks. Queries are POSTs: URLs with searches reach proxy logs. */
export function adminLink(
  url = '/trpc',
  { account = null, confirm = () => Promise.resolve(false) }: AdminLinkOptions = {},
) {
  const options = linkOptions(url);
  return httpLink<AppRouter>({
    ...options,
    fetch: async (...request) => {
      try {
        return await checkedFetch(...request);
      } catch (error) {
        const isStale = error instanceof ApiError && error.reason === recentSignIn;
        if (!isStale || !(await confirm())) throw error;
        return checkedFetch(...request);
      }
    },
    headers: (call) => ({
      ...options.headers(call),
      ...(account === null ? {} : { [accountHeader]: account }),
    }),
    methodOverride: 'POST',
  });
}

function linkOptions(url: string) {
  return {
    url,
    fetch: (...request: Parameters<LinkFetch>) => checkedFetch(...request),
    headers: ({ op }: { op: Operation }) => callHeaders(op),
  };
}

/** Any thrown value as an ApiError. Without a status, no response arrived. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TRPCClientError) {
    if (error.cause instanceof ApiError) return error.cause;
    const shape: unknown = error.shape;
    const status: unknown = error.data?.httpStatus;
    if (typeof status === 'number')
      return new ApiError(status, JSON.stringify({ error: shape }), { cause: error });
  }
  return new ApiError(null, error instanceof Error ? error.message : String(error), { cause: error });
}

function callHeaders({ context }: Operation): Record<string, string> {
  const key = context['idempotencyKey'];
  return {
    ...(typeof key === 'string' ? { 'Idempotency-Key': key } : {}),
    ...(context['isBackground'] === true ? { [backgroundHeader]: '1' } : {}),
  };
}

/** During an upgrade, a process of 1.0.x may answer: it knows a procedure only by its former name. */
function toFormerUrl(url: string): string {
  return url.replace(/(?<=\/trpc\/)[\w.]+/, toOperationId);
}

type LinkFetch = NonNullable<Parameters<typeof httpLink>[0]['fetch']>;

/** Turns a bad status or an empty body into an ApiError before tRPC reads it and loses the response's message. */
const checkedFetch: LinkFetch = async (input, init = {}) => {
  const { signal, ...request } = init;
  const send = (url: typeof input) =>
    fetch(url, { ...request, signal: signal ?? null, credentials: 'include' });
  let response = await send(input);
  let body = await response.clone().text();
  const formerUrl = typeof input === 'string' ? toFormerUrl(input) : input;
  if (response.status === 404 && formerUrl !== input && body.includes('No such procedure.')) {
    response = await send(formerUrl);
    body = await response.clone().text();
  }
  const { ok, status, statusText } = response;
  if (!ok) throw new ApiError(status, body === '' ? statusText : body, { statusText });
  if (body === '') throw new ApiError(null, noDataMessage);
  return response;
};
