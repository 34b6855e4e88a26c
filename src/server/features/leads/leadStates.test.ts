import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { type LeadInsert, leads } from '#server/db/schema/index.ts';
import { leadCorrectInput } from '#shared/submissions/leadInput.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { erasePerson } from '../erasure/erasePerson.ts';
import { recordByStaff } from '../outcomes/recordOutcome.ts';
import { assignLeads } from './changes/assignLeads.ts';
import { correctLead } from './changes/correctLead.ts';
import { releaseLeads, removeLeads, restoreLeads } from './changes/leadChanges.ts';
import { setFollowUp } from './changes/leadNotes.ts';
import { purgeDeletedLeads, purgeOldLeads } from './changes/purgeLeads.ts';
import { type LeadChange, type LeadState, stateAfter, getState } from './leadStates.ts';
import { rematchUnmatched, requestRematch } from './changes/rematch.ts';

const dayMs = 86_400_000;

interface Subject {
  at: IntakeSetup;
  id: number;
  providerId: number;
}

const staffAction = ({ at }: Subject) => ({ ...staffActionOn(at.database, at.clock), services: at.services });
const ignoreNotFound = (error: unknown): void => {
  expect(error).toMatchObject({ code: expect.stringMatching(/^(NOT_FOUND|CONFLICT)$/) });
};

/** Makes each change as the product does. */
const changes: Record<LeadChange, (subject: Subject) => Promise<unknown>> = {
  release: (subject) => releaseLeads(staffAction(subject), [subject.id]),
  assign: (subject) => assignLeads(staffAction(subject), [subject.id], subject.providerId),
  correct: (subject) =>
    correctLead(staffAction(subject), leadCorrectInput.parse({ id: subject.id, zip_code: '80209' })).catch(
      ignoreNotFound,
    ),
  async rematch({ at, id }) {
    await at.database.db.update(leads).set({ providerId: null, matchMethod: 'none' }).where(eq(leads.id, id));
    await requestRematch(at.database.db);
    await rematchUnmatched(at.services);
  },
  report: (subject) => recordByStaff(staffAction(subject), subject.id, 'booked').catch(ignoreNotFound),
  note: (subject) =>
    setFollowUp(staffAction(subject), { id: subject.id, followUpOn: '2026-07-01' }).catch(ignoreNotFound),
  delete: (subject) => removeLeads(staffAction(subject), [subject.id]),
  restore: (subject) => restoreLeads(staffAction(subject), [subject.id]),
  erase: (subject) =>
    erasePerson(staffAction(subject), { leadId: subject.id, reason: 'asked' }).catch(ignoreNotFound),
  purge: ({ at }) => purgeDeletedLeads(at.database.db, new Date(at.clock.ms + 31 * dayMs)),
  expire: ({ at }) => purgeOldLeads(at.database.db, new Date(at.clock.ms + 31 * dayMs)),
};

const stateColumns: Record<LeadState, (now: Date) => Partial<LeadInsert>> = {
  active: () => ({}),
  quarantined: (now) => ({ quarantinedAt: now, quarantineReason: 'honeypot' }),
  deleted: (now) => ({ deletedAt: now }),
  'deleted-quarantined': (now) => ({ quarantinedAt: now, quarantineReason: 'honeypot', deletedAt: now }),
  erased: (now) => ({ deletedAt: now, erasedAt: now }),
};

const states = Object.keys(stateColumns).filter((name): name is LeadState => name in stateColumns);
const changeNames = Object.keys(changes).filter((name): name is LeadChange => name in changes);
const cases = states.flatMap((state) =>
  changeNames.map((change) => [state, change, stateAfter(state, change)] as const),
);

async function toRow({ at, id }: Subject) {
  const [row] = await at.database.db.select().from(leads).where(eq(leads.id, id));
  return row;
}

describe('a lead', () => {
  test.each(cases)('in the state %s, after the change %s: %s', async (state, change, expected) => {
    await using at = await setUpIntake();
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    const now = new Date(at.clock.ms);
    const lead = await insertAgreed(at.database.db, {
      ...{ providerId: provider.id, zipCode: '80202', createdAt: now },
      ...stateColumns[state](now),
    });
    const other = await insertProvider(at.database.db, { zipCode: '33131' });
    const subject = { at, id: lead.id, providerId: other.id };
    await changes[change](subject);
    const row = await toRow(subject);
    const after = row === undefined ? 'purged' : getState(row);
    expect(after).toBe(expected ?? state);
    const effects: Partial<Record<LeadChange, boolean>> = {
      assign: row?.providerId === subject.providerId,
      correct: row?.zip5 === '80209',
      rematch: row?.providerId === provider.id,
      report: row?.outcome === 'booked',
      note: row?.followUpOn === '2026-07-01',
    };
    expect(effects[change] ?? after !== state).toBe(expected !== null);
  });

  test('is stored as active or quarantined', async () => {
    await using at = await setUpIntake();
    const active = await at.send(leadInput());
    const quarantined = await at.send(leadInput({ form: 'landing', website: 'https://spam.example' }));
    const subject = { at, providerId: 0 };
    const rows = [
      await toRow({ ...subject, id: active.body.id }),
      await toRow({ ...subject, id: quarantined.body.id }),
    ];
    expect(rows.map((row) => row && getState(row))).toEqual(['active', 'quarantined']);
  });
});
