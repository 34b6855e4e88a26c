/** The part of `negotiator` 1.0 that requestHeaders.ts uses. The published types are those of 0.6, without `preferred`. */
declare module 'negotiator' {
  export default class Negotiator {
    constructor(request: { headers: Record<string, string> });
    /** Accepted encodings of `available`, the client's favorite first. `preferred` decides between equals. */
    encodings(available: readonly string[], options: { preferred: readonly string[] }): string[];
  }
}
