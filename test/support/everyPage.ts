import type { PageData } from '#shared/pages/boot.ts';
import type { PageKind } from '#shared/pages/pages.ts';

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
    { kind: 'recruitment', form: null, applied: false, isOfferOver: false },
    { kind: 'recruitment', form: null, applied: true, isOfferOver: true },
  ],
  map: [{ kind: 'map', listed: null }],
  policy: [
    { kind: 'policy', policy: 'privacy' },
    { kind: 'policy', policy: 'terms' },
    { kind: 'policy', policy: 'refunds' },
  ],
  admin: [{ kind: 'admin', member: null }],
  providerNotFound: [{ kind: 'providerNotFound' }],
  notFound: [{ kind: 'notFound' }],
};

export const brandPages: readonly PageData[] = Object.values(pagesByKind).flat();

/** Every kind of page. */
export const pageKinds: readonly PageKind[] = [
  ...new Set([...brandPages.map(({ kind }) => kind), ...providerPageKinds]),
];
