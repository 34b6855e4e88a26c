import { isDeepStrictEqual } from 'node:util';
import { getTableColumns } from 'drizzle-orm';
import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { expect, test } from 'vitest';
import {
  exportedColumns,
  listBlankedColumns,
  personalColumns,
  type PersonalColumns,
} from './personalColumns.ts';
import { erasePerson } from '#server/features/erasure/erasePerson.ts';
import { insertPerson } from '#test/support/erasureSetup.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import {
  assignmentUndos,
  idempotencyKeys,
  leadAttribution,
  leadCorrections,
  leadNotes,
  leads,
  overLimitLeads,
} from './schema/index.ts';

const grown = pgTable('over_limit_leads', {
  leadId: bigint('lead_id', { mode: 'number' }).primaryKey(),
  releaseAt: text('release_at'),
  remark: text('remark'),
});

type Decided = Pick<typeof personalColumns, 'overLimitLeads'>;
/** Whether today's decisions about `over_limit_leads` are enough for a schema with these tables. */
type IsEnough<Tables> = Decided extends PersonalColumns<Tables> ? true : false;

test('a column or a table without a decision about erasure is a type error', () => {
  // Each value has the one type that compiles.
  const today: IsEnough<{ overLimitLeads: typeof overLimitLeads }> = true;
  const withColumn: IsEnough<{ overLimitLeads: typeof grown }> = false;
  const withTable: IsEnough<{ overLimitLeads: typeof overLimitLeads; remarks: typeof grown }> = false;
  expect([today, withColumn, withTable]).toEqual([true, false, false]);
  const { overLimitLeads: decided } = personalColumns;
  expect(Object.keys(getTableColumns(grown)).filter((name) => !(name in decided))).toEqual(['remark']);
});

test('each field of a lead is blanked and exported as the list of fields says', () => {
  const columns = ['firstName', 'lastName', 'email', 'phone', 'zipCode'] as const;
  expect(listBlankedColumns('leads')).toEqual(expect.arrayContaining([...columns]));
  expect(Object.keys(exportedColumns('leads'))).toEqual(expect.arrayContaining([...columns]));
  expect(Object.keys(getTableColumns(leads)).filter((name) => !(name in exportedColumns('leads')))).toEqual([
    'searchText',
  ]);
});

/** Columns that tell of the erasure, or are generated from others. */
const changing = new Set<string>(['deletedAt', 'erasedAt', 'updatedAt', 'searchText']);

test('an erasure blanks, keeps and deletes each column and row as decided', async () => {
  await using at = await setUpIntake();
  const { db } = at.database;
  const { leadIds } = await insertPerson(at);
  const blankedNames = new Set<string>(listBlankedColumns('leads'));
  const texts = Object.entries(getTableColumns(leads)).filter(
    ([name, { columnType, notNull }]) => blankedNames.has(name) && columnType === 'PgText' && !notNull,
  );
  const typed = Object.fromEntries(texts.map(([name]) => [name, 'Typed']));
  const answers = [{ id: 'call', question: 'Best time to call', answer: 'Morning' }];
  await db
    .update(leads)
    .set({ ...typed, answers, zipCode: 'Denver near Mina', zip5: null, firstPhoneE164: '+13035550142' });
  const before = await db.select().from(leads).orderBy(leads.id);
  const staffAction = staffActionOn(at.database, at.clock);
  await erasePerson(staffAction, { leadId: leadIds[0], reason: 'asked', samePhone: [leadIds[1]] });
  const after = await db.select().from(leads).orderBy(leads.id);
  expect(after.map(({ erasedAt }) => erasedAt !== null)).toEqual([true, true, true]);
  const treated = before.flatMap((lead, index) => {
    const left = new Map(Object.entries(after[index] ?? {}));
    return Object.entries(lead)
      .filter(([column, value]) => value !== null && !changing.has(column))
      .map(([column, value]) => ({ column, isKept: isDeepStrictEqual(left.get(column), value) }));
  });
  expect(treated.length).toBeGreaterThan(60);
  expect(treated.filter(({ column, isKept }) => isKept === blankedNames.has(column))).toEqual([]);
  for (const table of [
    idempotencyKeys,
    leadAttribution,
    leadCorrections,
    leadNotes,
    assignmentUndos,
    overLimitLeads,
  ])
    expect(await db.$count(table)).toBe(0);
});
