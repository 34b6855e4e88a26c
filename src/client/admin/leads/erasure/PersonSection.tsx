import { type ReactNode, useId, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { Facts } from '#client/admin/kit/Facts.tsx';
import { useDownload } from '#client/admin/kit/useDownload.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import { personCopy, personCopy as copy, personFileHref } from './copy.ts';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { type ErasureReason, erasureReasons, type PersonLead } from '#shared/admin/erasure.ts';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportDone } from '#client/admin/kit/reports.ts';
import { toApiError } from '#client/api/trpc.ts';
import { instantHint, instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Field } from '#client/ui/Field.tsx';
import { Select } from '#client/ui/Select.tsx';

/** Export and erasure of a person's data, for owners. */
export function PersonSection({ leadId }: { leadId: number }) {
  const [open, setOpen] = useState<'export' | 'erase' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Facts title={copy.title}>
      <p>{copy.note}</p>
      <Row>
        <ActionButton onClick={() => setOpen('export')}>{copy.export}</ActionButton>
        <ActionButton onClick={() => setOpen('erase')}>{copy.erase}</ActionButton>
      </Row>
      <Dialog open={open === 'export'} onClose={close} title={copy.exportTitle(leadId)}>
        <ExportForm leadId={leadId} onDone={close} />
      </Dialog>
      <Dialog open={open === 'erase'} onClose={close} title={copy.eraseTitle(leadId)}>
        <EraseForm leadId={leadId} onCancel={close} onErased={close} />
      </Dialog>
    </Facts>
  );
}

