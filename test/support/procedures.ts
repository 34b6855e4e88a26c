import { z } from 'zod';
import { appRouter } from '#server/trpc/root.ts';
import { staffRoles, tokenScopes } from '#shared/admin/staff.ts';

const access = z.object({ role: z.enum(staffRoles).nullable(), scope: z.enum(tokenScopes).nullable() });

const rest = z.object({ method: z.string(), path: z.string() });

/** tRPC has no public list of a router's procedures. */
const routerDefinition = z.object({
  procedures: z.record(
    z.string(),
    z.unknown().transform((procedure: unknown) =>
      z
        .object({
          type: z.enum(['query', 'mutation']),
          inputs: z.array(z.custom<z.ZodType>((value) => value instanceof z.ZodType)),
          meta: z
            .object({
              access: access.optional(),
              needsRecentSignIn: z.literal(true).optional(),
              rest: rest.optional(),
            })
            .optional(),
        })
        .parse(Reflect.get(Object(procedure), '_def')),
    ),
  ),
});

/** Every procedure with its input's schema (null without one), its access rule (null if public), whether staff need a recent sign-in, and its REST operation (null if it has none). */
export const everyProcedure = Object.entries(
  routerDefinition.parse(Reflect.get(appRouter, '_def')).procedures,
).map(([path, { type, inputs, meta }]) => ({
  path,
  type,
  input: inputs[0] ?? null,
  access: meta?.access ?? null,
  needsRecentSignIn: meta?.needsRecentSignIn === true,
  rest: meta?.rest ?? null,
}));
