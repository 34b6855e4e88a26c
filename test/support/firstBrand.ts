import { brand } from '#shared/brand/brand.ts';

/** Whether `src/shared/brand` has the brand of the specification. Its own words are only tested then. */
export const isFirstBrand = brand.plainName === 'P-Long';
