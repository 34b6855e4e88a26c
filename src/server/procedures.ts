import { initTRPC, TRPCError } from '@trpc/server';
import { z } from 'zod';
import type { ErrorCode } from '#shared/errorCodes.ts';
import type { StaffRole, TokenScope } from '#shared/admin/staff.ts';
import { readAllWithTimeout, writeWithTimeout } from './db/withTimeout.ts';
import { AppError, toAppError } from './errors.ts';
import type { Actor, StaffActor } from './features/auth/actor.ts';
import { authorize, refuseElsewhere, type StaffAccess } from './features/auth/authorize.ts';
import type { InnerContext } from './caller.ts';
import type { Services } from './services.ts';

/** How REST serves a procedure (rest/routes.ts). The rest follows from the procedure: access, input, output, and most refusals. */
export interface RestOperation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `{name}` is one segment. */
  path: string;
  summary: string;
  /** 200 when left out. */
  status?: 201;
  /** `revalidate`: ETag and 304; `no-store` when left out. */
  caching?: 'revalidate';
  /** Reads the fields that a request other than GET may send in its query; those of a GET are the procedure's input. */
  query?: z.ZodObject;
  /** The body is a list under this name. It may also be sent bare, or as one JSON object a line, and be this large. */
  list?: { name: string; bytesMax: number };
  /** Of a public operation: the scope by which a token allows more. */
  optionalScope?: TokenScope;
  /** It answers without the database, so never 503. */
  withoutDatabase?: true;
  /** Statuses of refusals that the rest does not imply. */
  errors?: readonly number[];
}

/** What a procedure says about its callers; without `access` anyone may call it. */
export interface ProcedureMeta {
  /** Without it the procedure is reachable by tRPC only. */
  rest?: RestOperation;
  access?: StaffAccess;
  /** A mutation that changes nothing: it has a query's deadline. */
  reads?: true;
  /** Staff wait for it to end, however long it takes: it works on other servers or on many records. */
  unhurried?: true;
  /** What it counts in a batch, in parts of batchCostMax (mount.ts); 1 when left out. */
  cost?: number;
}

const t = initTRPC
  .context<InnerContext>()
  .meta<ProcedureMeta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => {
      const { code, message, fields } = fromTrpcError(error);
      return {
        ...shape,
        message,
        // No stack, whatever NODE_ENV says.
        data: {
          code: shape.data.code,
          httpStatus: shape.data.httpStatus,
          path: shape.data.path,
          appCode: code,
          error: message,
          errors: fields ?? null,
          requestId: ctx?.caller.requestId ?? null,
        },
      };
    },
  });

/** Zod's issues as messages by field, the first of each. */
function fieldErrors(error: z.ZodError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const issue of error.issues) fields[String(issue.path[0] ?? '')] ??= issue.message;
  return fields;
}

/** The AppError behind whatever tRPC caught: a wrong input is 422 with its fields, tRPC's own refusals keep their code, the rest is masked. */
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

/** Gives each AppError its HTTP status in tRPC's terms, so that every transport answers alike. */
const mapErrors = t.middleware(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  const error = fromTrpcError(result.error);
  throw new TRPCError({ code: error.code, message: error.message, cause: error });
});

/**
 * Bounds what anyone waits for the database: a query two seconds, a change until the database is known to be down, eight seconds at most. For staff
 * this begins once `authorize` has let them in, and their queries may take longer.
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

/** On the main site, to anyone; elsewhere nothing tells that it exists. */
export const mainSiteProcedure = publicProcedure.use(({ ctx, next }) => {
  refuseElsewhere(ctx.caller);
  return next();
});

/** A change by staff has the deadline of any other, unless it is a long one. */
function staffWithTimeout<Result>(
  { services }: InnerContext,
  { type, meta }: { type: 'query' | 'mutation' | 'subscription'; meta: ProcedureMeta | undefined },
  work: () => Promise<Result>,
): Promise<Result> {
  const isHurried = type === 'mutation' && meta?.unhurried !== true;
  return isHurried ? writeWithTimeout(services.health, work) : work();
}

/** A change or view by staff or their script: with what, by whom, from which address. The audit log records the last two. */
export interface StaffAction<By extends Actor = Actor> {
  services: Services;
  actor: By;
  ip: string;
}

function staffContext<By extends Actor>({ services, caller }: InnerContext, actor: By) {
  const staffAction: StaffAction<By> = { services, actor, ip: caller.ip };
  return { ctx: { actor, staffAction } };
}

function isStaff(actor: Actor): actor is StaffActor {
  return actor.kind === 'staff';
}

/** Staff signed in with at least this role; no token will do. */
export function staffProcedure(role: StaffRole) {
  const access: StaffAccess = { role, scope: null };
  return publicProcedure.meta({ access }).use(async ({ ctx, type, meta, next }) => {
    const actor = await authorize(ctx, access, type);
    if (!isStaff(actor)) throw new AppError('FORBIDDEN', 'Not allowed.');
    return staffWithTimeout(ctx, { type, meta }, () => next(staffContext(ctx, actor)));
  });
}

/** The same, or a script whose token has the scope. */
export function staffOrToken(role: StaffRole, scope: TokenScope) {
  const access: StaffAccess = { role, scope };
  return publicProcedure.meta({ access }).use(async ({ ctx, type, meta, next }) => {
    const actor = await authorize(ctx, access, type);
    return staffWithTimeout(ctx, { type, meta }, () => next(staffContext(ctx, actor)));
  });
}
