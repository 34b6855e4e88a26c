import { and, desc, eq, inArray } from 'drizzle-orm';
import type { z } from 'zod';
import type { ApplicationDetail, applicationIdInput } from '#shared/applications/adminApplications.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { applicationMessages, providerApplications, providers } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { findNearestProvider } from '../matching/matchQueries.ts';
import { toAdminApplication } from './adminApplicationsQueries.ts';
import { listReceipts } from './applicationMessages.ts';

type DetailServices = Pick<Services, 'areaPeople' | 'db' | 'mail' | 'zipTable'>;

/** An application with what staff decide by. Throws NOT_FOUND 'Application not found'. */
export async function getApplicationDetail(
  services: DetailServices,
  { id }: z.output<typeof applicationIdInput>,
): Promise<ApplicationDetail> {
  const { areaPeople, db, mail, zipTable } = services;
  const [row] = await db.select().from(providerApplications).where(eq(providerApplications.id, id));
  if (row === undefined) throw notFound('Application');
  const heldReason = mail.mailer.heldReason();
  const place = zipTable.lookup(row.zipCode);
  const zip3 = row.zipCode.slice(0, 3);
  const [receipts, nearest, people, answer, provider] = await Promise.all([
    listReceipts(db, [id], heldReason),
    place === null ? null : findNearest(db, place),
    place === null ? null : areaPeople.findStored(zip3).then((stored) => stored ?? areaPeople.count(zip3)),
    findAnswer(db, id, heldReason),
    row.providerId === null ? null : findProvider(db, row.providerId),
  ]);
  const application = toAdminApplication(row, receipts.get(id) ?? null);
  return { application, nearest, isZipKnown: place !== null, people, answer, provider };
}

async function findNearest(
  db: Database,
  place: Parameters<typeof findNearestProvider>[1],
): Promise<ApplicationDetail['nearest']> {
  const found = await findNearestProvider(db, place);
  if (found === null) return null;
  // The name that the dashboard's lists have.
  const [row] = await db.select({ name: providers.name }).from(providers).where(eq(providers.id, found.id));
  return row === undefined ? null : { name: row.name, miles: found.distanceMiles };
}

/** The newest answer. `heldReason`: why none is sent now. */
async function findAnswer(
  db: Queryable,
  applicationId: number,
  heldReason: string | null,
): Promise<ApplicationDetail['answer']> {
  const { kind, state, reason, createdAt, endedAt } = applicationMessages;
  const isAnswer = and(
    eq(applicationMessages.applicationId, applicationId),
    inArray(kind, ['confirm', 'decline']),
  );
  const [row] = await db
    .select({ kind, state, reason, endedAt })
    .from(applicationMessages)
    .where(isAnswer)
    .orderBy(desc(createdAt))
    .limit(1);
  if (row === undefined) return null;
  return {
    kind: row.kind === 'decline' ? 'decline' : 'confirm',
    state: row.state,
    reason: row.state === 'waiting' ? (heldReason ?? row.reason) : row.reason,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

async function findProvider(db: Queryable, id: number): Promise<ApplicationDetail['provider']> {
  const [row] = await db.select().from(providers).where(eq(providers.id, id));
  if (row === undefined) return null;
  return {
    id,
    name: row.name,
    isActive: row.status === 't',
    isSynced: row.wordpressId !== null,
    email: row.email,
    emailConfirmedAt: row.emailConfirmedAt?.toISOString() ?? null,
    zipCode: row.zipCode,
    locationSource: row.locationSource,
    npi: row.npi,
    hasAbout: row.about !== null,
    hasHours: row.hours !== null,
  };
}
