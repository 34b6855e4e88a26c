/** In plain words, where the standard's generic name says less or names another clock. */
const plainNames: Readonly<Record<string, string>> = {
  'America/Phoenix': 'Arizona',
  'America/Adak': 'Aleutian',
  'Pacific/Honolulu': 'Hawaii',
  'Pacific/Guam': 'Guam',
  'Pacific/Pago_Pago': 'Samoa',
  UTC: 'UTC',
};

/** Zones had other names in the last century. */
const zonesNamedAt = Date.UTC(2026, 0);

/** 'Mountain' for `America/Denver`. */
export function zoneName(zone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longGeneric' });
  const name = format.formatToParts(zonesNamedAt).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
  return plainNames[zone] ?? name.replace(/(?: Standard)? Time$/, '');
}

/** What a clock shows: 'June 1, 2026' and '2:14 PM Mountain'. */
interface Reading {
  date: string;
  clock: string;
}

function readClock(at: Date, timeZone: string): Reading {
  const time = at.toLocaleTimeString('en-US', { timeStyle: 'short', timeZone });
  return {
    date: at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone }),
    clock: `${time} ${zoneName(timeZone)}`,
  };
}

/** '2:14 PM Mountain'. */
export function clockTime(at: Date, zone: string): string {
  return readClock(at, zone).clock;
}

const zonesMax = 2;

/** The zones whose clocks differ then, one or two. UTC without a zone, and for more: a list of three says nothing. */
function pickZones(at: Date, zones: readonly string[]): string[] {
  const clocks = new Map(
    zones.toReversed().map((zone) => [at.toLocaleString('en-US', { timeZone: zone }), zone]),
  );
  return clocks.size === 0 || clocks.size > zonesMax ? ['UTC'] : [...clocks.values()].toReversed();
}

/** 'June 1, 2026 at 6:00 AM Mountain', '… at 6:00 AM Mountain / 5:00 AM Pacific'; without a zone, in UTC. */
export function longTime(iso: string, zones: readonly string[] = []): string {
  const at = new Date(iso);
  const readings = pickZones(at, zones).map((zone) => readClock(at, zone));
  // The day once, unless it differs.
  const isOneDay = new Set(readings.map(({ date }) => date)).size === 1;
  return readings
    .map(({ date, clock }, index) => (isOneDay && index > 0 ? clock : `${date} at ${clock}`))
    .join(' / ');
}
