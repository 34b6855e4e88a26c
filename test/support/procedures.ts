import { z } from 'zod';
import { appRouter } from '#server/trpc/root.ts';
import { staffRoles, tokenScopes } from '#shared/admin/staff.ts';

const access = z.object({ role: z.enum(staffRoles), scope: z.enum(tokenScopes).nullable() });

/** tRPC has no public list of a router's procedures. */
const routerDefinition = z.object({
  procedures: z.record(
    z.string(),
    z.unknown().transform((procedure: unknown) =>
      z
        .object({
          type: z.enum(['query', 'mutation']),
          meta: z.object({ access: access.optional() }).optional(),
        })
        .parse(Reflect.get(Object(procedure), '_def')),
    ),
  ),
});

/** Every procedure there is, and who may call it; `access` is null for those that ask nobody who they are. */
export const everyProcedure = Object.entries(
  routerDefinition.parse(Reflect.get(appRouter, '_def')).procedures,
).map(([path, { type, meta }]) => ({ path, type, access: meta?.access ?? null }));
