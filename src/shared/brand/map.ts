import { distanceText } from '#shared/formats/writing.ts';

/** Words every map has, whatever it shows. */
export const mapCopy = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  closePopup: 'Close',
  /** To one finger on a map that leaves it to the page. */
  twoFingers: 'Two fingers move the map',
  /** The ground's source; the tiles' own attribution stands beside it. */
  basemapAttribution: 'Borders: US Census Bureau',
  /** Names whoever serves the tiles and owns their data (configured by MAP_TILES_URL), as their licence asks. */
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

/** Where a route to a clinic is shown, once someone asks for it; the place is put at the end. */
export const directionsAddress = 'https://www.google.com/maps/dir/?api=1&destination=';

/** Every word of the provider network page. */
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
    /** Where street tiles are configured: their server is asked for the area shown. */
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

/** What is announced once the list is sorted. */
export function sortedText(from: string, nearest: { name: string; miles: number } | null): string {
  const sorted = `Sorted by distance from ${from}.`;
  return nearest === null ? sorted : `${sorted} Nearest: ${nearest.name}, ${distanceText(nearest.miles)}.`;
}

export function zipLabel(zip: string): string {
  return `ZIP ${zip}`;
}

/** Where distances are counted from when the browser told. */
export const fromYourLocation = 'your location';

/** The network's map on the page for prospective providers. */
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
