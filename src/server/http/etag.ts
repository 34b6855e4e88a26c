import fresh from 'fresh';

/** Whether `If-None-Match` contains this tag, by weak comparison (RFC 9110 section 13.1.2). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  return header !== undefined && fresh({ 'if-none-match': header }, { etag });
}
