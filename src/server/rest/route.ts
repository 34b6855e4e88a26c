import type { z } from 'zod';
import type { StaffRole, TokenScope } from '#shared/admin/staff.ts';
import type { PreparedJson } from '../features/providers/activeList.ts';
import type { Services } from '../services.ts';
import type { AppRouter } from '../trpc/root.ts';
import type { PlainForm } from './plainForms.ts';
import type { JsonObject } from './requestBody.ts';

export interface RestRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  /** Empty for GET. */
  body: JsonObject;
}

type Routers = AppRouter['_def']['record'];
/** `leads.create`, as tRPC names it. */
export type ProcedurePath = {
  [Name in keyof Routers]: `${Name}.${keyof Routers[Name] & string}`;
}[keyof Routers];

interface Place {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `{name}` stands for one segment. */
  path: string;
}

/** Who may call a row: anyone, or staff of at least a role and tokens with a scope (null: no token). The same as its procedure says; a test compares them. */
export type RouteAccess = 'public' | { role: StaffRole; scope: TokenScope | null };

/** A row: where, which procedure, how the request becomes its input, what it answers. The schemas are for the OpenAPI document. */
export interface ProcedureRoute extends Place {
  access: RouteAccess;
  /** Of a public row that answers without a token as well: the scope by which a token allows more. */
  optionalScope?: TokenScope;
  procedure: ProcedurePath;
  type: 'query' | 'mutation';
  input: (request: RestRequest) => unknown;
  status: 200 | 201;
  /** `revalidate`: ETag and 304. */
  caching: 'revalidate' | 'no-store';
  /** The same answer from memory; null when this request must go through the procedure. */
  prepared?: (request: RestRequest, services: Services) => Promise<PreparedJson> | null;
  /** Also takes a browser's plain form and answers it with a page. */
  plainForm?: PlainForm;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** A request may come without one. */
  bodyOptional?: boolean;
  /** The body is a list under this name. It may also come bare, or as one JSON object a line, and be this large. */
  list?: { name: string; bytesMax: number };
  output: z.ZodType;
  /** What else it answers, as problem+json. */
  errors: readonly number[];
}
