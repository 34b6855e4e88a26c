import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Facts } from '#client/admin/kit/Facts.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Instant, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { MutedFigures, Row } from '#client/admin/kit/layout.tsx';
import { reportSuccess, withReport } from '#client/admin/kit/reports.ts';
import { token } from '#client/theme/tokens.ts';
import { DayInput } from '#client/ui/DayInput.tsx';
import { TextArea } from '#client/ui/Field.tsx';
import { noteLengthMax } from '#shared/admin/leadActions.ts';
import type { LeadDetail } from '#shared/admin/leadDetail.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { toDay } from '#shared/formats/day.ts';
import { followUpCopy, noteCopy } from './copy.ts';

/** What staff noted, newest first, and the day on which they want to look again. */
export function NotesSection({ detail, canChange }: { detail: LeadDetail; canChange: boolean }) {
  const { lead, notes } = detail;
  const now = useNow();
  return (
    <Facts title={noteCopy.title}>
      <FollowUp key={lead.id} leadId={lead.id} day={lead.followUpOn} now={now} canChange={canChange} />
      {canChange ? <NoteForm key={`note ${lead.id}`} leadId={lead.id} /> : null}
      {notes.length === 0 ? (
        <MutedFigures as="p">{noteCopy.none}</MutedFigures>
      ) : (
        <ol>
          {notes.toReversed().map(({ id, at, by, text }) => (
            <Note key={id}>
              <p>{text}</p>
              <MutedFigures as="p">
                <Instant iso={at} /> {leadDetailCopy.by(by)}
              </MutedFigures>
            </Note>
          ))}
        </ol>
      )}
    </Facts>
  );
}

/** What was typed and not added, by lead: closing the drawer must not lose it. Gone with the client, at the sign-out. */
const draftsOf = new WeakMap<QueryClient, Map<number, string>>();

function useDrafts(): Map<number, string> {
  const client = useQueryClient();
  const drafts = draftsOf.get(client) ?? new Map<number, string>();
  draftsOf.set(client, drafts);
  return drafts;
}

function NoteForm({ leadId }: { leadId: number }) {
  const drafts = useDrafts();
  const [text, setText] = useState(() => drafts.get(leadId) ?? '');
  useEffect(() => {
    if (text === '') drafts.delete(leadId);
    else drafts.set(leadId, text);
  }, [drafts, leadId, text]);
  const undo = adminApi.admin.leads.undoNote.useMutation(
    withReport({ done: noteCopy.undone, failed: noteCopy.failed }),
  );
  const add = adminApi.admin.leads.addNote.useMutation(
    withReport({
      done: noteCopy.done,
      failed: noteCopy.failed,
      onDone: (_, { id }: { id: number; text: string }) => {
        drafts.delete(id);
        setText('');
      },
      undo:
        ({ id: noteId }: { id: number }, { id, text: taken }: { id: number; text: string }) =>
        () => {
          // What was typed comes back, unless somebody has started another note.
          if (!drafts.has(id)) drafts.set(id, taken);
          setText((now) => (now === '' ? taken : now));
          undo.mutate({ id, noteId });
        },
    }),
  );
  const isEmpty = text.trim() === '';
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty && !add.isPending) add.mutate({ id: leadId, text });
      }}
    >
      <Short
        label={noteCopy.label}
        name="note"
        rows={2}
        maxLength={noteLengthMax}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={({ key, ctrlKey, metaKey, currentTarget }) => {
          if (key === 'Enter' && (ctrlKey || metaKey)) currentTarget.form?.requestSubmit();
        }}
      />
      <ActionButton type="submit" aria-disabled={isEmpty || add.isPending}>
        {noteCopy.add}
      </ActionButton>
    </Form>
  );
}

interface FollowUpProps {
  leadId: number;
  day: string | null;
  now: number;
  canChange: boolean;
}

/** The date is set by its button, not while it is typed. */
function FollowUp({ leadId, day, now, canChange }: FollowUpProps) {
  const [typed, setTyped] = useState(day ?? undefined);
  const { mutateAsync, isPending } = adminApi.admin.leads.followUp.useMutation(
    withReport({ failed: followUpCopy.failed }),
  );
  /** Also after another lead was opened. */
  async function save(followUpOn: string | null): Promise<boolean> {
    setTyped(followUpOn ?? undefined);
    try {
      await mutateAsync({ id: leadId, followUpOn });
      return true;
    } catch {
      setTyped(day ?? undefined);
      return false;
    }
  }
  async function set(followUpOn: string | null): Promise<void> {
    if (followUpOn === day || !(await save(followUpOn))) return;
    reportSuccess(followUpCopy.done(followUpOn), () => void save(day));
  }
  const today = toDay(now);
  return (
    <Stacked>
      {day === null ? null : (
        <Due $isDue={day <= today}>
          {day === today
            ? followUpCopy.today
            : day < today
              ? followUpCopy.overdue(day)
              : followUpCopy.on(day)}
        </Due>
      )}
      {canChange ? (
        <Dates>
          <DayInput label={followUpCopy.label} value={typed} onChoose={setTyped} />
          <ActionButton isBusy={isPending} onClick={() => void set(typed ?? null)}>
            {followUpCopy.save}
          </ActionButton>
          <ActionButton variant="quiet" isBusy={isPending} onClick={() => void set(dayAfter(now, 1))}>
            {followUpCopy.tomorrow}
          </ActionButton>
          <ActionButton variant="quiet" isBusy={isPending} onClick={() => void set(dayAfter(now, 7))}>
            {followUpCopy.inAWeek}
          </ActionButton>
          {day === null ? null : (
            <ActionButton variant="quiet" isBusy={isPending} onClick={() => void set(null)}>
              {followUpCopy.clear}
            </ActionButton>
          )}
        </Dates>
      ) : null}
    </Stacked>
  );
}

/** The day some days later, in the viewer's time zone. */
function dayAfter(now: number, days: number): string {
  const date = new Date(now);
  date.setDate(date.getDate() + days);
  return toDay(date.getTime());
}

const Stacked = styled.div`
  display: grid;
  gap: 0.5rem;
`;

const Dates = styled(Row)`
  align-items: end;
`;

const Due = styled.p<{ $isDue: boolean }>`
  color: ${({ $isDue }) => ($isDue ? token.warning : token.foreground)};
  font-weight: 600;
  font-variant-numeric: tabular-nums;
`;

const Form = styled.form`
  display: grid;
  justify-items: start;
  gap: 0.5rem;
  margin-block: 0.75rem;
`;

const Short = styled(TextArea)`
  inline-size: 100%;

  & textarea {
    min-block-size: 4rem;
    padding: 0.5rem 0.75rem;
    font-size: 1rem;
  }
`;

const Note = styled.li`
  padding-block: 0.5rem;
  border-block-start: 1px solid ${token.line};
  font-size: 0.9375rem;
  line-height: 1.45;
  overflow-wrap: anywhere;
  white-space: pre-line;
`;
