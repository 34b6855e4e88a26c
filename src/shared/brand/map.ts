import { distanceText } from '#shared/formats/writing.ts';

/** The texts of every map. */
export const mapCopy = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  closePopup: 'Close',
  /** The hint for one finger on a map that leaves scrolling to the page. */
  twoFingers: 'Two fingers move the map',
  /** The source of the basemap. The tiles' own attribution is beside it. */
  basemapAttribution: 'Borders: US Census Bureau',
  /** Names the owner of the tiles (MAP_TILES_URL), as their license requires. */
  tilesAttribution:
    '© <a href="https://www.openstreetmap.org/copyright" target="_blank" rel="noopener">OpenStreetMap</a> contributors',
  tilesFailed: 'Street detail can’t be loaded right now. The map works without it.',
  unsupported: 'This browser can’t draw the map.',
  failed: 'The map couldn’t be loaded.',
  tryAgain: 'Try again',
  cluster: 'Several close together',
  yourLocation: 'Your Location',
  nearMe: 'Find Providers Near Me',
} as const;

/** The page for directions. The destination is appended. */
export const directionsAddress = 'https://www.google.com/maps/dir/?api=1&destination=';

/** The texts of the provider network page. */
export const network = {
  title: 'Provider Network',
  lead: 'Certified providers on a map, and all of them in the list. Enter your ZIP code or share your location to see who is closest.',
  findProvider: 'Find a Provider',
  becomeProvider: 'Become a Provider',
  mapLabel: 'Map of certified providers',
  loading: 'Loading providers...',
  failed: 'Failed to fetch active providers',
  tryAgain: 'Try again',
  nearMePrivacy: {
    basemapOnly: 'Your location stays in this browser.',
    /** With street tiles, their server sees the visible area. */
    streetTiles:
      'Your exact location stays in this browser. The server of the street map sees which area you look at.',
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
    provider: 'Certified provider',
  },
  list: {
    title: 'Providers',
    none: 'No provider is listed yet.',
    showOnMap: 'Show on map',
    notOnMap: 'Not on the map',
    directions: 'Directions',
    website: 'Website',
    previous: 'Previous',
    next: 'Next',
    pages: 'Pages of providers',
    newWindow: '(opens in a new tab)',
  },
  withoutScripts:
    'The map and the whole list need JavaScript. You can still leave your ZIP code, and we look for a provider near you.',
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
  label: 'Map of certified providers',
  loading: 'Loading provider map...',
  failed: 'Failed to fetch providers',
  certified: 'Certified Provider',
  question: 'Are you a healthcare provider?',
  offer: 'See the special offer',
} as const;

/** '57 Certified Providers' */
export function certifiedCount(count: number): string {
  return `${count.toLocaleString('en-US')} Certified Providers`;
}
