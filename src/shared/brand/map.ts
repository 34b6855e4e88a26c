import { matchPreviewTexts } from './matchPreview.ts';

/** The texts of every map. */
export const mapCopy = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  /** On the drawing that stands for the map until someone wants it. */
  start: 'Move the map',
  closePopup: 'Close',
  /** The hint for one finger on a map that leaves scrolling to the page. */
  twoFingers: 'Two fingers move the map',
  /** The sources of the basemap's borders and towns. The tiles' own attribution is beside it. */
  basemapAttribution: 'Map: US Census Bureau, GeoNames',
  /** Names the owner of the tiles (MAP_TILES_URL), as their license requires. */
  tilesAttribution:
    '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a> contributors',
  tilesFailed: 'Street map unavailable right now. Pins still work.',
  unsupported: 'This browser can’t display the map.',
  failed: 'The map couldn’t load.',
  tryAgain: 'Try again',
  cluster: 'Several providers',
  yourLocation: 'Your Location',
  nearMe: 'Find Providers Near Me',
} as const;

/** The page for directions. The destination is appended. */
export const directionsAddress = 'https://www.google.com/maps/dir/?api=1&destination=';

/** The texts of the provider network page. */
export const network = {
  title: 'Provider Network',
  lead: 'Every certified provider, on the map and in the list. Enter your ZIP code or share your location to see who’s closest.',
  findProvider: 'Find a Provider',
  becomeProvider: 'Become a Provider',
  mapLabel: 'Map of certified providers',
  loading: 'Loading providers...',
  failed: 'Failed to fetch active providers',
  nearMePrivacy: {
    basemapOnly: 'Your location stays in this browser.',
    /** With street tiles, their server sees the visible area. */
    streetTiles:
      'Your exact location stays in this browser. The street-map server sees only the area you view.',
    /** In a network too large for the browser, also our server sees the visible area. */
    largeNetwork: 'Your exact location stays in this browser. Only the area you view is sent.',
  },
  zip: {
    label: 'ZIP code',
    submit: 'Sort by distance',
    searching: 'Looking it up…',
    invalid: 'Please enter a valid 5-digit zip code',
    unknown: 'We don’t know that ZIP code. Check the digits, or try one nearby.',
    offline: 'We couldn’t look up that ZIP code. Please try again.',
  },
  legend: {
    title: 'Legend',
    provider: 'Certified provider',
  },
  list: {
    title: 'Providers',
    none: 'No providers yet.',
    states: 'By state',
    /** Where the span to the nearest begins. */
    you: 'You',
    /** Before the provider's name. */
    call: 'Call',
    far: (count: number, miles: number) =>
      `${count.toLocaleString('en-US')} more, over ${miles.toLocaleString('en-US')} miles away`,
    showOnMap: 'Show on map',
    notOnMap: 'Not on the map',
    directions: 'Directions',
    website: 'Website',
    previous: 'Previous',
    next: 'Next',
    pages: 'Pages of providers',
    newWindow: '(opens in a new tab)',
    request: 'Request consultation',
    /** Between the button's label and the provider's name. */
    requestWith: 'with',
    freeConsultation: 'Free consultation',
    financing: 'Financing',
    /** In a network too large for the browser. */
    nearest: (shown: number, total: number) =>
      `The ${shown} nearest to the middle of the map, of ${total.toLocaleString('en-US')} providers. Move the map to see others.`,
    /** For visitors without scripts. */
    first: (shown: number, total: number) =>
      shown === total ? `All ${total}, by name` : `The first ${shown} of ${total}, by name`,
  },
  /** On phones, which show one of both. */
  view: { label: 'Show as', list: 'List', map: 'Map' },
  skipMap: 'Skip the map',
  backToMap: 'Back to the map',
  withoutScripts:
    'The map and the full list need JavaScript. You can still leave your ZIP code, and we’ll look for a provider near you.',
} as const;

/** The texts of a provider's own page at the path of the map. */
export const location = {
  title: 'Visit the Clinic',
  mapLabel: 'Map of the clinic',
  home: 'Clinic’s home page',
  loading: 'Loading map...',
} as const;

/** The labels on a provider's map cut. */
export const plateCopy = {
  radius: (miles: number): string => `${miles} miles`,
  coordinates: (latitude: number, longitude: number): string =>
    `${Math.abs(latitude).toFixed(4)}° ${latitude < 0 ? 'S' : 'N'}, ${Math.abs(longitude).toFixed(4)}° ${longitude < 0 ? 'W' : 'E'}`,
} as const;

/** Announced after the list is sorted. */
export function sortedText(
  from: string,
  nearest: { name: string; miles: number } | null,
  radiusMiles = Infinity,
): string {
  const sorted = `Sorted by distance from ${from}.`;
  if (nearest === null) return sorted;
  const who = `${nearest.name}, ${matchPreviewTexts.miles(nearest.miles)}.`;
  return nearest.miles > radiusMiles
    ? `${sorted} None within ${radiusMiles.toLocaleString('en-US')} miles. The nearest: ${who}`
    : `${sorted} Nearest: ${who}`;
}

export function zipLabel(zip: string): string {
  return `ZIP ${zip}`;
}

/** The name of the origin of distances if the browser shared the location. */
export const fromYourLocation = 'your location';

/** The map on the page for prospective providers. */
export const recruitmentMap = {
  label: 'Map of certified providers',
  loading: 'Loading provider map...',
  failed: 'Failed to fetch providers',
  certified: 'Certified Provider',
  withoutScripts: 'The map needs JavaScript.',
  list: 'See the list of providers',
  question: 'Are you a healthcare provider?',
  offer: 'See the special offer',
} as const;

/** '57 Certified Providers' */
export function certifiedCount(count: number): string {
  return `${count.toLocaleString('en-US')} Certified Providers`;
}
