import { z } from 'zod';

/** A JSON schema, as far as the reference page shows it. */
export interface Schema {
  $ref?: string | undefined;
  description?: string | undefined;
  type?: string | string[] | undefined;
  format?: string | undefined;
  enum?: unknown[] | undefined;
  const?: unknown;
  default?: unknown;
  items?: Schema | undefined;
  properties?: Record<string, Schema> | undefined;
  required?: string[] | undefined;
  anyOf?: Schema[] | undefined;
  oneOf?: Schema[] | undefined;
  allOf?: Schema[] | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  maxItems?: number | undefined;
}

/** Not checked in depth: this process made it. */
const schema = z.custom<Schema>((value) => typeof value === 'object' && value !== null);

const media = z.object({
  schema: schema.optional(),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
});
const content = z.record(z.string(), media).default({});

const operation = z.object({
  operationId: z.string(),
  summary: z.string().default(''),
  description: z.string().default(''),
  tags: z.array(z.string()).default([]),
  'x-required-scope': z.string().optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).default([]),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean().default(false),
        description: z.string().optional(),
        schema: schema.default({}),
      }),
    )
    .default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string().default(''), content })).default({}),
});

const item = z.object({
  get: operation.optional(),
  post: operation.optional(),
  put: operation.optional(),
  patch: operation.optional(),
  delete: operation.optional(),
});

/** An OpenAPI document, as far as the reference page shows it. */
export const referenceDocument = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string().default('') }),
  tags: z.array(z.object({ name: z.string(), description: z.string().default('') })).default([]),
  paths: z.record(z.string(), item),
  webhooks: z.record(z.string(), item).default({}),
  components: z.object({ schemas: z.record(z.string(), schema).default({}) }).default({ schemas: {} }),
});

export type ReferenceDocument = z.output<typeof referenceDocument>;
export type Operation = z.output<typeof operation>;
export type Content = z.output<typeof content>;
export type Schemas = Readonly<Record<string, Schema>>;
