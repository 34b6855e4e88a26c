import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import { toText } from '#client/admin/kit/text.ts';
import { toApiError } from '#client/api/trpc.ts';
import { token } from '#client/theme/tokens.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import type { ErrorReason } from '#shared/errorCodes.ts';
import type { CorrectableField } from '#shared/leads/correction.ts';
import { leadFieldTable } from '#shared/leads/leadFieldTable.ts';
import { correctionCopy as copy } from '../copy.ts';

const namesOther: ErrorReason = 'consent-names-other-provider';

interface CorrectButtonProps {
  lead: AdminLead;
  field: CorrectableField;
}

export function CorrectButton({ lead, field }: CorrectButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = (): void => setIsOpen(false);
  return (
    <>
      <Small
        variant="quiet"
        aria-label={copy.actionOf(leadFieldTable[field].label)}
        onClick={() => setIsOpen(true)}
      >
        {copy.action}
      </Small>
      <Dialog open={isOpen} onClose={close} title={copy.titles[field]}>
        <CorrectForm lead={lead} field={field} onDone={close} />
      </Dialog>
    </>
  );
}

function CorrectForm({ lead, field, onDone }: CorrectButtonProps & { onDone: () => void }) {
  const correct = adminApi.admin.leads.correct.useMutation(withReport({ done: copy.done, onDone }));
  /** The sentence about a consent that names another provider than the new ZIP code's. */
  const [question, setQuestion] = useState<string | null>(null);
  async function send(form: FormData): Promise<void> {
    const value = toText(form, field);
    try {
      await correct.mutateAsync({ id: lead.id, [field]: value, confirmed: question !== null });
    } catch (error) {
      const { reason, userMessage } = toApiError(error);
      if (reason !== namesOther) throw error;
      setQuestion(userMessage ?? '');
    }
  }
  return (
    <ActionForm
      submitLabel={question === null ? copy.action : leadCopy.reassign.confirm}
      onClose={onDone}
      act={send}
    >
      {(errors) => (
        <>
          <p>
            {copy.notes[field]} <KeptNote>{copy.kept(lead[field])}</KeptNote>
          </p>
          <Field
            label={copy.labels[field]}
            name={field}
            defaultValue={lead[field]}
            inputMode={field === 'email' ? 'email' : field === 'phone' ? 'tel' : 'text'}
            maxLength={254}
            autoComplete="off"
            error={errors[field]}
            onChange={() => setQuestion(null)}
          />
          {question === null ? null : (
            <Question role="alert">
              {question} {leadCopy.reassign.warning}
            </Question>
          )}
        </>
      )}
    </ActionForm>
  );
}

const Small = styled(ActionButton)`
  padding-block: 0;
`;

const KeptNote = styled.span`
  overflow-wrap: anywhere;
`;

const Question = styled.p`
  color: ${token.danger};
  font-weight: 500;
`;
