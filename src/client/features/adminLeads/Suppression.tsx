import { useState } from 'react';
import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { adminWords } from '#shared/adminWords.ts';
import type { AdminLead } from '#shared/adminLeads.ts';
import { leadDetailWords, leadWords } from '#shared/adminLeadWords.ts';
import { leadName } from './LeadRow.tsx';
import { useSuppressLead } from './useLeads.ts';

const words = leadWords.suppress;

/** Ends all contact with a lead's author, once it was asked whether that is meant: there is no way back. */
export function SuppressButton({ lead }: { lead: AdminLead }) {
  const [isAsking, setIsAsking] = useState(false);
  const suppress = useSuppressLead();
  const close = (): void => setIsAsking(false);
  return (
    <>
      <Button variant="secondary" size="small" onClick={() => setIsAsking(true)}>
        {words.action}
      </Button>
      <Dialog open={isAsking} onClose={close} title={words.title(leadName(lead))}>
        <p>{words.text}</p>
        <Answers>
          <Button variant="quiet" onClick={close}>
            {adminWords.cancel}
          </Button>
          <Button
            aria-disabled={suppress.isPending}
            onClick={() =>
              suppress.isPending ? undefined : suppress.mutate({ id: lead.id }, { onSettled: close })
            }
          >
            {suppress.isPending ? adminWords.busy : words.action}
          </Button>
        </Answers>
      </Dialog>
    </>
  );
}

/** Why nothing more is sent about a lead. */
export function SuppressedNotice() {
  return (
    <Notice aria-label={leadDetailWords.suppressed}>
      <strong>{leadDetailWords.suppressed}</strong>
      <p>{leadDetailWords.suppressedNotice}</p>
    </Notice>
  );
}

const Answers = styled.div`
  display: flex;
  flex-wrap: wrap;
  justify-content: flex-end;
  gap: 0.5rem;
  margin-block-start: 1.5rem;
`;

const Notice = styled.section`
  padding: 0.75rem 1rem;
  border: 1px solid color-mix(in srgb, ${token.danger} 40%, #ffffff);
  border-radius: ${token.radius};
  background: color-mix(in srgb, ${token.danger} 5%, #ffffff);
  line-height: 1.4;
`;
