import type { DirectoryListing } from '#shared/pages/directory.ts';
import type { PageData } from '#shared/pages/boot.ts';
import type { PageKind } from '#shared/pages/pages.ts';

/** A town of the directory with each part that its page has. */
export const townListing: DirectoryListing = {
  path: '/providers/co/denver',
  place: 'Denver, CO',
  trail: [
    { name: '', path: '/providers' },
    { name: 'Colorado', path: '/providers/co' },
    { name: 'Denver', path: '/providers/co/denver' },
  ],
  total: 42,
  placeCount: null,
  page: 2,
  pageCount: 3,
  places: [],
  providers: [
    {
      id: 7,
      name: 'Juniper Street Clinic',
      address: '100 Sample Street, Denver, CO 80202',
      phone: '(303) 555-0142',
      phoneHref: 'tel:3035550142',
      href: 'https://juniper.example.com/',
      acceptsFreeConsultation: true,
      acceptsFinancing: true,
    },
  ],
  nearby: [{ name: 'Boulder, CO', path: '/providers/co/boulder', miles: 24.2 }],
  text: 'A text of the brand.',
  isIndexed: true,
};

const providerPageKinds = ['microsite', 'location', 'success'] as const;

type PagesByKind = {
  [Kind in Exclude<PageKind, (typeof providerPageKinds)[number]>]: readonly Extract<
    PageData,
    { kind: Kind }
  >[];
};

/** Pages that need no provider: each kind, with each document and state that renders differently. */
const pagesByKind: PagesByKind = {
  landing: [{ kind: 'landing', form: null }],
  variant: [{ kind: 'variant', form: null }],
  quiz: [{ kind: 'quiz', form: null }],
  find: [{ kind: 'find', form: null }],
  recruitment: [
    { kind: 'recruitment', form: null, applied: false, fromVisitor: true, isOfferOver: false },
    { kind: 'recruitment', form: null, applied: true, fromVisitor: false, isOfferOver: true },
  ],
  map: [{ kind: 'map', listed: null }],
  directory: [{ kind: 'directory', listing: townListing }],
  study: [
    { kind: 'study', form: null, reported: false, fromClinics: false },
    { kind: 'study', form: null, reported: true, fromClinics: true },
  ],
  policy: [
    { kind: 'policy', policy: 'privacy' },
    { kind: 'policy', policy: 'terms' },
    { kind: 'policy', policy: 'refunds' },
  ],
  admin: [{ kind: 'admin', member: null, step: null, ways: ['shared-password'] }],
  providerNotFound: [{ kind: 'providerNotFound' }],
  notFound: [{ kind: 'notFound' }],
};

export const brandPages: readonly PageData[] = Object.values(pagesByKind).flat();

/** Every kind of page. */
export const pageKinds: readonly PageKind[] = [
  ...new Set([...brandPages.map(({ kind }) => kind), ...providerPageKinds]),
];
