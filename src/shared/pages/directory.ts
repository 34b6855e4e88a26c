import type { CountedPlace } from '../providers/providerList.ts';
import { paths } from './paths.ts';

/** A place of the directory: the country, a state or a town, as its page's path names them. */
export interface DirectoryPlace {
  /** The code in lower case, such as `co`. */
  state: string | null;
  /** Such as `denver`. Null: the whole state. */
  city: string | null;
  /** The page of its list of providers, from 1. */
  page: number;
}

export interface DirectoryLink {
  name: string;
  path: string;
}

/** A provider as the directory lists it. */
export interface DirectoryProvider {
  id: number;
  name: string;
  /** With its ZIP code. */
  address: string;
  phone: string | null;
  phoneHref: string | null;
  /** Its site: on its own domain, or on the main site. */
  href: string;
  acceptsFreeConsultation: boolean;
  acceptsFinancing: boolean;
}

/** What a page of the directory shows. */
export interface DirectoryListing {
  path: string;
  /** `Denver, CO`, `Colorado`; null: the whole network. */
  place: string | null;
  /** The pages above it, from the whole directory, and its own. */
  trail: DirectoryLink[];
  /** Providers of the place, on all pages. */
  total: number;
  /** How many states or towns have any; null for a town. */
  placeCount: number | null;
  page: number;
  pageCount: number;
  /** States, or the towns with the most providers, by name. */
  places: CountedPlace[];
  providers: DirectoryProvider[];
  /** The nearest other towns with a provider. */
  nearby: (DirectoryLink & { miles: number })[];
  /** The brand's own text about the place; null without one. */
  text: string | null;
  /** A page about one provider repeats what the provider's own site says. */
  isIndexed: boolean;
}

/** Words that names of towns have in full and shortened. */
const shortened: Readonly<Record<string, string>> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' };

/**
 * A name in a path: `San José` as `san-jose`, `St. Paul` as `saint-paul`. It depends on the name only, so it stays;
 * spellings of one name share it. Empty for a name without Latin letters.
 */
export function toSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}'’ʻ‘`.]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .replace(/(?<![^-])(?:ste?|[fm]t)(?=-)/g, (word) => shortened[word] ?? word);
}

/** The path of a place, with its page unless that is the first. */
export function directoryPath({ state, city, page }: Partial<DirectoryPlace>): string {
  const path = [paths.providers, state, city].filter((part) => typeof part === 'string').join('/');
  return listingPath({ path, page: page ?? 1 });
}

/** The address of a listing: its place's path, with its page. */
export function listingPath({ path, page }: Pick<DirectoryListing, 'path' | 'page'>): string {
  return page === 1 ? path : `${path}?page=${page}`;
}

/** The place that a path names, however it is written; null for any other path. The query says which page. */
export function parseDirectoryPath(path: string, query: string): DirectoryPlace | null {
  const [, root = '', ...names] = path.replace(/\/$/, '').split('/');
  if (`/${root.toLowerCase()}` !== paths.providers || names.length > 2) return null;
  const [state = null, city = null] = names.map((name) => toSlug(decode(name)));
  const page = new URLSearchParams(query).get('page') ?? '1';
  if (state === '' || city === '' || !/^[1-9]\d{0,4}$/.test(page)) return null;
  return { state, city, page: Number(page) };
}

/** Text that isn't well percent-encoded stays as it is, and then names no place. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
