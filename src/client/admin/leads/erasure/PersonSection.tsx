import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { Facts } from '#client/admin/kit/Facts.tsx';
import { useDownload } from '#client/admin/kit/useDownload.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import { EraseForm } from './EraseForm.tsx';
import { chosenLeads, PersonLeads } from './PersonLeads.tsx';
import { PersonSearch } from './PersonSearch.tsx';
import { personCopy as copy, personFileHref } from './copy.ts';

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

interface ExportFormProps {
  leadId: number;
  onDone: () => void;
}

/** Downloads all data about a person, after staff confirm which leads are theirs: the file is for that person. */
function ExportForm({ leadId, onDone }: ExportFormProps) {
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
