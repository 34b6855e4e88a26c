import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { assignPreviewOutput, bulkAssignOutput } from '#shared/admin/leadActions.ts';
import type { Database } from '#server/db/connect.ts';
import { leads, providers } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { greatCircleMiles } from '../../matching/distance.ts';
import { findNearestExcept, findNearestProvider, type RatedProvider } from '../../matching/matchQueries.ts';
import { placeOfZip } from '../../matching/zipTable.ts';
import { allows } from '../leadStates.ts';
import { assignEach, getUndoUntil } from './assignLeads.ts';
import { listNamedOthers } from './assignment.ts';
import { changeInBatches } from './bulkLeads.ts';
import type { LeadAction } from './leadChanges.ts';
import { listRefusers } from './rematch.ts';

type ChoosingServices = Pick<Services, 'db' | 'config' | 'zipTable'>;

/** Leads, and the provider for all of them; null: for each its nearest. */
interface Request {
  ids: readonly number[];
  providerId: number | null;
}

interface Choice {
  leadId: number;
  /** Null: its ZIP can't be located, so there is no nearest. */
  providerId: number | null;
  /** From the lead's ZIP; null if a place is unknown. */
  miles: number | null;
  isOutside: boolean;
  /** Its nearest provider returned it, or staff took it away from there. */
  isNextNearest: boolean;
}

/** A choice for each lead that may be assigned, and the radius. Omits leads that have their nearest provider. */
async function chooseProviders(
  { db, config, zipTable }: ChoosingServices,
  { ids, providerId }: Request,
): Promise<{ choices: Choice[]; kept: number; radiusMiles: number }> {
  const found = await db
    .select({ id: leads.id, zipCode: leads.zipCode, providerId: leads.providerId })
    .from(leads)
    .where(and(inArray(leads.id, [...ids]), allows('assign')))
    .orderBy(asc(leads.id));
  const given = providerId === null ? null : await readPlace(db, providerId);
  const refusers = providerId === null ? await listRefusers(db, ids) : new Map<number, number[]>();
  const radiusMiles = given?.radiusMiles ?? config.matchRadiusMiles;
  const known = new Map<string, Promise<RatedProvider | null>>();
  const findNearest = (zipCode: string, except: readonly number[]): Promise<RatedProvider | null> => {
    const origin = placeOfZip(zipTable, zipCode);
    if (origin === null) return Promise.resolve(null);
    const key = `${zipCode} ${except.join(' ')}`;
    const nearest =
      known.get(key) ??
      (except.length === 0
        ? findNearestProvider(db, origin, radiusMiles)
        : findNearestExcept(db, origin, { radiusMiles, except }));
    known.set(key, nearest);
    return nearest;
  };
  const choices: Choice[] = [];
  for (const { id: leadId, zipCode, providerId: current } of found) {
    if (providerId !== null) {
      const origin = placeOfZip(zipTable, zipCode);
      const miles = origin === null || given === null ? null : greatCircleMiles(origin, given);
      const isOutside = miles !== null && miles > radiusMiles;
      choices.push({ leadId, providerId, miles, isOutside, isNextNearest: false });
      continue;
    }
    const except = refusers.get(leadId) ?? [];
    const nearest = await findNearest(zipCode, except);
    if (nearest === null)
      choices.push({ leadId, providerId: null, miles: null, isOutside: false, isNextNearest: false });
    else if (nearest.id !== current) {
      const { id, distanceMiles: miles, isWithinRadius } = nearest;
      const first = except.length === 0 ? nearest : await findNearest(zipCode, []);
      const isNextNearest = first !== null && except.includes(first.id);
      choices.push({ leadId, providerId: id, miles, isOutside: !isWithinRadius, isNextNearest });
    }
  }
  return { choices, kept: found.length - choices.length, radiusMiles };
}

/** Where a provider is, and its own radius; null if it is unknown. */
async function readPlace(db: Database, id: number) {
  const [row] = await db
    .select({
      latitude: sql<number | null>`latitude(${providers.location})`,
      longitude: sql<number | null>`longitude(${providers.location})`,
      radiusMiles: providers.matchRadiusMiles,
    })
    .from(providers)
    .where(eq(providers.id, id));
  const { latitude = null, longitude = null, radiusMiles = null } = row ?? {};
  return latitude === null || longitude === null ? null : { latitude, longitude, radiusMiles };
}

/** How far leads would be from their providers, before they are assigned. Changes nothing. */
export async function previewAssignment(
  services: ChoosingServices,
  request: Request,
): Promise<z.infer<typeof assignPreviewOutput>> {
  const { choices, kept, radiusMiles } = await chooseProviders(services, request);
  const placed = choices.filter(({ providerId }) => providerId !== null);
  const miles = placed.flatMap((choice) => choice.miles ?? []);
  return {
    leads: placed.length,
    kept,
    providers: new Set(placed.map(({ providerId }) => providerId)).size,
    miles: miles.length === 0 ? null : { least: Math.min(...miles), most: Math.max(...miles) },
    outside: choices.filter(({ isOutside }) => isOutside).length,
    unplaced: choices.filter((choice) => choice.miles === null).length,
    nextNearest: choices.filter(({ isNextNearest }) => isNextNearest).length,
    radiusMiles,
  };
}

/**
 * Assigns leads to a provider, or each to its nearest that accepts leads, whatever the radius, and that hasn't returned
 * it. Without `confirmed`, leads whose consent names another provider are listed and stay. Throws as `assignLeads` does.
 */
export async function assignChosen(
  staffAction: LeadAction & { services: ChoosingServices },
  { ids, providerId, confirmed }: Request & { confirmed: boolean },
): Promise<z.infer<typeof bulkAssignOutput>> {
  const { services } = staffAction;
  const chosen = new Map<number, number>();
  if (providerId !== null) for (const id of ids) chosen.set(id, providerId);
  else
    for (const choice of (await chooseProviders(services, { ids, providerId })).choices)
      if (choice.providerId !== null) chosen.set(choice.leadId, choice.providerId);
  const needConfirmation = confirmed ? [] : await listNamedOthers(services.db, chosen);
  for (const { id } of needConfirmation) chosen.delete(id);
  const undoUntil = getUndoUntil(services.now(), chosen.size);
  const changed = await changeInBatches([...chosen.keys()], (batch) =>
    assignEach(staffAction, pickEntries(chosen, batch), undoUntil),
  );
  return { changed, needConfirmation };
}

function pickEntries(chosen: ReadonlyMap<number, number>, ids: readonly number[]): Map<number, number> {
  return new Map(
    ids.flatMap((id) => {
      const providerId = chosen.get(id);
      return providerId === undefined ? [] : [[id, providerId]];
    }),
  );
}
