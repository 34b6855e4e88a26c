import { useState } from 'react';
import { styled } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { personCopy as copy } from './copy.ts';
import { EraseForm } from './EraseForm.tsx';
import { ExportForm } from './ExportForm.tsx';
import { Facts } from '#client/admin/kit/Facts.tsx';

/** Export and erasure of a person's data, for owners. */
export function PersonSection({ leadId }: { leadId: number }) {
  const [asked, setAsked] = useState<'export' | 'erase' | null>(null);
  const close = (): void => setAsked(null);
  return (
    <Facts title={copy.title}>
      <p>{copy.note}</p>
      <Row>
        <Button variant="secondary" size="small" onClick={() => setAsked('export')}>
          {copy.export}
        </Button>
        <Button variant="secondary" size="small" onClick={() => setAsked('erase')}>
          {copy.erase}
        </Button>
      </Row>
      <Dialog open={asked === 'export'} onClose={close} title={copy.exportTitle(leadId)}>
        <ExportForm leadId={leadId} onDone={close} />
      </Dialog>
      <Dialog open={asked === 'erase'} onClose={close} title={copy.eraseTitle(leadId)}>
        <EraseForm leadId={leadId} onCancel={close} onErased={close} />
      </Dialog>
    </Facts>
  );
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  margin-block-start: 0.75rem;
`;
