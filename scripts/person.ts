import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Config } from '#server/config/config.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { connect } from '#server/db/connect.ts';
import { recordAudit } from '#server/features/audit/audit.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { findPerson, type Person } from '#server/features/erasure/findPerson.ts';
import { exportPerson } from '#server/features/erasure/personExport.ts';
import { createMail } from '#server/features/mail/mailer.ts';
import { createWakeSignal } from '#server/features/outbox/wakeSignal.ts';
import { createLog } from '#server/log.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { erasureReasons } from '#shared/admin/erasure.ts';
import { withDatabase } from './withDatabase.ts';

const usage = [
  'npm run person -- export <email> [--same-mailbox <leads>]',
  `npm run person -- erase <email> [--same-mailbox <leads>] [--reason ${erasureReasons.join('|')}] [--yes]`,
  'Without --yes, nothing is erased. --same-mailbox: numbers of leads with another spelling of the mailbox, such as a plus tag, or that had the address before a correction, and are this person’s.',
].join('\n');

const actor = { kind: 'command', name: 'npm run person' } as const;

function openServices(url: string, config: Config) {
  const { db, close } = connect(url, { applicationName: 'clinic-leads-person', max: 2 });
  const now = (): Date => new Date();
  const dataKeys = createDataKeys({ db, secretKeys: config.secretKeys });
  const mail = createMail(config, now);
  return { db, dataKeys, now, mail, log: createLog('silent'), wakeSignal: createWakeSignal(), close };
}
type CommandServices = ReturnType<typeof openServices>;

interface PersonArguments {
  email: string;
  /** Numbers of leads. */
  sameMailbox: number[];
}

/** What isn't part of the person: leads with only the phone, and those that may be theirs. */
function leftOutLines({ found, leadIds }: Person): string[] {
  const left = found.filter(({ id }) => !leadIds.includes(id));
  const byPhone = left.filter(({ foundBy }) => foundBy === 'phone').length;
  const spelled = left.filter(({ foundBy }) => foundBy === 'mailbox');
  const former = left.filter(({ foundBy }) => foundBy === 'former');
  return [
    ...(byPhone === 0
      ? []
      : [`Left out: ${byPhone} leads that share only the phone. Each is found by its own email address.`]),
    ...spelled.map(
      ({ id, email }) =>
        `Left out: lead ${id}, with another spelling of the mailbox (${email}). If it is the same person, add it with --same-mailbox.`,
    ),
    ...former.map(
      ({ id }) =>
        `Left out: lead ${id}, which had the address until staff corrected it. If it is the same person, add it with --same-mailbox.`,
    ),
  ];
}

async function exportLines(
  services: CommandServices,
  { email, sameMailbox }: PersonArguments,
): Promise<string[]> {
  const { text, leadIds, leftOut } = await exportPerson(services, { email, sameMailbox });
  const person = await findPerson(services.db, { email }, { sameMailbox });
  // Beside the file, which is for the person.
  for (const line of leftOutLines(person)) console.error(line);
  await recordAudit(services.db, {
    ...{ actor, ip: null, action: 'person.export', subject: { kind: 'lead', id: leadIds[0] ?? 0 } },
    ...(leftOut === 0 ? {} : { detail: { leftOut } }),
  });
  return [text.trimEnd()];
}

async function foundLines(
  services: CommandServices,
  { email, sameMailbox }: PersonArguments,
): Promise<string[]> {
  const person = await findPerson(services.db, { email }, { sameMailbox });
  const { found, leadIds, recordIds } = person;
  const own = found.filter(({ id }) => leadIds.includes(id));
  return [
    ...own.map(({ id, createdAt, standing }) => `Lead ${id} of ${createdAt.toISOString()}: ${standing}.`),
    `Consent records: ${recordIds.length}.`,
    ...leftOutLines(person),
    'Nothing was erased. Add --yes to erase it for good.',
  ];
}

const reasonOption = z.enum(erasureReasons);
const leadNumbers = z
  .string()
  .regex(/^(?:\d+(?:,\d+)*)?$/)
  .transform((text) => (text === '' ? [] : text.split(',').map(Number)));

/**
 * `npm run person`: exports or erases a person by an email address, also one whose leads were purged, so that the
 * dashboard doesn't list them. Evidence of consent still names such a person.
 */
await withDatabase(async ({ url, config }) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      yes: { type: 'boolean', default: false },
      reason: { type: 'string', default: 'asked' },
      'same-mailbox': { type: 'string', default: '' },
    },
  });
  const [what, email, ...more] = positionals;
  const reason = reasonOption.safeParse(values.reason);
  const named = leadNumbers.safeParse(values['same-mailbox']);
  if ((what !== 'export' && what !== 'erase') || !email?.includes('@') || more.length > 0)
    throw new Error(usage);
  if (!reason.success || !named.success) throw new Error(usage);
  const asked = { email, sameMailbox: named.data };
  const services = openServices(url, await withLocalSecrets(config));
  try {
    if (what === 'export') for (const line of await exportLines(services, asked)) console.log(line);
    else if (!values.yes) for (const line of await foundLines(services, asked)) console.log(line);
    else {
      const left = leftOutLines(await findPerson(services.db, { email }, asked));
      const erasing = { ...asked, reason: reason.data };
      const { leadIds, consentRecords, messages } = await erasePerson({ services, actor, ip: null }, erasing);
      console.log(
        `Erased: leads ${leadIds.join(', ')}; consent records: ${consentRecords}; notices queued: ${messages}.`,
      );
      for (const line of left) console.log(line);
    }
  } finally {
    await services.close();
  }
});
