import { parseArgs } from 'node:util';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { connect } from '#server/db/connect.ts';
import {
  getEmail,
  type IdentityKind,
  getIdentity,
  type Person,
  getPhone,
} from '#server/features/identity/identity.ts';
import { liftSuppression } from '#server/features/withdrawals/staffSuppression.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { liftReason } from '#shared/leads/suppression.ts';
import { withDatabase } from './withDatabase.ts';

const usage = [
  'npm run suppression -- lift --email <address> --reason <why>',
  'npm run suppression -- lift --phone <number> --reason <why>',
].join('\n');

interface Options {
  url: string;
  /** One of them opens the identity key. */
  secretKeys: readonly string[];
}

/** The identity to lift. Throws a sentence unless it is exactly one. */
function parseIdentity({ email, phone }: { email?: string | undefined; phone?: string | undefined }): {
  kind: IdentityKind;
  person: Partial<Person>;
} {
  if ((email === undefined) === (phone === undefined))
    throw new Error(`Give either --email or --phone.\n${usage}`);
  const { phoneE164, ...forms } = getIdentity({ email: email?.trim() ?? '', phone: phone ?? '' });
  if (email !== undefined) return { kind: 'email', person: getEmail(forms) };
  if (phoneE164 === null) throw new Error(`--phone: a phone number has 10 to 15 digits.\n${usage}`);
  return { kind: 'phone', person: getPhone({ ...forms, phoneE164 }) };
}

/**
 * Runs `npm run suppression` with its arguments: lifts the suppression of an email address or a phone number, also if
 * no lead has it, as after an erasure. Throws a sentence with the usage for wrong arguments.
 */
export async function runSuppression({ url, secretKeys }: Options, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { email: { type: 'string' }, phone: { type: 'string' }, reason: { type: 'string' } },
  });
  if (positionals.length !== 1 || positionals[0] !== 'lift') throw new Error(usage);
  const identity = parseIdentity(values);
  const reason = liftReason.safeParse(values.reason ?? '');
  if (!reason.success) throw new Error(`--reason: ${reason.error.issues[0]?.message ?? 'wrong'}.\n${usage}`);
  const { db, close } = connect(url, { applicationName: 'clinic-leads-suppression', max: 1 });
  try {
    const { key: identityKey } = await createDataKeys({ db, secretKeys }).current('identity');
    const actor = { kind: 'command', name: 'npm run suppression' } as const;
    const leadIds = await db.transaction((tx) =>
      liftSuppression(tx, {
        ...identity,
        identityKey,
        reason: reason.data,
        actor,
        ip: null,
        now: new Date(),
      }),
    );
    console.log(`Lifted. Leads with it: ${leadIds.length === 0 ? 'none' : leadIds.join(', ')}.`);
  } finally {
    await close();
  }
}

/**
 * `npm run suppression`: lifts suppressions. Without DATABASE_URL or SECRET_KEYS it uses the local ones, like `npm
 * start`.
 */
if (import.meta.main)
  await withDatabase(async ({ url, config }) => {
    const { secretKeys } = await withLocalSecrets(config);
    await runSuppression({ url, secretKeys }, process.argv.slice(2));
  });
