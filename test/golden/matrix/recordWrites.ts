import { logicalTables, rematchRequestCount } from './logicalTables.ts';

type Row = Record<string, unknown>;
type Query = (text: string, parameters: (string | Date)[]) => Promise<Row[]>;

/** Every recorded row of the database, by table and key. */
interface Snapshot {
  tables: Map<string, Map<string, Row>>;
  rematchRequests: number;
  leadCounts: Map<string, number>;
}

export interface Recorder {
  /** Does one write and returns what it changed, with stable names in place of ids, times and secrets. */
  record: (write: string, work: () => Promise<unknown>) => Promise<Recorded>;
}

export interface Recorded {
  write: string;
  /** What the caller was answered: a status, or what `work` returned. */
  answer: unknown;
  changes: Record<string, unknown>;
}

interface Source {
  query: Query;
  now: () => Date;
  /** Leads of each provider as the API counts them, by the provider's id. */
  countLeads: () => Promise<ReadonlyMap<number, number>>;
}

/** Fields of JSON that hold an id, and what it is of. */
const referenceKinds: Partial<Record<string, string>> = {
  provider_id: 'provider',
  previous_provider_id: 'provider',
  providerId: 'provider',
  delivery_id: 'delivery',
  endpoint_id: 'endpoint',
  run_id: 'run',
  task: 'task',
};
const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const referencePattern = /^([a-z-]+):(.+)$/;
const timePattern = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const addressPattern = /\b(127\.0\.0\.1|localhost):\d+/g;
/** The name of a file of unsent mail, some of its digits left out. */
const outboxPattern = /^\S+\.eml$/;
const providerInText = /\bprovider (\d+)\b/gi;

/** Names rows in the order in which they are first seen. */
function createNames() {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return {
    /** Names a row; only rows have names of their own. */
    give(reference: string): void {
      if (names.has(reference)) return;
      const kind = referencePattern.exec(reference)?.[1] ?? reference;
      const count = (counts.get(kind) ?? 0) + 1;
      counts.set(kind, count);
      names.set(reference, `${kind}-${count}`);
    },
    of: (reference: string): string | undefined => names.get(reference),
  };
}

/** Compares the whole database before and after a write. */
export function createRecorder({ query, now, countLeads }: Source): Recorder {
  const names = createNames();

  async function take(at: Date): Promise<Snapshot> {
    const tables: Snapshot['tables'] = new Map();
    for (const { name, query: text } of logicalTables) {
      const rows = await query(text, text.includes('$1') ? [at.toISOString()] : []);
      for (const { row } of rows) names.give(String(row));
      tables.set(name, new Map(rows.map(({ row, ...fields }) => [String(row), fields])));
    }
    const [waiting] = await query(rematchRequestCount, []);
    const counts = await countLeads();
    return {
      tables,
      rematchRequests: Number(waiting?.['count']),
      leadCounts: new Map([...counts].map(([id, count]) => [getName(`provider:${id}`), count])),
    };
  }

  function getName(reference: string): string {
    return names.of(reference) ?? reference;
  }

  function toText(text: string): string {
    if (text.startsWith('hash:')) return '<hash>';
    const name = names.of(text);
    if (name !== undefined) return name;
    if (referencePattern.test(text) && /^(delivery|lead|provider|event|session|account):\S+$/.test(text))
      return `${text.split(':')[0] ?? ''} that is gone`;
    return text
      .replaceAll(timePattern, '<time>')
      .replaceAll(addressPattern, '<host>')
      .replace(outboxPattern, '<file>')
      .replaceAll(providerInText, (found, id: string) => {
        const provider = names.of(`provider:${id}`);
        return provider === undefined ? found : provider;
      });
  }

  /** `kind`: what a number refers to. */
  function plain(value: unknown, kind?: string, idKind?: string): unknown {
    if (value instanceof Date) return '<time>';
    if (typeof value === 'string') return toText(value);
    if (typeof value === 'number') return kind === undefined ? rounded(value) : getName(`${kind}:${value}`);
    if (Array.isArray(value)) return value.map((part: unknown) => plain(part));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, part]) => [key, plainField(key, part, idKind)]),
    );
  }

  function plainField(key: string, value: unknown, idKind: string | undefined): unknown {
    if (key === 'delivery' && typeof value === 'string' && uuidPattern.test(value)) return 'delivery';
    const kind = key === 'id' ? idKind : referenceKinds[key];
    if (kind !== undefined && typeof value === 'string') return getName(`${kind}:${value}`);
    return plain(value, kind);
  }

  /** A row as it is recorded, without what is empty. */
  function listFields(row: Row): Row {
    const { type } = row;
    const idKind = typeof type === 'string' ? type.split('.')[0] : undefined;
    return Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) =>
        value === null || value === false || value === 0 ? [] : [[name, plain(value, undefined, idKind)]],
      ),
    );
  }

  function changedFields(before: Row, after: Row): Row {
    return Object.fromEntries(
      Object.entries(after).flatMap(([name, value]) => {
        const pair = [before[name] ?? null, value].map((part) => plain(part));
        const [from, to] = pair.map((part) => JSON.stringify(part));
        if (JSON.stringify(before[name] ?? null) === JSON.stringify(value)) return [];
        // What differs but reads the same, as a hash does.
        return [[name, from === to ? 'changed' : pair]];
      }),
    );
  }

  function listDifferences(before: Snapshot, after: Snapshot): Row {
    const changes: Row = {};
    for (const { name } of logicalTables) {
      const [old, current] = [before.tables.get(name) ?? new Map(), after.tables.get(name) ?? new Map()];
      const found = compareRows(old, current);
      if (Object.keys(found).length > 0) changes[name] = found;
    }
    if (after.rematchRequests > before.rematchRequests) changes['rematching'] = 'requested';
    if (after.rematchRequests < before.rematchRequests) changes['rematching'] = 'done';
    const counts = compareCounts(before.leadCounts, after.leadCounts);
    if (Object.keys(counts).length > 0) changes['leadCounts'] = counts;
    return changes;
  }

  function compareRows(old: Map<string, Row>, current: Map<string, Row>): Row {
    const added = [...current].flatMap(([key, row]) =>
      old.has(key) ? [] : [{ row: getName(key), ...listFields(row) }],
    );
    const changed = [...current].flatMap(([key, row]) => {
      const was = old.get(key);
      const fields = was === undefined ? {} : changedFields(was, row);
      return Object.keys(fields).length === 0 ? [] : [{ row: getName(key), ...fields }];
    });
    const removed = [...old.keys()].flatMap((key) => (current.has(key) ? [] : [getName(key)]));
    return {
      ...(added.length === 0 ? {} : { added }),
      ...(changed.length === 0 ? {} : { changed }),
      ...(removed.length === 0 ? {} : { removed }),
    };
  }

  return {
    async record(write, work) {
      const before = await take(now());
      const answer = await work();
      const after = await take(now());
      return { write, answer: plain(answer) ?? null, changes: listDifferences(before, after) };
    },
  };
}

/** Distances differ in their last digits. */
function rounded(value: number): number {
  return Number(value.toFixed(1));
}

function compareCounts(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): Row {
  return Object.fromEntries(
    [...after].flatMap(([provider, count]) => {
      const was = before.get(provider) ?? 0;
      return was === count ? [] : [[provider, [was, count]]];
    }),
  );
}
