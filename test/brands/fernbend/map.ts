import { distanceText } from '#shared/formats/writing.ts';

/** Words every map has, whatever it shows. */
export const mapCopy = {
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  closePopup: 'Close',
  /** To one finger on a map that leaves it to the page. */
  twoFingers: 'Move the map with two fingers',
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
  nearMe: 'Find clinics near me',
} as const;

/** Where a route to a clinic is shown, once someone asks for it; the place is put at the end. */
export const directionsAddress = 'https://www.google.com/maps/dir/?api=1&destination=';

/** Every word of the provider network page. */
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
    /** Where street tiles are configured: their server is asked for the area shown. */
    streetTiles: 'The spot itself stays in this browser; the street map’s server sees the area around it.',
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
  },
  withoutScripts:
    'The map and the whole list need JavaScript. You can still leave your ZIP code, and we look for a clinic near you.',
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
  label: 'Map of knee clinics',
  loading: 'Loading the map...',
  failed: 'The clinics could not be loaded',
  certified: 'Knee Clinic',
  question: 'Do you run a clinic?',
  offer: 'See this season’s terms',
} as const;

/** '57 Knee Clinics' */
export function certifiedCount(count: number): string {
  return `${count.toLocaleString('en-US')} Knee Clinics`;
}
