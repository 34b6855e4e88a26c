import { brand } from '#shared/brand/brand.ts';

// Not as the literal that it is: the compiler would refuse the comparison in another brand.
const name: string = brand.plainName;

/** Whether `src/shared/brand` has the brand of the specification. Its own words are only tested then. */
export const isFirstBrand = name === 'P-Long';