/** Downloads all data about a person, after staff confirm which leads are theirs: the file is for that person. */
function ExportForm({ leadId, onDone }: { leadId: number; onDone: () => void }) {
  const download = useDownload();
  return (
    <PersonSearch leadId={leadId}>
      {(person) => (
        <ActionForm
          submitLabel={copy.download}
          onClose={onDone}
          act={(form) => {
            download(personFileHref(leadId, chosenLeads(person, form)));
            onDone();
            return Promise.resolve();
          }}
        >
          {() => <PersonLeads person={person} />}
        </ActionForm>
      )}
    </PersonSearch>
  );
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-block-start: 0.75rem;
`;

interface PersonSearchProps {
  leadId: number;
  children: (person: readonly PersonLead[]) => ReactNode;
}

/** Renders its children once the person's leads are found. */
function PersonSearch({ leadId, children }: PersonSearchProps) {
  const { data, error, refetch } = usePerson(leadId);
  const failure = <LoadFailure error={error} fallback={copy.findFailed} onRetry={() => void refetch()} />;
  if (data === undefined)
    return error === null ? (
      <>
        <output>{copy.loading}</output>
        <Skeleton $width="80%" />
      </>
    ) : (
      failure
    );
  // After a failed reload, the form keeps its values.
  return (
    <>
      {failure}
      {children(data)}
    </>
  );
}

/** All leads of a lead's person, never from the cache: another lead may have arrived. */
function usePerson(leadId: number) {
  return adminApi.admin.personalData.find.useQuery({ leadId }, { staleTime: 0, gcTime: 0 });
}

/** `onErased` runs before the leads are reloaded. The form reports failures. */
function useErasePerson(onErased: () => void) {
  const utils = adminApi.useUtils();
  return adminApi.admin.personalData.erase.useMutation({
    // 409: another lead arrived. After any other failure the leads stay as shown.
    onError: (error) =>
      toApiError(error).status === 409 ? utils.admin.personalData.find.invalidate() : undefined,
    onSuccess: async ({ leadIds }) => {
      onErased();
      reportDone(personCopy.done(leadIds.length));
      await Promise.all([
        utils.admin.leads.invalidate(),
        utils.admin.providers.list.invalidate(undefined, { refetchType: 'none' }),
      ]);
    },
  });
}

const getName = (id: number): string => `lead-${id}`;

/** The leads that staff ticked among those not found by the email address. */
function chosenLeads(
  person: readonly PersonLead[],
  form: FormData,
): Record<'samePhone' | 'sameMailbox', number[]> {
  const chosen = (by: PersonLead['foundBy']): number[] =>
    person.flatMap(({ id, foundBy }) => (foundBy === by && form.has(getName(id)) ? [id] : []));
  return { samePhone: chosen('phone'), sameMailbox: [...chosen('mailbox'), ...chosen('former')] };
}

/** The leads found for a person. Those not found by the email have a checkbox, ticked if the name is equal, unless
 * staff corrected the address. */
function PersonLeads({ person }: { person: readonly PersonLead[] }) {
  const list = person.length === 1 ? null : <Leads person={person} />;
  const hint = useId();
  return (
    <div>
      <p>{copy.leads(person.length)}</p>
      {person.every(({ foundBy }) => foundBy === 'email') ? (
        list
      ) : (
        <Question aria-describedby={hint}>
          <legend>{copy.whose}</legend>
          <p id={hint}>
            {(['phone', 'mailbox', 'former'] as const)
              .filter((by) => person.some(({ foundBy }) => foundBy === by))
              .map((by) => copy.hints[by])
              .join(' ')}
          </p>
          {list}
        </Question>
      )}
    </div>
  );
}

function Leads({ person }: { person: readonly PersonLead[] }) {
  return (
    <List>
      {person.map((lead) => (
        <li key={lead.id}>
          {lead.foundBy === 'email' ? (
            <PersonLeadItem lead={lead} />
          ) : (
            <Checkbox
              name={getName(lead.id)}
              defaultChecked={lead.isSameName && lead.foundBy !== 'former'}
              label={<PersonLeadItem lead={lead} />}
            />
          )}
        </li>
      ))}
    </List>
  );
}

function PersonLeadItem({
  lead: { id, name, email, phone, created_at: at, foundBy, standing },
}: {
  lead: PersonLead;
}) {
  return (
    <Lines>
      <span>
        #{id} <strong>{name}</strong> <Badge>{copy.foundBy[foundBy]}</Badge>
      </span>
      <span>
        {email}, {phone}
      </span>
      <span title={instantHint(at)}>
        {[instantText(at), copy.standing[standing]].filter((text) => text !== null).join(' · ')}
      </span>
    </Lines>
  );
}

const Question = styled.fieldset`
  margin-block-start: 0.75rem;

  & > legend {
    padding: 0;
    font-weight: 600;
  }

  & > p {
    margin-block-start: 0.25rem;
  }
`;

const List = styled.ul`
  display: grid;
  gap: 0.5rem;
  margin-block: 0.75rem;
`;

const Lines = styled.span`
  display: grid;
  font-size: 0.9375rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.45;
  overflow-wrap: anywhere;

  & > span + span {
    color: ${token.muted};
  }
`;

const reasonOptions = erasureReasons.map((value) => ({ value, label: copy.reasons[value] }));

interface EraseFormProps {
  leadId: number;
  onCancel: () => void;
  onErased: () => void;
}

/** Lists what will be erased, and requires a reason and the lead's number. */
function EraseForm({ leadId, onCancel, onErased }: EraseFormProps) {
  const erase = useErasePerson(onErased);
  const [reason, setReason] = useState<ErasureReason>('asked');
  return (
    <PersonSearch leadId={leadId}>
      {(person) => (
        <ActionForm
          submitLabel={copy.confirm}
          isDangerous
          onClose={onCancel}
          act={(form) =>
            erase.mutateAsync({
              leadId,
              reason,
              ...chosenLeads(person, form),
              shown: person.filter(({ foundBy }) => foundBy === 'email').map(({ id }) => id),
              confirmation: toText(form, 'confirmation'),
            })
          }
        >
          {(errors) => (
            <>
              <PersonLeads person={person} />
              <Consequences>
                {copy.consequences.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </Consequences>
              <Select
                label={copy.reason}
                options={reasonOptions}
                value={reason}
                onChoose={(value) => setReason(erasureReasons.find((known) => known === value) ?? 'asked')}
              />
              <Field
                label={copy.confirmation(leadId)}
                name="confirmation"
                inputMode="numeric"
                autoComplete="off"
                error={errors['confirmation']}
              />
            </>
          )}
        </ActionForm>
      )}
    </PersonSearch>
  );
}

const Consequences = styled.ul`
  display: grid;
  gap: 0.25rem;
  padding-inline-start: 1.25rem;
  list-style: disc;
`;
