/** The accounts that may learn, after consent, that a lead came in; null for none. */
export interface AdIds {
  /** Google Ads: `AW-123456789`, or with the label of one conversion action, `AW-123456789/AbC-d`. */
  google: string | null;
  /** Microsoft Advertising: the number of a UET tag. */
  microsoft: string | null;
}

export const googleAdsIdPattern = /^AW-\d{1,20}(?:\/[\w-]{1,64})?$/;
export const uetTagIdPattern = /^\d{1,20}$/;

/** The valid ids of a record or of the configuration. A malformed id counts as none. */
export function validAdIds({ google, microsoft }: AdIds): AdIds {
  return {
    google: google !== null && googleAdsIdPattern.test(google) ? google : null,
    microsoft: microsoft !== null && uetTagIdPattern.test(microsoft) ? microsoft : null,
  };
}

/** Whether there is an ad account, and so a reason to ask for consent. */
export function hasAdIds({ google, microsoft }: AdIds): boolean {
  return google !== null || microsoft !== null;
}
