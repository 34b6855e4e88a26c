/** A `postgres://` URL, which may name several hosts as libpq's do: `postgres://user@a:5432,b:5432/leads`. */
export interface DatabaseUrl {
  /** As written, in the order in which they are tried. Empty: the driver's default. */
  hosts: { host: string; port: number }[];
  /** User and database, decoded. */
  user: string;
  database: string;
  /** Everything but the hosts. `URL` can't parse several hosts, so it has only the first. */
  url: URL;
}

const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is;
const hostPattern = /^(\[[^\]]+\]|[^:[\]]+)(?::(\d{1,5}))?$/;
const portDefault = 5_432;
const portMax = 65_535;

/** The parts of a database URL; null if it isn't one. */
export function findDatabaseUrl(text: string): DatabaseUrl | null {
  const [, scheme = '', login = '', list = '', rest = ''] = parts.exec(text.trim()) ?? [];
  if (scheme === '') return null;
  const hosts: DatabaseUrl['hosts'] = [];
  for (const each of list === '' ? [] : list.split(',')) {
    const [, host, port] = hostPattern.exec(each) ?? [];
    if (host === undefined || Number(port ?? 0) > portMax) return null;
    hosts.push({ host, port: Number(port ?? portDefault) });
  }
  const url = URL.parse(`${scheme}${login}${list.split(',')[0] ?? ''}${rest}`);
  if (url === null) return null;
  const user = decoded(url.username);
  const database = decoded(url.pathname.slice(1));
  return user === null || database === null ? null : { hosts, user, database, url };
}

/** The parts of a database URL that the configuration has accepted. Throws if it isn't one. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  const found = findDatabaseUrl(text);
  if (found === null) throw new Error('not a postgres:// address');
  return found;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
