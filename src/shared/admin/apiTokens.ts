import { z } from 'zod';
import { actorName } from './actorNames.ts';
import { tokenScopes } from './staff.ts';

const id = z.number().int().positive();

/** A token as owners see it. The token itself is shown once, when it is created. */
export const apiToken = z.object({
  id,
  name: z.string(),
  /** Its first characters. */
  prefix: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  created_by: z.string(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
});
export type ApiToken = z.infer<typeof apiToken>;

export const tokenCreateInput = z.object({
  name: actorName,
  scopes: z.array(z.enum(tokenScopes)).min(1, 'Choose at least one scope'),
});

export const tokenCreateOutput = z.object({ token: z.string(), created: apiToken });
export const tokenIdInput = z.object({ id });
