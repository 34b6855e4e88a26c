import ipaddr from 'ipaddr.js';
import { parseDatabaseUrl } from '../db/databaseUrl.ts';
import { isLoopbackHost } from '../tenant/parseHost.ts';

/** Facts about the connection to a database, from its URL. */
export interface DatabaseTls {
  /** Whether nothing is sent without TLS. */
  isEncrypted: boolean;
  /** Whether the server's certificate is also verified. */
  isVerified: boolean;
  /** Whether every host is this machine, by name only: nothing is resolved. */
  isLocal: boolean;
  /** Whether every host is this machine or in a private network, by name only. */
  isPrivate: boolean;
}

const privateRanges = ['private', 'uniqueLocal', 'linkLocal'];

/** A loopback name, or a Unix socket's folder. */
function isLocalHost(host: string): boolean {
  return host === '' || /^(\/|%2f)/i.test(host) || isLoopbackHost(host.toLowerCase());
}

/** A private or link-local address, or a name without a dot, as in local networks and compose files. */
function isPrivateHost(host: string): boolean {
  if (isLocalHost(host)) return true;
  const bare = host.replace(/^\[|\]$/g, '');
  if (ipaddr.IPv6.isValid(bare) || ipaddr.IPv4.isValidFourPartDecimal(bare))
    return privateRanges.includes(ipaddr.process(bare).range());
  // Resolvers read a number as an IPv4 address.
  return !bare.includes('.') && !/^(\d+|0x[0-9a-f]+)$/i.test(bare);
}

/** Reads a `postgres://` URL as db/connect.ts does, without opening certificate files. */
export function databaseTls(url: string): DatabaseTls {
  const {
    hosts: named,
    url: { searchParams },
  } = parseDatabaseUrl(url);
  const hosts = named.length === 0 ? [''] : named.map(({ host }) => host);
  const rootCertificate = searchParams.get('sslrootcert') ?? '';
  const mode =
    searchParams.get('sslmode') ??
    searchParams.get('ssl') ??
    (rootCertificate === 'system' ? 'verify-full' : 'prefer');
  const isFull = mode === 'verify-ca' || mode === 'verify-full';
  const isRequired = mode === 'require' || mode === 'true';
  return {
    isEncrypted: isFull || isRequired,
    isVerified: isFull || (isRequired && rootCertificate !== '' && rootCertificate !== 'system'),
    isLocal: hosts.every(isLocalHost),
    isPrivate: hosts.every(isPrivateHost),
  };
}
