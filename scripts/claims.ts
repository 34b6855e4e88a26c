import { parseArgs } from 'node:util';
import { claims as brandClaims } from '#shared/brand/claims.ts';
import type { Claim } from '#shared/claims/claim.ts';
import { connect, type Database } from '#server/db/connect.ts';
import type { ClaimAcceptanceRow } from '#server/db/schema/index.ts';
import {
  acceptClaims,
  claimFault,
  claimReason,
  findAcceptances,
  getAccepter,
} from '#server/features/claims/claimAcceptances.ts';
import { withDatabase } from './withDatabase.ts';

const usage = [
  'npm run claims -- list',
  'npm run claims -- accept --claim <id> [--claim <id> …] --name <owner> --reason <why>',
  'npm run claims -- accept --all --name <owner> --reason <why>',
  '  --name  the name or email address of an owner’s account; any name if no owner has one',
].join('\n');

const actor = { kind: 'command', name: 'npm run claims' } as const;

function acceptedText({ acceptedBy, acceptedAt }: ClaimAcceptanceRow): string {
  return `by ${acceptedBy} on ${acceptedAt.toISOString().slice(0, 10)}`;
}

async function listLines(db: Database, claims: readonly Claim[]): Promise<string[]> {
  const acceptances = await findAcceptances(db, claims);
  const lines = claims.map((claim) => {
    const fault = claimFault(claim);
    if (fault === null) return `The claim ${claim.id} (“${claim.text}”) names its proof and who approved it.`;
    const row = acceptances.get(claim);
    return row === undefined ? fault : `${fault} Accepted ${acceptedText(row)}: ${row.reason}`;
  });
  const open = claims.filter((claim) => claimFault(claim) !== null && !acceptances.has(claim));
  return [...lines, `Claims: ${claims.length}. To accept: ${open.length}.`];
}

interface Request {
  /** Null: all that need it. */
  ids: readonly string[] | null;
  name: string;
  reason: string;
}

/** The claims to accept. Throws a sentence for an id that no claim has. */
async function choose(
  db: Database,
  claims: readonly Claim[],
  ids: readonly string[] | null,
): Promise<readonly Claim[]> {
  if (ids === null) {
    const acceptances = await findAcceptances(db, claims);
    return claims.filter((claim) => claimFault(claim) !== null && !acceptances.has(claim));
  }
  const unknown = ids.filter((id) => claims.every((claim) => claim.id !== id));
  if (unknown.length > 0)
    throw new Error(`There is no claim ${unknown.join(', ')}. npm run claims -- list shows all.`);
  return claims.filter(({ id }) => ids.includes(id));
}

async function accept(
  db: Database,
  claims: readonly Claim[],
  { ids, name, reason }: Request,
): Promise<string[]> {
  const accepter = await getAccepter(db, name);
  const chosen = await choose(db, claims, ids);
  const faulty = chosen.filter((claim) => claimFault(claim) !== null);
  const accepted = await db.transaction((tx) =>
    acceptClaims(tx, { claims: faulty, accepter, reason, actor }),
  );
  const acceptances = await findAcceptances(db, chosen);
  if (chosen.length === 0) return ['No claim needs to be accepted.'];
  return chosen.map((claim) => {
    const row = acceptances.get(claim);
    if (row === undefined) return `Needs no acceptance: ${claim.id} names its proof and who approved it.`;
    const prefix = accepted.includes(claim) ? 'Accepted' : 'Accepted before,';
    return `${prefix} ${acceptedText(row)}: ${claim.id} (“${claim.text}”)`;
  });
}

/** The arguments of `accept`. Throws a sentence with the usage for wrong ones. */
function parseRequest(values: {
  all: boolean;
  claim?: string[] | undefined;
  name?: string | undefined;
  reason?: string | undefined;
}): Request {
  if (values.all === (values.claim !== undefined)) throw new Error(`Give either --claim or --all.\n${usage}`);
  if (values.name === undefined || values.name.trim() === '')
    throw new Error(`--name: say which owner accepts.\n${usage}`);
  const reason = claimReason.safeParse(values.reason ?? '');
  if (!reason.success) throw new Error(`--reason: ${reason.error.issues[0]?.message ?? 'wrong'}.\n${usage}`);
  return { ids: values.claim ?? null, name: values.name, reason: reason.data };
}

/**
 * Runs `npm run claims` with its arguments on the brand's claims: lists them, or records that an owner accepts them as
 * they read now. Throws a sentence, and records nothing, for wrong arguments, an unknown claim, and anybody but an
 * owner.
 */
export async function runClaims(
  { url, claims }: { url: string; claims: readonly Claim[] },
  args: string[],
): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      claim: { type: 'string', multiple: true },
      name: { type: 'string' },
      reason: { type: 'string' },
    },
  });
  const [action, ...more] = positionals;
  if ((action !== 'list' && action !== 'accept') || more.length > 0) throw new Error(usage);
  const request = action === 'list' ? null : parseRequest(values);
  const { db, close } = connect(url, { applicationName: 'clinic-leads-claims', max: 1 });
  try {
    const lines = request === null ? await listLines(db, claims) : await accept(db, claims, request);
    for (const line of lines) console.log(line);
  } finally {
    await close();
  }
}

/** `npm run claims`: lists the claims of the brand, and accepts those without a proof or an approval. */
if (import.meta.main)
  await withDatabase(({ url }) => runClaims({ url, claims: brandClaims }, process.argv.slice(2)));
