import { type AnyRouter, callTRPCProcedure, initTRPC, TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { ErrorCode } from '#shared/errorCodes.ts';
import { toOperationId } from '#shared/operationId.ts';
import type { StaffRole, TokenScope } from '#shared/admin/staff.ts';
import { readAllWithTimeout, writeWithTimeout } from './db/withTimeout.ts';
import { AppError, toAppError, inputMessage } from './errors.ts';
import type { Actor, StaffActor, TokenActor } from './features/auth/actor.ts';
import { authorize, refuseElsewhere, type StaffAccess } from './features/auth/authorize.ts';
import { requireRecentSignIn } from './features/auth/recentSignIn.ts';
import type { InnerContext, Services } from './services.ts';

/**
 * How REST serves a procedure (rest/routes.ts). Access, input, output and most errors follow from the procedure itself.
 */
export interface RestOperation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `{name}` matches one segment. */
  path: string;
  /** A few words: what it does. */
  summary: string;
  /** Sentences: what happens, what comes back, what is special. */
  description: string;
  /** 200 by default. */
  status?: 201;
  /** `revalidate`: ETag and 304. `no-store` by default. */
  caching?: 'revalidate';
  /** Parses the query of a request other than GET. A GET's query is the procedure's input. */
  query?: z.ZodObject;
  /** The body is a list under this name, a bare list, or one JSON object per line, of at most this size. */
  list?: { name: string; bytesMax: number; rowsMax: number };
  /** For a public operation: the scope that allows a token more. */
  optionalScope?: TokenScope;
  /** It doesn't use the database, so it never returns 503. */
  withoutDatabase?: true;
  /** Additional error statuses. */
  errors?: readonly number[];
  /** What it returns, where the procedure doesn't check it row by row. */
  output?: z.ZodType;
}

/** Who may call a procedure; without `access`, anyone. */
export interface ProcedureMeta {
  /** Without it the procedure is available by tRPC only. */
  rest?: RestOperation;
  access?: StaffAccess;
  /** Staff must have signed in, or confirmed who they are, within minutes (features/auth/recentSignIn.ts). */
  needsRecentSignIn?: true;
  /** A mutation that changes nothing and has a query's deadline. */
  reads?: true;
  /** No deadline: it calls other servers or changes many records, and staff wait for it. */
  noDeadline?: true;
  /** Its cost in a batch, out of batchCostMax (mount.ts), also by its unchecked input; 1 by default. */
  cost?: number | ((input: unknown) => number);
}

// For every schema of this process. A schema's own message comes first.
z.config({ customError: inputMessage });

const t = initTRPC
  .context<InnerContext>()
  .meta<ProcedureMeta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => {
      const { code, message, fields, reason } = fromTrpcError(error);
      return {
        ...shape,
        message,
        // No stack in any environment.
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          path: shape.data.path,
          appCode: code,
          error: message,
          errors: fields ?? null,
          reason: reason ?? null,
          requestId: ctx?.caller.requestId ?? null,
        },
      };
    },
  });

/** The first message of each field from Zod's issues. */
function fieldErrors(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[String(issue.path[0] ?? '')] ??= issue.message;
  return fields;
}

/** Converts tRPC's errors: invalid input is 422 with fields, tRPC's own errors keep their code, others are masked. */
export function fromTrpcError(error: TRPCError): AppError {
  const { cause } = error;
  if (cause instanceof AppError) return cause;
  if (error.code === 'BAD_REQUEST' && cause instanceof z.ZodError) {
    const fields = fieldErrors(cause);
    if ('' in fields) return new AppError('BAD_REQUEST', 'The input must be an object.');
    return new AppError('UNPROCESSABLE_CONTENT', Object.values(fields)[0] ?? 'The input is not valid.', {
      fields,
    });
  }
  const passed: Partial<Record<TRPCError['code'], [ErrorCode, string]>> = {
    PARSE_ERROR: ['BAD_REQUEST', 'The body is not valid JSON.'],
    BAD_REQUEST: ['BAD_REQUEST', 'The request is not valid.'],
    NOT_FOUND: ['NOT_FOUND', 'No such procedure.'],
    METHOD_NOT_SUPPORTED: ['METHOD_NOT_SUPPORTED', 'The procedure does not take this method.'],
    UNAUTHORIZED: ['UNAUTHORIZED', 'Sign in first.'],
    FORBIDDEN: ['FORBIDDEN', 'Not allowed.'],
    PAYLOAD_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'The body is too large.'],
    UNSUPPORTED_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Send JSON.'],
  };
  const known = passed[error.code];
  return known === undefined
    ? toAppError(cause ?? error)
    : new AppError(known[0], known[1], { cause: error });
}

