import { distanceText } from '#shared/formats/writing.ts';

/** The texts of every map. */
export const mapCopy = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  closePopup: 'Close',
  /** The hint for one finger on a map that leaves scrolling to the page. */
  twoFingers: 'Move the map with two fingers',
  /** The source of the basemap. The tiles' own attribution is beside it. */
  basemapAttribution: 'Borders: US Census Bureau',
  /** Names the owner of the tiles (MAP_TILES_URL), as their license requires. */
  tilesAttribution:
    '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a> contributors',
  tilesFailed: 'Street map unavailable right now. Pins still work.',
  unsupported: 'This browser can’t draw the map.',
  failed: 'The map couldn’t be loaded.',
  tryAgain: 'Try again',
  cluster: 'Several clinics',
  yourLocation: 'Your Location',
  nearMe: 'Find clinics near me',
} as const;

/** The page for directions. The destination is appended. */
export const directionsAddress = 'https://www.google.com/maps/dir/?api=1&destination=';

/** The texts of the provider network page. */
export const network = {
  title: 'Knee clinics',
  lead: 'All clinics that teach it. Your ZIP code puts the nearest first.',
  findProvider: 'Find a clinic',
  becomeProvider: 'Teach it at your clinic',
  mapLabel: 'Map of knee clinics',
  loading: 'Loading clinics...',
  failed: 'The clinics could not be loaded',
  tryAgain: 'Try again',
  nearMePrivacy: {
    basemapOnly: 'Your location stays in this browser.',
    /** With street tiles, their server sees the visible area. */
    streetTiles: 'The spot itself stays in this browser; the street map’s server sees the area around it.',
    /** In a network too large for the browser, also our server sees the visible area. */
    largeNetwork:
      'The spot itself stays in this browser; we and the street map’s server see the area around it.',
  },
  zip: {
    label: 'ZIP code',
    submit: 'Sort by distance',
    searching: 'Looking it up…',
    invalid: 'Please enter a valid 5-digit zip code',
    unknown: 'We don’t know that ZIP code. Check the digits, or try one nearby.',
    offline: 'The ZIP code couldn’t be looked up. Please try again.',
  },
  legend: {
    title: 'Legend',
    provider: 'Knee clinic',
  },
  list: {
    title: 'Clinics',
    none: 'No clinic is listed yet.',
    showOnMap: 'Show on map',
    notOnMap: 'Not on the map',
    directions: 'Directions',
    website: 'Website',
    previous: 'Previous',
    next: 'Next',
    pages: 'Pages of clinics',
    newWindow: '(opens in a new tab)',
    request: 'Ask for a first look',
    /** Between the button's label and the provider's name. */
    requestWith: 'with',
    freeConsultation: 'Free first look',
    financing: 'Pay over time',
    /** In a network too large for the browser. */
    nearest: (shown: number, total: number) =>
      `The ${shown} nearest to the middle of the map, of ${total.toLocaleString('en-US')} clinics. Move the map to see others.`,
    /** For visitors without scripts. */
    first: (shown: number, total: number) =>
      shown === total ? `All ${total}, by name` : `The first ${shown} of ${total}, by name`,
  },
  skipMap: 'Skip the map',
  withoutScripts:
    'The map and the full list need JavaScript. You can still leave your ZIP code, and we’ll look for a clinic near you.',
} as const;

/** The texts of a provider's own page at the path of the map. */
export const location = {
  title: 'Find the clinic',
  mapLabel: 'Map of the clinic',
  loading: 'Loading the map...',
} as const;

/** Announced after the list is sorted. */
export function sortedText(from: string, nearest: { name: string; miles: number } | null): string {
  const sorted = `Sorted by distance from ${from}.`;
  return nearest === null ? sorted : `${sorted} Nearest: ${nearest.name}, ${distanceText(nearest.miles)}.`;
}

export function zipLabel(zip: string): string {
  return `ZIP ${zip}`;
}

/** The name of the origin of distances if the browser shared the location. */
export const fromYourLocation = 'your location';

/** The map on the page for prospective providers. */
export const recruitmentMap = {
  label: 'Map of knee clinics',
  loading: 'Loading the map...',
  failed: 'The clinics could not be loaded',
  certified: 'Knee Clinic',
  withoutScripts: 'The map needs JavaScript.',
  list: 'See the list of clinics',
  question: 'Do you run a clinic?',
  offer: 'See this season’s terms',
} as const;

/** '57 Knee Clinics' */
export function certifiedCount(count: number): string {
  return `${count.toLocaleString('en-US')} Knee Clinics`;
}
