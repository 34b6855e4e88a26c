import { eq, inArray, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { encode } from 'uqr';
import type { FactorDraft, SignInStep } from '#shared/admin/secondFactor.ts';
import type { StaffRole } from '#shared/admin/staff.ts';
import { brand } from '#shared/brand/brand.ts';
import type { Queryable } from '#server/db/connect.ts';
import { secondFactorRoles, type SecondFactorRow, secondFactors } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { openText, type Seal, sealText } from '#server/security/sealedText.ts';
import { recordAccessChange } from '../ledger/accessChanges.ts';
import { sha256 } from './sessions.ts';

const recoveryCodeCount = 10;
/** 80 bits: too many to guess even from their hashes. */
const recoveryCodeBytes = 10;
/** Phones' clocks differ: the code before and the code after count too. */
const stepsOff = 1;
const periodSeconds = 30;

/** How an account's secret is sealed. `npm run secrets:rotate` reseals them. */
export function totpSeal(accountId: number): Seal {
  return { purpose: 'second factor', owner: `account ${accountId}` };
}

function toTotp(secret: string, label: string): TOTP {
  return new TOTP({
    issuer: brand.plainName,
    label,
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
  });
}

interface Owner {
  id: number;
  email: string;
}

/** A new secret as an app takes it. Stored nowhere until `storeFactor`. */
export function draftFactor(secretKeys: readonly string[], { id, email }: Owner): FactorDraft {
  const secret = new Secret({ size: 20 }).base32;
  const uri = toTotp(secret, email).toString();
  return { secret, uri, qr: drawQr(uri), sealed: sealText(secretKeys, totpSeal(id), secret) };
}

/** The dark modules of a QR code as one SVG path, with the quiet zone that scanners need. */
function drawQr(text: string): FactorDraft['qr'] {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const rows = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join(''));
  return { size, path: rows.join('') };
}

/** The step of a right code that is later than the last one used; null for any other. */
function findStep(secret: string, code: string, { after, now }: { after: number; now: Date }): number | null {
  const digits = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(digits)) return null;
  const timestamp = now.getTime();
  const delta = toTotp(secret, '').validate({ token: digits, timestamp, window: stepsOff });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1000 / periodSeconds) + delta;
  return step > after ? step : null;
}

function makeRecoveryCode(): string {
  const text = new Secret({ size: recoveryCodeBytes }).base32;
  return (text.match(/.{4}/g) ?? []).join('-').toLowerCase();
}

function hashRecoveryCode(code: string): string {
  return sha256(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''));
}

interface NewFactor {
  secretKeys: readonly string[];
  accountId: number;
  /** Of `draftFactor`. */
  sealed: string;
  /** The app's first code. */
  code: string;
  now: Date;
}

/**
 * Stores a second factor of a locked account, in place of an earlier one. Returns its recovery codes, which are stored
 * as hashes only. Throws UNPROCESSABLE_CONTENT for a wrong code.
 */
export async function storeFactor(
  tx: Queryable,
  { secretKeys, accountId, sealed, code, now }: NewFactor,
): Promise<string[]> {
  const secret = openText(secretKeys, totpSeal(accountId), sealed);
  const step = secret === null ? null : findStep(secret, code, { after: 0, now });
  if (secret === null || step === null) throw wrongCode();
  const codes = Array.from({ length: recoveryCodeCount }, makeRecoveryCode);
  await removeFactor(tx, accountId);
  const recoverySha256 = codes.map(hashRecoveryCode);
  await tx
    .insert(secondFactors)
    .values({ id: accountId, sealedSecret: sealed, lastStep: step, recoverySha256, createdAt: now });
  return codes;
}

export function wrongCode(): AppError {
  const sentence = 'That code is wrong or was used before. Enter the newest one.';
  return new AppError('UNPROCESSABLE_CONTENT', sentence, { fields: { code: sentence } });
}

/** How a code proved the account. */
type CodeKind = 'code' | 'recovery-code';

/** Uses up a code of the app or a recovery code, in a transaction. Null: it is wrong or was used. */
export async function useCode(
  tx: Queryable,
  { secretKeys, accountId, code, now }: Omit<NewFactor, 'sealed'>,
): Promise<CodeKind | null> {
  const own = eq(secondFactors.id, accountId);
  const [row] = await tx.select().from(secondFactors).where(own).for('update');
  if (row === undefined) return null;
  const secret = openText(secretKeys, totpSeal(accountId), row.sealedSecret);
  const lastStep = secret === null ? null : findStep(secret, code, { after: row.lastStep, now });
  if (lastStep !== null) {
    await tx.update(secondFactors).set({ lastStep }).where(own);
    return 'code';
  }
  const used = hashRecoveryCode(code);
  if (!row.recoverySha256.includes(used)) return null;
  const recoverySha256 = row.recoverySha256.filter((hash) => hash !== used);
  await tx.update(secondFactors).set({ recoverySha256 }).where(own);
  return 'recovery-code';
}

export async function findFactor(db: Queryable, accountId: number): Promise<SecondFactorRow | null> {
  const [row] = await db.select().from(secondFactors).where(eq(secondFactors.id, accountId));
  return row ?? null;
}

/** Returns whether there was one. */
export async function removeFactor(tx: Queryable, accountId: number): Promise<boolean> {
  const { count } = await tx.delete(secondFactors).where(eq(secondFactors.id, accountId));
  if (count > 0) await recordAccessChange(tx, { kind: 'second-factor-removed', targetId: accountId });
  return count > 0;
}

/** Ids of the accounts with a second factor. */
export async function listFactors(db: Queryable): Promise<number[]> {
  return (await db.select({ id: secondFactors.id }).from(secondFactors)).map(({ id }) => id);
}

/** The roles that need a second factor. */
export async function listRequiredRoles(db: Queryable): Promise<StaffRole[]> {
  return (await db.select().from(secondFactorRoles)).map(({ role }) => role);
}

/** In a transaction, the answer stays true until its end: `setRequiredRoles` waits for it. */
export async function isRequiredOf(db: Queryable, role: StaffRole): Promise<boolean> {
  const own = eq(secondFactorRoles.role, role);
  return (await db.select().from(secondFactorRoles).where(own).for('share')).length > 0;
}

/**
 * Replaces the roles that need a second factor. Waits for sign-ins and changes of roles that have read them, so that
 * the caller sees their sessions.
 */
export async function setRequiredRoles(tx: Queryable, roles: readonly StaffRole[]): Promise<void> {
  await tx.execute(sql`lock table ${secondFactorRoles} in exclusive mode`);
  const before = await listRequiredRoles(tx);
  const gone = before.filter((role) => !roles.includes(role));
  if (gone.length > 0) await tx.delete(secondFactorRoles).where(inArray(secondFactorRoles.role, gone));
  if (roles.length > 0)
    await tx
      .insert(secondFactorRoles)
      .values(roles.map((role) => ({ role })))
      .onConflictDoNothing();
}

/** What a sign-in still needs after the password or the link; null: nothing. */
export async function findNeededStep(
  db: Queryable,
  { accountId, role }: { accountId: number; role: StaffRole },
): Promise<SignInStep | null> {
  if ((await findFactor(db, accountId)) !== null) return 'code';
  return (await isRequiredOf(db, role)) ? 'set-up' : null;
}
