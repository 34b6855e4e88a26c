import { type RestRoute, restRoutes } from './routes.ts';

/** What answers: a row of the table, or one of the two answers that need no procedure. */
type Handler = RestRoute | 'openapi' | 'verifyDomain';

interface Entry {
  method: string;
  pattern: RegExp;
  handler: Handler;
}

interface Found {
  handler: Handler | null;
  params: Record<string, string>;
  /** The methods this path takes; empty when it takes none. */
  allow: string[];
}

/** `/api/leads/{id}` → a pattern with one named group a placeholder. */
function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

const entries: readonly Entry[] = [
  { method: 'GET', pattern: patternOf('/api/openapi.json'), handler: 'openapi' },
  { method: 'GET', pattern: patternOf('/api/domains/verify'), handler: 'verifyDomain' },
  ...restRoutes.map((route) => ({ method: route.method, pattern: patternOf(route.path), handler: route })),
];

/** Percent-decoded; a segment that can't be decoded stays as it is and then names nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The row for a request. HEAD is answered like GET. The first row of a path wins, so literal paths stand above placeholders. */
export function findRoute(method: string, path: string): Found {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const here = entries.filter(({ pattern }) => pattern.test(path));
  const entry = here.find((candidate) => candidate.method === wanted);
  const groups = entry?.pattern.exec(path)?.groups ?? {};
  const params = Object.fromEntries(
    Object.entries(groups).map(([name, segment]) => [name, decoded(segment)]),
  );
  const methods = [...new Set(here.map((candidate) => candidate.method))];
  return {
    handler: entry?.handler ?? null,
    params,
    allow: methods.includes('GET') ? ['HEAD', ...methods].toSorted() : methods.toSorted(),
  };
}
