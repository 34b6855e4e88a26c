import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { Config } from '#server/config/config.ts';
import { withLocalSecrets } from '#server/config/localSecrets.ts';
import { connect } from '#server/db/connect.ts';
import { recordAudit } from '#server/features/audit/audit.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { findPerson } from '#server/features/erasure/findPerson.ts';
import { exportPerson } from '#server/features/erasure/personExport.ts';
import { createMail } from '#server/features/mail/mailer.ts';
import { createWakeSignal } from '#server/features/outbox/wakeSignal.ts';
import { createLog } from '#server/log.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { erasureReasons } from '#shared/admin/erasure.ts';
import { withDatabase } from './withDatabase.ts';

const usage = [
  'npm run person -- export <email>',
  `npm run person -- erase <email> [--reason ${erasureReasons.join('|')}] [--yes]`,
  'Without --yes, nothing is erased.',
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

const leftOutLine = (count: number): string[] =>
  count === 0
    ? []
    : [`Left out: ${count} leads that share only the phone. Each is found by its own email address.`];

async function exportLines(services: CommandServices, email: string): Promise<string[]> {
  const { text, leadIds, leftOut } = await exportPerson(services, { email, samePhone: [] });
  await recordAudit(services.db, {
    ...{ actor, ip: null, action: 'person.export', subject: { kind: 'lead', id: leadIds[0] ?? 0 } },
    ...(leftOut === 0 ? {} : { detail: { leftOut } }),
  });
  return [text.trimEnd()];
}

async function foundLines(services: CommandServices, email: string): Promise<string[]> {
  const { found, leadIds, recordIds } = await findPerson(services.db, { email });
  const own = found.filter(({ id }) => leadIds.includes(id));
  return [
    ...own.map(({ id, createdAt, standing }) => `Lead ${id} of ${createdAt.toISOString()}: ${standing}.`),
    `Consent records: ${recordIds.length}.`,
    ...leftOutLine(found.length - own.length),
    'Nothing was erased. Add --yes to erase it for good.',
  ];
}

const reasonOption = z.enum(erasureReasons);

/**
 * `npm run person`: exports or erases a person by an email address, also one whose leads were purged, so that the
 * dashboard doesn't list them. Evidence of consent still names such a person.
 */
await withDatabase(async ({ url, config }) => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { yes: { type: 'boolean', default: false }, reason: { type: 'string', default: 'asked' } },
  });
  const [what, email, ...more] = positionals;
  const reason = reasonOption.safeParse(values.reason);
  if ((what !== 'export' && what !== 'erase') || !email?.includes('@') || more.length > 0 || !reason.success)
    throw new Error(usage);
  const services = openServices(url, await withLocalSecrets(config));
  try {
    if (what === 'export') for (const line of await exportLines(services, email)) console.log(line);
    else if (!values.yes) for (const line of await foundLines(services, email)) console.log(line);
    else {
      const asked = { email, reason: reason.data };
      const { leadIds, consentRecords, messages } = await erasePerson({ services, actor, ip: null }, asked);
      console.log(
        `Erased: leads ${leadIds.join(', ')}; consent records: ${consentRecords}; notices queued: ${messages}.`,
      );
    }
  } finally {
    await services.close();
  }
});
