import { counted } from '../formats/writing.ts';
import type { DirectoryLink, DirectoryListing } from '../pages/directory.ts';
import { paths } from '../pages/paths.ts';
import { brand } from './brand.ts';

type Facts = Pick<DirectoryListing, 'place' | 'total' | 'placeCount'>;

/**
 * The brand's own text about a place of the directory, by the path of its page (`/providers/co/denver`). Search engines
 * list a page with only one provider only with such a text.
 */
export const placeTexts: Readonly<Record<string, string>> = {};

function inPlace({ place }: Pick<Facts, 'place'>): string {
  return place === null ? 'by state' : `in ${place}`;
}

/** The texts of the directory. */
export const directory = {
  home: 'Home',
  root: 'Providers',
  breadcrumbs: 'Breadcrumb',
  title: (facts: Pick<Facts, 'place'>) => `Certified providers ${inPlace(facts)}`,
  description: (facts: Facts) =>
    `${directory.facts(facts)} Independent, certified providers of ${brand.name}, with address, phone and website.`,
  /** '12 certified providers in 5 towns.' */
  facts: ({ place, total, placeCount }: Facts): string => {
    const providers = counted(total, 'certified provider');
    if (placeCount === null || placeCount === 0) return `${providers}.`;
    if (place !== null) return `${providers} in ${counted(placeCount, 'town')}.`;
    return `${providers} in ${placeCount} ${placeCount === 1 ? 'state or territory' : 'states and territories'}.`;
  },
  states: 'States and territories',
  towns: (shown: number, all: number | null) =>
    all === null || shown >= all
      ? 'Towns'
      : `The ${shown} towns with the most providers, of ${all.toLocaleString('en-US')}`,
  nearby: 'Nearest other towns with a provider',
  page: (page: number, count: number) => `Page ${page} of ${count}`,
  ask: 'Not sure which is nearest?',
  askLink: 'Find a provider by ZIP code',
} as const;

/** The pages above a page of the directory and its own, from the home page. */
export function listCrumbs(trail: readonly DirectoryLink[]): DirectoryLink[] {
  const [root, ...places] = trail;
  const named = root === undefined ? [] : [{ ...root, name: directory.root }];
  return [{ name: directory.home, path: paths.home }, ...named, ...places];
}
