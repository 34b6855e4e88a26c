import { z } from 'zod';
import { actorName } from './actorNames.ts';
import { staffRoles, tokenScopes } from './staff.ts';

/** Long enough that guessing is hopeless at the rate that is let through; features/auth/passwordFault.ts refuses easy ones. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 1024;

const id = z.number().int().positive();
const password = z
  .string()
  .min(passwordLengthMin, `Use at least ${passwordLengthMin} characters`)
  .max(passwordLengthMax, `Use at most ${passwordLengthMax} characters`);

/** A named person of the staff, as owners see them. */
export const staffAccount = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role: z.enum(staffRoles),
  created_at: z.iso.datetime(),
  last_sign_in_at: z.iso.datetime().nullable(),
  /** Whether it is the one that asks: nobody takes their own role or account away. */
  isOwn: z.boolean(),
});
export type StaffAccount = z.infer<typeof staffAccount>;

export const accountCreateInput = z.object({
  name: actorName,
  email: z
    .string()
    .trim()
    .min(1, 'Email is required')
    .max(254, 'Use at most 254 characters')
    .pipe(z.email('Invalid email format')),
  role: z.enum(staffRoles),
  password,
});

export const accountRoleInput = z.object({ id, role: z.enum(staffRoles) });
export const accountPasswordInput = z.object({ id, password });
export const accountIdInput = z.object({ id });

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
