import { z } from 'zod';
import { staffMember, staffRoles } from './staff.ts';

/** What a sign-in still needs after the password: a code, or two-factor sign-in set up because the role requires it. */
const signInStep = z.enum(['code', 'set-up']);
export type SignInStep = z.infer<typeof signInStep>;

/** Ways to sign in besides an account's password. */
export type SignInWay = 'shared-password' | 'single-sign-on';

/** A member, or the step that is left. */
export const signInOutput = z.union([staffMember, z.object({ step: signInStep })]);

/** Six digits of the app, or a recovery code. */
export const codeInput = z.object({
  code: z.string().trim().min(1, 'Enter the code').max(40, 'That code is wrong'),
});

/** What an app scans. Nothing is stored until a first code comes back with `sealed`. */
export const factorDraft = z.object({
  /** The secret as text, for apps that can't scan. */
  secret: z.string(),
  /** `otpauth://`, for an app on this device. */
  uri: z.string(),
  /** The QR code: the number of modules on a side, and the path of the dark ones. */
  qr: z.object({ size: z.number().int(), path: z.string() }),
  /** The secret for the way back. Only the server opens it. */
  sealed: z.string(),
});
export type FactorDraft = z.infer<typeof factorDraft>;

export const factorInput = codeInput.extend({ sealed: z.string().max(500) });

/** Recovery codes are shown once. */
export const factorOutput = z.object({ recoveryCodes: z.array(z.string()) });
export const factorStepOutput = factorOutput.extend({ member: staffMember });

/** The caller's own two-factor sign-in. */
export const ownFactor = z.object({
  /** Null: not set up. */
  recoveryCodesLeft: z.number().int().nullable(),
  isRequired: z.boolean(),
  /** False for the shared password, which has no account. */
  isPossible: z.boolean(),
});

/** As owners see it. */
export const teamFactors = z.object({
  /** Ids of the accounts that have it. */
  accounts: z.array(z.number().int()),
  /** Ids of the accounts that single sign-on knows. */
  linked: z.array(z.number().int()),
  requiredRoles: z.array(z.enum(staffRoles)),
});

export type TeamFactors = z.infer<typeof teamFactors>;

export const requiredRolesInput = z.object({ roles: z.array(z.enum(staffRoles)).max(staffRoles.length) });
