/** What a licensee changes first. It must not name a person, partner or certification that doesn't exist. */
export const brand = {
  /** As the consent texts write it. */
  name: 'P-Long®',
  /** Without the mark, for running legal text. */
  plainName: 'P-Long',
  tagline: 'A non-surgical protocol performed by independent certified providers.',
  description:
    'P-Long® is a clinically studied, non-surgical male enhancement protocol. Find an independent certified provider near you and request a consultation.',
} as const;

/** Words that reveal the treatment in a sender's name, besides the brand's own name. */
export const treatmentWords: readonly string[] = ['enhancement', 'erectile', 'penile', 'penis', 'urolog'];

/**
 * The wordmark. Its hyphen is a dimension line. From Figtree (SIL Open Font License 1.1), weight 650, capitals 28 high.
 */
export const wordmark = {
  viewBox: '2 3 156 41',
  letters:
    'M3.2 34v-28h10.1q2.95 0 5.15 1.15t3.55 3.3q1.25 2.05 1.25 4.8t-1.2 4.8-3.35 3.25-4.85 1.2h-5.6v9.5zm5.05-14.15h5.5q1.9 0 3.15-1.25t1.2-3.35-1.35-3.35-3.55-1.3h-4.95zm48.85 14.15v-28h5.05v23.35h12.5v4.65zm29.35.5q-3.05 0-5.4-1.35t-3.65-3.7-1.35-5.45 1.35-5.45q1.3-2.35 3.65-3.7t5.35-1.35 5.35 1.35 3.7 3.7 1.3 5.45-1.3 5.45q-1.35 2.35-3.65 3.7t-5.35 1.35zm0-4.5q1.6 0 2.75-.75t1.9-2.15q.65-1.35.65-3.1t-.65-3.1-1.9-2.15-2.8-.75-2.8.75q-1.2.8-1.9 2.15t-.65 3.1.7 3.1 1.9 2.1 2.8.8zm13.45 4v-20h4.6l.2 2.75q.95-1.55 2.5-2.4t3.45-.85q2.4 0 4.1 1t2.55 2.95q.9 2.05.9 5.25v11.3h-4.9v-10.25q0-2.2-.5-3.4t-1.4-1.75-2.15-.5q-2.15-.05-3.3 1.35t-1.2 4.1v10.45zm30.95 8.5q-2.25 0-3.95-.3t-2.9-.85-1.85-1l1.85-3.9q.6.3 1.5.7t2.2.75 2.95.3 2.95-.65 2-2.05q.75-1.35.75-3.45v-2q-1 1.65-2.65 2.55t-3.7.9q-2.75 0-4.8-1.2t-3.15-3.4-1.1-5.15q0-3.1 1.1-5.4t3.15-3.55 4.8-1.3q2.05 0 3.7.95t2.65 2.7v-3.15h4.85v17.85q0 3.4-1.25 5.8t-3.65 3.65q-2.3 1.2-5.45 1.2zm.5-13.1q1.45 0 2.55-.75t1.65-2.05.6-3-.6-3-1.7-2-2.55-.75-2.65.75-1.8 2q-.6 1.3-.65 3 .05 1.7.7 3t1.8 2.05 2.65.75z',
  dimensionLine: 'M29.4 17.6V26.4M50.4 17.6V26.4M29.4 22H50.4',
  registered:
    'M145.22 16.28a5.53 5.53 0 1 0 11.06 0 5.53 5.53 0 1 0-11.06 0zm1.33 0a4.2 4.24 0 1 1 8.4 0 4.2 4.24 0 1 1-8.4 0zM148.65 19.07v-5.83l2.24-.01q.94 0 1.54.54t.59 1.39q0 .56-.3 1.01t-.79.68l1.33 2.22h-1.42l-1.14-1.99h-.8v1.99zm1.25-3.15h.98q.36 0 .6-.21t.24-.55-.24-.57-.65-.21h-.93z',
} as const;
