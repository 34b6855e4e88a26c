/** Providers that the server lists in a page for visitors without scripts. */
export const listingSize = 20;

export interface ProviderListing {
  /** Another for any other listing. */
  key: string;
  /** How many there are in all. */
  total: number;
  entries: { name: string; place: string; href: string }[];
}