/** Runs a procedure for REST. Throws AppError. */
export async function callProcedure(
  router: AnyRouter,
  { path, type, input, ctx }: { path: string; type: 'query' | 'mutation'; input: unknown; ctx: InnerContext },
): Promise<unknown> {
  const getRawInput = () => Promise.resolve(input);
  const call = { router, path, type, getRawInput, ctx, signal: undefined, batchIndex: 0 };
  try {
    const output: unknown = await callTRPCProcedure(call);
    return output;
  } catch (error) {
    throw error instanceof TRPCError ? fromTrpcError(error) : error;
  }
}

/** Converts each AppError to tRPC's error with the same HTTP status, so that both transports respond alike. */
const mapErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  const error = fromTrpcError(result.error);
  throw new TRPCError({ code: error.code, message: error.message, cause: error });
});

/**
 * Limits the wait for the database: two seconds for a query; for a change, until the database is known to be down, at
 * most eight seconds. For staff the limit starts after `authorize`, and their queries may take longer.
 */
const withTimeout = t.middleware(({ ctx, type, meta, next }) => {
  if (meta?.access !== undefined) return next();
  return type === 'mutation' && meta?.reads !== true
    ? writeWithTimeout(ctx.services.health, next)
    : readAllWithTimeout(next, ctx.caller.waitedMs);
});

export const router = t.router;

/** Anyone, on any host. */
export const publicProcedure = t.procedure.use(mapErrors).use(withTimeout);

/** On the main site, for anyone; NOT_FOUND elsewhere. */
export const mainSiteProcedure = publicProcedure.use(({ ctx, next }) => {
  refuseElsewhere(ctx.caller);
  return next();
});

/** An action of staff or their script: services, actor and address. The audit log records the last two. */
export interface StaffAction<By extends Actor = Actor> {
  services: Services;
  actor: By;
  ip: string;
}

/** A procedure for these kinds of callers with this access. A change has the usual deadline unless marked as long. */
function authorizedProcedure<By extends Actor>(access: StaffAccess, kinds: readonly Actor['kind'][]) {
  const isAllowed = (actor: Actor): actor is By => kinds.includes(actor.kind);
  return publicProcedure.meta({ access }).use(async ({ ctx, type, meta, path, next }) => {
    const { services, caller } = ctx;
    const actor = await authorize(ctx, { ...access, operation: toOperationId(path) }, type);
    if (!isAllowed(actor)) throw new AppError('FORBIDDEN', 'Not allowed.');
    if (meta?.needsRecentSignIn === true) requireRecentSignIn(actor, services.now());
    const staffAction: StaffAction<By> = { services, actor, ip: caller.ip };
    const proceed = () => next({ ctx: { actor, staffAction } });
    const hasDeadline = type === 'mutation' && meta?.noDeadline !== true;
    return hasDeadline ? writeWithTimeout(services.health, proceed) : proceed();
  });
}

/** Requires a staff session with at least this role; a token isn't accepted. */
export function staffProcedure(role: StaffRole) {
  return authorizedProcedure<StaffActor>({ role, scope: null }, ['staff']);
}

/** Requires a staff session with at least this role, or a token with the scope. */
export function staffOrToken(role: StaffRole, scope: TokenScope) {
  return authorizedProcedure<Actor>({ role, scope }, ['staff', 'token']);
}

/** Requires a token with the scope; a staff session of any role isn't accepted. */
export function tokenProcedure(scope: TokenScope) {
  return authorizedProcedure<TokenActor>({ role: null, scope }, ['token']);
}
