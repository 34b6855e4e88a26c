/** Clinics that a page lists where no script can ask for all of them. */
export const listingSize = 20;

export interface ProviderListing {
  /** Another for any other listing. */
  key: string;
  /** How many there are in all. */
  total: number;
  entries: { name: string; place: string; href: string }[];
}
