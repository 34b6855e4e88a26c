import { z } from 'zod';
import { actorName } from './actorNames.ts';
import { staffRoles, tokenScopes } from './staff.ts';

/** Long enough that guessing is hopeless at the rate that is let through; features/auth/passwordFault.ts refuses easy ones. */
export const passwordLengthMin = 12;
export const passwordLengthMax = 1024;

export const passwordHint = `At least ${passwordLengthMin} characters, hard to guess.`;

const id = z.number().int().positive();
export const newPassword = z
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
  password: newPassword,
});
export const inviteInput = accountCreateInput.omit({ password: true });

/** Somebody who may choose a password until `ends_at`. */
const invitation = z.object({
  id,
  name: z.string(),
  email: z.string(),
  role: z.enum(staffRoles),
  sent_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
});
export type Invitation = z.infer<typeof invitation>;
/** `isSent`: whether the mail server accepted the message. */
export const invitationSent = invitation.extend({ isSent: z.boolean() });
export type InvitationSent = z.infer<typeof invitationSent>;
/** `sendsMail`: accounts are made by invitation; otherwise owners set passwords by hand. */
export const invitationList = z.object({ sendsMail: z.boolean(), invitations: z.array(invitation) });

/** An open session of the staff. `device`: browser and system in words; null: unknown. */
export const staffSession = z.object({
  id: z.uuid(),
  name: z.string(),
  device: z.string().nullable(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime(),
  isCurrent: z.boolean(),
});
export type StaffSession = z.infer<typeof staffSession>;
export const sessionIdInput = z.object({ id: z.uuid() });

export const passwordChangeInput = z.object({
  current: z.string().min(1, 'Invalid password').max(passwordLengthMax, 'Invalid password'),
  password: newPassword,
});

/** `from`: the role that the caller saw; another one refuses the change. */
export const accountRoleInput = z.object({
  id,
  role: z.enum(staffRoles),
  from: z.enum(staffRoles).optional(),
  isUndo: z.boolean().default(false),
});
export const accountPasswordInput = z.object({ id, password: newPassword });
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
