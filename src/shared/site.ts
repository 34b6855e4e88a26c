/** How visitors reach the brand, and what its legal texts fill in. From configuration, never from code. */
export interface SiteContacts {
  email: string;
  phone: string;
  postalAddress: string;
  arbitrationPlace: string;
}

/** The part of the configuration a browser may know. */
export interface PublicConfig {
  /** `https://brand.example`, or the development address. */
  mainOrigin: string;
  contacts: SiteContacts;
  providerSignupUrl: string;
  starterKitUrl: string;
}
