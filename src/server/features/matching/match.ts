import type { Database, Queryable } from '#server/db/connect.ts';
import type { GeoPoint } from './distance.ts';
import {
  findNearestExcept,
  findNearestProvider,
  findProviderDistance,
  type RatedProvider,
} from './matchQueries.ts';
import { placeLabel, type ZipTable } from './zipTable.ts';

export interface Match {
  /** Null exactly when `method` is 'none'. */
  providerId: number | null;
  method: 'tenant' | 'requested' | 'nearest' | 'none';
  /** The reason, for staff. No contact details beyond the ZIP code. */
  reason: string;
  /** From the ZIP's place to the provider, along the ground; null if either is unknown. */
  distanceMiles: number | null;
}

interface PlaceRequest {
  /** The five digits; null if the typed text has none. */
  zip5: string | null;
  /** As typed, for the reason. */
  zipCode: string;
  /** A provider exactly this far away is within the radius. */
  radiusMiles: number;
  zipTable: ZipTable;
}

export interface MatchRequest extends PlaceRequest {
  /** The provider whose own host received the lead. */
  tenant: { id: number } | null;
  /** `?providerId=`; null on unknown hosts. */
  requestedId: number | null;
  findActive: (id: number) => Promise<boolean>;
}

interface Origin extends GeoPoint {
  /** The origin of distances in messages: '80202', 'the 802 area'. */
  label: string;
  /** An extra sentence if the place is approximate, otherwise empty. */
  note: string;
}

function getOrigin(zip5: string | null, zipTable: ZipTable): Origin | null {
  const place = zip5 === null ? null : zipTable.lookup(zip5);
  if (zip5 === null || place === null) return null;
  const { latitude, longitude, placement } = place;
  const label = placeLabel(zip5, place);
  const note =
    placement === 'zip' ? '' : `ZIP ${zip5} is not in the table; placed at the center of ${label}.`;
  return { latitude, longitude, label, note };
}

/** Kept because `toLocaleString` makes a formatter at each call, which took 30 µs of a lead's intake. */
const oneDecimal = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** '3.2 miles', '1,204.0 miles'. */
function milesText(miles: number): string {
  return `${oneDecimal.format(miles)} miles`;
}

/** A distance as a phrase for staff: '3.2 miles from the center of 80202'. */
export function milesFromCenter(miles: number, place: string): string {
  return `${milesText(miles)} from the center of ${place}`;
}

function sentences(...parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}

/** Finds the nearest provider to a point. */
type Search = (point: GeoPoint, radiusMiles: number) => Promise<RatedProvider | null>;

async function matchNearest(search: Search, request: PlaceRequest, origin: Origin | null): Promise<Match> {
  const { zip5, zipCode, radiusMiles } = request;
  const none = (reason: string): Match => ({ providerId: null, method: 'none', reason, distanceMiles: null });
  if (zip5 === null) return none(`'${zipCode}' is not a US ZIP code.`);
  if (origin === null) return none(`ZIP ${zip5} is unknown and so is its prefix.`);
  const nearest = await search(origin, radiusMiles);
  if (nearest === null) return none(sentences('There is no active provider to match.', origin.note));
  const { id, distanceMiles, isWithinRadius } = nearest;
  if (!isWithinRadius) {
    const radius = `${radiusMiles.toLocaleString('en-US')} miles`;
    const away = `the nearest is ${milesText(distanceMiles)} away.`;
    return none(sentences(`No active provider within ${radius} of ${origin.label}; ${away}`, origin.note));
  }
  const reason = `Nearest active provider, ${milesFromCenter(distanceMiles, origin.label)}.`;
  return { providerId: id, method: 'nearest', reason: sentences(reason, origin.note), distanceMiles };
}

/** A provider that was not chosen by distance. Its distance is added if it is known. */
async function matchGiven(
  db: Database,
  id: number,
  why: string,
  origin: Origin | null,
): Promise<Omit<Match, 'method'>> {
  const distanceMiles = origin === null ? null : await findProviderDistance(db, id, origin);
  const isPlaced = origin !== null && distanceMiles !== null;
  const away = isPlaced ? `, ${milesFromCenter(distanceMiles, origin.label)}` : '';
  const reason = sentences(`${why}${away}.`, isPlaced ? origin.note : '');
  return { providerId: id, reason, distanceMiles };
}

/**
 * Chooses a lead's provider: the provider of the host, otherwise the requested one if it is active, otherwise the
 * nearest active one within the radius of the ZIP's center (a provider's own radius, if staff set one, otherwise the
 * configured one; only this step skips paused providers), otherwise none. Nothing that a visitor types makes it throw:
 * a lead is never refused for its ZIP. The chosen provider was active when it was read. A provider deactivated before
 * the lead is stored keeps it, and staff see both. Providers are never deleted; if somebody deletes one manually, the
 * foreign key refuses the lead's insert (SQLSTATE 23503) and the caller matches again.
 */
export async function matchLead(db: Database, request: MatchRequest): Promise<Match> {
  const { tenant, requestedId } = request;
  const origin = getOrigin(request.zip5, request.zipTable);
  if (tenant !== null) {
    const overruled =
      requestedId === null || requestedId === tenant.id
        ? ''
        : ` (provider ${requestedId} was requested; the site’s own provider wins)`;
    return {
      method: 'tenant',
      ...(await matchGiven(db, tenant.id, `Sent from the provider’s own site${overruled}`, origin)),
    };
  }
  if (requestedId !== null && (await request.findActive(requestedId))) {
    return { method: 'requested', ...(await matchGiven(db, requestedId, 'Requested by its id', origin)) };
  }
  const search: Search = (point, radiusMiles) => findNearestProvider(db, point, radiusMiles);
  const match = await matchNearest(search, request, origin);
  const refused =
    requestedId === null ? '' : `Provider ${requestedId} was requested, but is unknown or inactive.`;
  return { ...match, reason: sentences(refused, match.reason) };
}

export interface RematchRequest extends PlaceRequest {
  /** Providers that must not get the lead again. */
  except: readonly number[];
}

/**
 * Chooses an unmatched or returned lead's provider by distance only, as `matchLead` does, without those in `except`.
 */
export function matchAgain(db: Queryable, request: RematchRequest): Promise<Match> {
  const search: Search = (point, radiusMiles) =>
    findNearestExcept(db, point, { radiusMiles, except: request.except });
  return matchNearest(search, request, getOrigin(request.zip5, request.zipTable));
}
