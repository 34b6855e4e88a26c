import type { PageData } from '#shared/pages/boot.ts';

/** One page of each kind that needs no clinic. */
export const brandPages = [
  { kind: 'landing', form: null },
  { kind: 'variant', form: null },
  { kind: 'quiz', form: null },
  { kind: 'find', form: null },
  { kind: 'recruitment', form: null, applied: false, isOfferOver: false },
  { kind: 'map', listed: null },
  { kind: 'policy', policy: 'privacy' },
  { kind: 'admin', member: null },
  { kind: 'providerNotFound' },
  { kind: 'notFound' },
] as const satisfies PageData[];

/** For a renderer that has no modules to name. */
export const noPageModules: Record<PageData['kind'], string> = {
  landing: '',
  variant: '',
  quiz: '',
  find: '',
  microsite: '',
  recruitment: '',
  map: '',
  success: '',
  policy: '',
  admin: '',
  providerNotFound: '',
  notFound: '',
};
